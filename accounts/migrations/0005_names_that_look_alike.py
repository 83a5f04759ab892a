from typing import Any

from django.db import migrations

from accounts.names import skeleton


def compare_more_letters(apps: Any, schema_editor: Any) -> None:
    """If two names look alike only now, the older one gets the key, and the other one keeps its own."""
    users = apps.get_model("accounts", "User").objects.order_by("pk")
    taken = set(users.values_list("name_key", flat=True))
    for user in users.only("username"):
        key = skeleton(user.username)
        if key not in taken:
            taken.add(key)
            users.filter(pk=user.pk).update(name_key=key)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_plain_words"),
    ]

    operations = [
        migrations.RunPython(compare_more_letters, migrations.RunPython.noop),
    ]
