"""Moves tell how long a bot was waited for, and how long it thought."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0004_tables_of_before"),
    ]

    operations = [
        migrations.AddField(
            model_name="move",
            name="thought",
            field=models.DurationField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="move",
            name="waited",
            field=models.DurationField(blank=True, null=True),
        ),
    ]
