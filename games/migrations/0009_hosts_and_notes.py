import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_caps_on_mails"),
    ]

    operations = [
        migrations.RenameField(model_name="game", old_name="created_by", new_name="host"),
        migrations.RenameField(model_name="seat", old_name="plan", new_name="note"),
        migrations.AlterField(
            model_name="position",
            name="game",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="+",
                serialize=False,
                to="games.game",
            ),
        ),
    ]
