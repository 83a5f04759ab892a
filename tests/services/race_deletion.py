"""Processes that play and sit down while their person's account is deleted, on a database of their own: `python -m
tests.services.race_deletion move|join`.

Run with DATABASE_URL in the environment. Prints one JSON object: how many requests succeeded and were refused, and what
is left.
"""

import json
import multiprocessing
import os
import sys
from multiprocessing.synchronize import Barrier

import django

GAMES = 7
"""The number of games; one more process deletes the account."""


def run(mode: str, racer: int, line: Barrier) -> str:
    django.setup()
    from accounts.models import User  # once Django is set up
    from games.models import Game
    from games.services import play
    from games.services.privacy import deletion
    from games.services.tables import tables
    from games.services.versions import writing

    user = User.objects.get(username="alice")
    game = Game.objects.order_by("pk")[racer % GAMES]
    legal = [str(action) for action in play.look(game, user).legal] if mode == "move" else []
    line.wait()
    if racer == GAMES:
        deletion.delete(user)
        return "deleted"
    try:
        if mode == "move":
            play.submit(game, play.Actor(user), 0, legal[:1])
        else:
            tables.join(game, user)
    except (play.NotYours, writing.Stale, tables.TableRefusal):
        return "refused"
    return "success"


def prepare(mode: str) -> None:
    from accounts.services import create_confirmed  # once Django is set up
    from games.models import Game
    from games.services.tables import tables

    alice, bob = (create_confirmed(name, f"{name}@example.org", "correct horse") for name in ("alice", "bob"))
    for _game in range(GAMES):
        if mode == "join":
            game = tables.create(bob, tables.TableSpec("splendor", 3))
            # Newcomers with five tables cannot join another.
            game.seat_set.update(user=None, bot="greedy")
            continue
        game = tables.create(alice, tables.TableSpec("duel", 2, bots=["greedy"], host_begins=True))
        Game.objects.filter(pk=game.pk).update(bot_claimed_until=None)


def found(succeeded: int) -> dict[str, object]:
    from accounts.models import User  # once Django is set up
    from games.models import Game, Move, Seat

    seats = Seat.objects.exclude(user=None)
    return {
        "alice": User.objects.filter(username="alice").count(),
        "lost": succeeded - Move.objects.count() if Move.objects.exists() else 0,
        "left alone": seats.filter(game__status=Game.Status.ACTIVE, caretaker="").count(),
        "at open tables": seats.filter(game__status=Game.Status.OPEN).count(),
    }


def main(mode: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
    django.setup()
    from django.db import connection  # once Django is set up

    prepare(mode)
    connection.close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.loaded"])
    with context.Manager() as manager, context.Pool(GAMES + 1) as pool:
        line = manager.Barrier(GAMES + 1)
        results = pool.starmap(run, [(mode, racer, line) for racer in range(GAMES + 1)], chunksize=1)
    succeeded = results.count("success")
    answers = {"answered": succeeded + results.count("refused"), "deleted": results.count("deleted")}
    print(json.dumps({**answers, **found(succeeded)}))


if __name__ == "__main__":
    main(sys.argv[1])
