from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_movement_and_sound"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="movement",
            field=models.BooleanField(default=True, verbose_name="animate moves"),
        ),
    ]
