"""Incidents no longer have the names of people who declined an invitation; the account with that number has it."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget_names(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    incidents = apps.get_model("games", "Incident").objects.filter(kind="declined", facts__has_key="name")
    for incident in incidents.iterator():
        del incident.facts["name"]
        incident.save(update_fields=["facts"])


class Migration(migrations.Migration):
    dependencies = (("games", "0018_moderation"),)
    operations = (migrations.RunPython(forget_names, migrations.RunPython.noop),)
