"""Processes that post at the same moment, on a database of their own: `python -m tests.services.race equal|different`.

Run with DATABASE_URL in the environment. Prints one JSON object: how many posts succeeded, how many were stale, and how
many moves there are afterwards.
"""

import json
import multiprocessing
import os
import sys
from multiprocessing.synchronize import Barrier

import django

RACERS = 8


def post(game_id: int, user_id: int, notation: str, start: Barrier) -> str:
    django.setup()
    from accounts.models import User  # once Django is set up
    from games.models import Game
    from games.services import play
    from games.services.versions import writing

    game, user = Game.objects.get(pk=game_id), User.objects.get(pk=user_id)
    start.wait()
    try:
        play.submit(game, play.Actor(user), 0, [notation])
    except writing.Stale:
        return "stale"
    return "success"


def main(mode: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
    django.setup()
    from django.db import connection  # once Django is set up

    from accounts.models import User
    from games.models import Game, Move
    from games.services import play
    from games.services.tables import tables

    people = [User.objects.create_user(name, f"{name}@example.org") for name in ("alice", "bob")]
    game = tables.create(people[0], tables.TableSpec("duel", 2))
    tables.join(game, people[1])
    user = game.seat_set.get(index=0).user
    assert user is not None
    legal = [str(action) for action in play.look(game, user).legal]
    notations = legal[:RACERS] if mode == "different" else legal[:1] * RACERS
    connection.close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.loaded"])
    with context.Manager() as manager, context.Pool(RACERS) as pool:
        start = manager.Barrier(RACERS)
        racers = [(game.pk, user.pk, notation, start) for notation in notations]
        results = pool.starmap(post, racers, chunksize=1)
    print(
        json.dumps(
            {
                "success": results.count("success"),
                "stale": results.count("stale"),
                "moves": Move.objects.count(),
                "number": Game.objects.get().number,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
