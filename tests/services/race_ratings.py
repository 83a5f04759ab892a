"""Processes that end games of the same people at once, while others delete that many of their accounts, on a database
of their own: `python -m tests.services.race_ratings 2`.

Run with DATABASE_URL in the environment. Prints one JSON object: how many games ended and were counted, and whether
counting them again gives the same ratings and statistics.
"""

import json
import multiprocessing
import os
import sys
from multiprocessing.synchronize import Barrier

import django

PEOPLE = ("alice", "bob", "chloe")
TITLES = ("duel", "splendor")
GAMES = 4


def run(racer: int, line: Barrier) -> str:
    django.setup()
    from accounts.models import User  # once Django is set up
    from games.models import Game
    from games.rules.base import IllegalAction
    from games.services import play
    from games.services.privacy import deletion

    game = Game.objects.order_by("pk")[racer % GAMES]
    users = [User.objects.get(username=name) for name in PEOPLE]
    line.wait()
    if racer >= GAMES:
        deletion.delete(users[racer - GAMES])
        return "deleted"
    try:
        play.resign(game, users[-1])
    except play.NotYours:
        return "refused"
    except IllegalAction:
        return "over"
    return "resigned"


def prepare() -> None:
    from accounts.services import create_confirmed  # once Django is set up
    from tests.factories import begun, take_turn

    alice, bob, chloe = (create_confirmed(name, f"{name}@example.org", "correct horse") for name in PEOPLE)
    for number in range(GAMES):
        game = begun([(alice, bob)[number % 2], chloe], TITLES[number // 2 % 2])
        for _turn in range(4):
            take_turn(game)


def digits() -> list[tuple[object, ...]]:
    from games.models import RatingChange  # once Django is set up

    return list(RatingChange.objects.order_by("seat").values_list("seat", "points_before", "points", "uncertainty"))


def sums() -> list[object]:
    from games.models import CountedUser  # once Django is set up
    from tests.services.statistics.sums import everything

    return [*CountedUser.objects.order_by("pk").values_list("pk", "stale"), *everything()]


def main(deleted: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
    django.setup()
    from django.db import connection  # once Django is set up

    from games.models import Game, HeadToHead
    from games.services.ratings import counting
    from games.services.statistics import counting as statistics

    prepare()
    connection.close()
    racers = GAMES + deleted
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.loaded"])
    with context.Manager() as manager, context.Pool(racers) as pool:
        line = manager.Barrier(racers)
        results = pool.starmap(run, [(racer, line) for racer in range(racers)], chunksize=1)
    counted, added = digits(), sums()
    counting.count_all()
    statistics.count_all()
    print(
        json.dumps(
            {
                "ended": Game.objects.filter(status=Game.Status.FINISHED).count(),
                "deleted": results.count("deleted"),
                "rows": len(counted),
                "same": digits() == counted,
                "met": sum(row.games for row in HeadToHead.objects.filter(seats=0)),
                "same_sums": sums() == added,
            }
        )
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
