from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def owe(apps: Any, _schema: Any) -> None:
    """Games that everybody may find and that are over get their previews too."""
    games = apps.get_model("games", "Game").objects.filter(status="finished", audience="anyone")
    preview = apps.get_model("games", "Preview")
    preview.objects.bulk_create([preview(pk=pk) for pk in games.values_list("pk", flat=True)], batch_size=1000)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_seats_of_users"),
    ]

    operations = [
        migrations.CreateModel(
            name="Preview",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("picture", models.BinaryField(null=True)),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("picture", None)), fields=["game"], name="preview_owed")],
            },
        ),
        migrations.RunPython(owe, migrations.RunPython.noop),
    ]
