"""Tables of before clocks: open ones expire as they would have, running ones get a clock with the next turn, and who
was there saw the results."""

from datetime import timedelta
from typing import Any

from django.db import migrations
from django.db.models import F

EXPIRY = timedelta(days=14)
BANKS = {"fast": timedelta(hours=24), "normal": timedelta(days=3), "relaxed": timedelta(days=5)}


def fill(apps: Any, schema_editor: Any) -> None:
    games, seats = (apps.get_model("games", name).objects for name in ("Game", "Seat"))
    games.filter(status="open").update(expires_at=F("changed_at") + EXPIRY)
    games.filter(status="active").update(turn_number=F("number"))
    for pace, bank in BANKS.items():
        seats.filter(game__status="active", game__pace=pace, user__isnull=False).update(bank=bank)
    seats.filter(game__status="finished", user__isnull=False).update(seen_end=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_clocks_and_mail"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
