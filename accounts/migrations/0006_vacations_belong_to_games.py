from django.db import migrations


class Migration(migrations.Migration):
    """The table stays; `games.0011` takes it over."""

    dependencies = [
        ("accounts", "0005_names_that_look_alike"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="Vacation")]),
    ]
