from itertools import groupby, pairwise
from typing import Any

from django.db import migrations, models


def count_rounds(apps: Any, _schema: Any) -> None:
    """A round ends when the turn passes from a later seat to an earlier one."""
    game_row, move_row = (apps.get_model("games", name) for name in ("Game", "Move"))
    to_act = dict(game_row.objects.values_list("pk", "to_act"))
    moves = move_row.objects.order_by("game", "number").values_list("game", "seat", "events")
    for pk, played in groupby(moves.iterator(), key=lambda move: move[0]):
        seats, is_last = [], False
        for _pk, seat, events in played:
            seats.append(seat)
            is_last = is_last or any(code == "last_round" for code, _facts in events)
        if to_act[pk] is not None:
            seats.append(to_act[pk])
        ended = sum(after < before for before, after in pairwise(seats))
        game_row.objects.filter(pk=pk).update(round=1 + ended, is_last_round=is_last)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_plain_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="is_last_round",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="game",
            name="name",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.AddField(
            model_name="game",
            name="round",
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.RunPython(count_rounds, migrations.RunPython.noop),
    ]
