from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0026_stop_by_agreement"),
    ]

    operations = [
        migrations.CreateModel(
            name="SweepLease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("until", models.DateTimeField()),
            ],
        ),
    ]
