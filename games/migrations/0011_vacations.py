import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Takes over the table of vacations from `accounts`, with its rows."""

    dependencies = [
        ("accounts", "0006_vacations_belong_to_games"),
        ("games", "0010_five_strengths"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Vacation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("begins_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField()),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "db_table": "accounts_vacation",
                        "indexes": [models.Index(fields=["user", "ends_at"], name="vacation_user_ends")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("ends_at__gte", models.F("begins_at"))), name="a_vacation_ends"
                            )
                        ],
                    },
                ),
            ]
        ),
        migrations.AlterModelTable(name="vacation", table=None),
    ]
