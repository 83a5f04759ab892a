import django.db.models.functions.text
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import accounts.names


def fill_name_keys(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for user in apps.get_model("accounts", "User").objects.all():
        user.name_key = accounts.names.skeleton(user.username)
        user.save(update_fields=["name_key"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10, verbose_name="language"),
        ),
        migrations.AddField(
            model_name="user",
            name="theme",
            field=models.CharField(
                choices=[("auto", "As the device"), ("light", "Light"), ("dark", "Dark")],
                default="auto",
                max_length=5,
                verbose_name="theme",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="time_zone",
            field=models.CharField(blank=True, default="", max_length=64, verbose_name="time zone"),
        ),
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(max_length=254, verbose_name="address"),
        ),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={"unique": "This name, or one that looks like it, is taken."},
                max_length=20,
                unique=True,
                validators=[accounts.names.validate],
                verbose_name="user name",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=models.CharField(default="", editable=False, max_length=80),
            preserve_default=False,
        ),
        migrations.RunPython(fill_name_keys, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="name_key",
            field=models.CharField(editable=False, max_length=80, unique=True),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"),
                name="accounts_user_email_unique",
                violation_error_message="Another account has this address.",
            ),
        ),
    ]
