from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce, NullIf


def fill(apps: Any, _schema_editor: Any) -> None:
    """Name the bot that is to act in each running game, and date the seats of finished ones."""
    games, seats = (apps.get_model("games", name).objects for name in ("Game", "Seat"))
    acting = seats.filter(game=OuterRef("pk"), index=OuterRef("to_act"))
    bots = acting.annotate(acts=Coalesce(NullIf("caretaker", Value("")), NullIf("bot", Value("")))).values("acts")
    games.filter(status="active").update(bot_to_act=Subquery(bots))
    ends = games.filter(pk=OuterRef("game")).values("ended_at")
    seats.filter(game__status="finished").update(ended_at=Subquery(ends))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0022_acts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="game",
            name="game_status_deadline",
        ),
        migrations.RemoveIndex(
            model_name="game",
            name="game_status_changed",
        ),
        migrations.AddField(
            model_name="game",
            name="bot_to_act",
            field=models.CharField(blank=True, max_length=20, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("deadline__isnull", False)), fields=["deadline"], name="game_deadline"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("bot_to_act__isnull", False)), fields=["changed_at"], name="game_bot_to_act"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("expires_at__isnull", False)), fields=["expires_at"], name="game_expires"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("expires_at__isnull", False)),
                fields=["admission", "-created_at", "-id"],
                name="game_listed",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("to_act__isnull", False)), fields=["audience", "-changed_at"], name="game_public"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("user"),
                models.OrderBy(models.F("ended_at"), descending=True),
                models.OrderBy(models.F("game"), descending=True),
                condition=models.Q(("ended_at__isnull", False)),
                name="seat_of_user_ended",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("absent_since__isnull", False), ("ended_at", None)),
                fields=["game"],
                name="seat_away",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("bot_to_act", None), ("to_act__isnull", False), _connector="OR"),
                name="a_bot_acts_only_in_a_running_game",
            ),
        ),
        migrations.AddIndex(
            model_name="invitation",
            index=models.Index(fields=["address"], name="invitation_address"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                models.F("closed_at"), condition=models.Q(("closed_at__isnull", False)), name="notice_closed"
            ),
        ),
    ]
