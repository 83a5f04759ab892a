"""Alice plays games over HTTP against the strongest bots, all at once: `python -m tests.live.whole`.

Run in the environment of a running site. Before its start, `python -m tests.live.whole begin [LEFT]` deals the games;
with LEFT, it also plays them until about that many decisions are left. It prints the bots' decisions by title.

Prints a JSON list for each game: the title, the seats, how it ended, and whether each number has exactly one move and
the moves lead from the seed to the position. Then it prints the bots' decisions by title, and their incidents by kind,
for all games.
"""

import json
import os
import sys
from collections import Counter
from random import Random
from time import sleep

import django

from tests.live.people import Person

TABLES = [("splendor", 2), ("splendor", 4), ("duel", 2)]


def begin(left: int | None) -> None:
    from accounts.models import User  # needs Django to be set up
    from games.services.tables import tables
    from tests.factories import play_until

    alice = User.objects.get(username="alice")
    for title, seats in TABLES:
        game = tables.create(alice, tables.TableSpec(title, seats, ["strongest"] * (seats - 1)))
        if left:
            play_until(game, left)
    print(json.dumps(decisions()))


def decisions() -> Counter[str]:
    """The bots' decisions by title."""
    from games.models import Move  # needs Django to be set up

    return Counter(Move.objects.filter(actor="bot").values_list("game__title", flat=True))


def main() -> None:
    from accounts.models import User  # needs Django to be set up
    from games.bots.base import Limit
    from games.catalogue import TITLES
    from games.models import Game, Incident, Seat
    from games.services import play
    from games.services.play import history

    alice, rng = User.objects.get(username="alice"), Random(1)
    person = Person(f"http://127.0.0.1:{os.environ['PORT']}")
    assert person.log_in("alice") == 302
    while Game.objects.filter(status="active").exists():
        for game in Game.objects.waiting_for(alice):
            seen, legal = play.offer(game, Seat.objects.get(game=game, index=game.to_act), variants=False)
            choice = TITLES[game.title].bot("greedy").choose(seen, legal, rng, Limit())
            assert person.post(f"/table/{game.key}/", number=game.number, moves=choice) == 302
        sleep(0.05)
    for game in Game.objects.order_by("pk"):
        numbers = list(game.move_set.order_by("number").values_list("number", flat=True))
        sound = numbers == list(range(game.number)) and history.replays(game)
        print(json.dumps([game.title, game.seats, game.ending, sound]))
    incidents = Counter(Incident.objects.filter(kind__startswith="bot").values_list("kind", flat=True))
    print(json.dumps([decisions(), incidents]))


if __name__ == "__main__":
    django.setup()
    match sys.argv[1:]:
        case ["begin", *left]:
            begin(int(left[0]) if left else None)
        case _:
            main()
