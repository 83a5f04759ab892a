"""The bot that overlooks four actions of ten was called `easy` and is now `beginner`; `medium` and `strongest` stay."""

from collections.abc import Mapping
from typing import Any

from django.db import migrations


def rename_bots(apps: Any, names: Mapping[str, str]) -> None:
    seats, incidents = (apps.get_model("games", name).objects for name in ("Seat", "Incident"))
    for old, new in names.items():
        seats.filter(bot=old).update(bot=new)
        seats.filter(caretaker=old).update(caretaker=new)
        for incident in incidents.filter(kind="bot_failed", facts__bot=old).iterator():
            incident.facts["bot"] = new
            incident.save(update_fields=["facts"])


def to_five(apps: Any, _schema_editor: Any) -> None:
    rename_bots(apps, {"easy": "beginner"})


def to_three(apps: Any, _schema_editor: Any) -> None:
    rename_bots(apps, {"beginner": "easy", "hard": "strongest"})


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_hosts_and_notes"),
    ]

    operations = [
        migrations.RunPython(to_five, to_three),
    ]
