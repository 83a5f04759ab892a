from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0023_flat_costs"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="reason",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
    ]
