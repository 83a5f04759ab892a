"""Moves keep the events that they brought about; those of earlier moves are found by replaying."""

from itertools import pairwise
from typing import Any

from django.db import migrations, models

from games.catalogue import TITLES


def fill(apps: Any, schema_editor: Any) -> None:
    games, moves_, positions = (apps.get_model("games", name).objects for name in ("Game", "Move", "Position"))
    seats = apps.get_model("games", "Seat").objects
    for game in games.filter(replayable=True, number__gt=0).iterator():
        ruleset = TITLES[game.title].ruleset
        moves = list(moves_.filter(game=game).order_by("number"))
        seed = ruleset.load(positions.get(game=game).state).seed
        steps = ruleset.replay(game.seats, seed, [move.notation for move in moves], check=False)
        for move, (before, after) in zip(moves, pairwise(steps), strict=True):
            was, now = (ruleset.observe(step.state, None).players[move.seat] for step in (before, after))
            move.events = [[event.code, event.facts] for event in after.events]
            move.points, move.tokens = now.points - was.points, sum(now.tokens)
            seats.filter(game=game, index=move.seat).update(seen_number=move.number + 1)
        moves_.bulk_update(moves, ["events", "points", "tokens"], batch_size=100)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="move",
            name="events",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="move",
            name="points",
            field=models.SmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="move",
            name="tokens",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
