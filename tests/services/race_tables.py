"""Processes that do the same thing around tables at the same moment, on a database of their own: `python -m
tests.services.race_tables invite|accept|rematch|click`.

Run with DATABASE_URL in the environment. Prints one JSON object: how many succeeded, how many were refused, and the
resulting rows.
"""

import json
import multiprocessing
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.synchronize import Barrier

import django

RACERS = 8


def invite(racer: int) -> None:
    """Every racer invites two addresses to a table of its own; all the tables have the same host."""
    from accounts.models import User  # once Django is set up
    from games.models import Game
    from games.services.tables import invitations

    game = Game.objects.order_by("pk")[racer]
    start()
    invitations.invite(game, User.objects.get(), [], [f"{racer}{place}@example.net" for place in "ab"])


def accept(racer: int) -> None:
    """Everybody clicks the same link."""
    from games.models import Invitation  # once Django is set up
    from games.services.tables import invitations

    found = Invitation.objects.select_related("game").get()
    start()
    invitations.accept(found, username="Ann")


def rematch(racer: int) -> None:
    """Both players click four times each."""
    from accounts.models import User  # once Django is set up
    from games.models import Game
    from games.services.tables import rematch as service

    game, user = Game.objects.get(), User.objects.order_by("pk")[racer % 2]
    start()
    service.offer(game, user)


def click(racer: int) -> None:
    """Everybody clicks the same buttons."""
    from accounts.models import User  # once Django is set up
    from games.services.absence import vacations
    from games.services.privacy import archives
    from games.services.tables import reports

    user = User.objects.get()
    start()
    with suppress(vacations.VacationRefusal):
        vacations.begin_vacation(user, 2)
    reports.report(None, user, reports.name_of(user))
    archives.ask(user)


RACES: dict[str, Callable[[int], None]] = {"invite": invite, "accept": accept, "rematch": rematch, "click": click}
_line: list[Barrier] = []


def start() -> None:
    _line[0].wait()


def run(mode: str, racer: int, line: Barrier) -> str:
    django.setup()
    from games.services.tables.tables import TableRefusal

    _line[:] = [line]
    try:
        RACES[mode](racer)
    except TableRefusal:
        return "refused"
    return "success"


def prepare(mode: str) -> None:
    from accounts.services import create_confirmed  # once Django is set up
    from games.services import play
    from games.services.tables import invitations, tables

    alice = create_confirmed("alice", "alice@example.org", "correct horse")
    if mode == "rematch":
        game = tables.create(alice, tables.TableSpec("duel", 2))
        tables.join(game, bob := create_confirmed("bob", "bob@example.org", "correct horse"))
        play.resign(game, bob)
        return
    if mode == "click":
        return
    for _racer in range(RACERS if mode == "invite" else 1):
        game = tables.create(alice, tables.TableSpec("splendor", 4))
        # Newcomers with five tables cannot join another.
        game.seat_set.update(user=None, bot="greedy")
    if mode == "accept":
        invitations.invite(game, alice, [], ["ann@example.net"])


def found(mode: str) -> dict[str, object]:
    from accounts.models import User  # once Django is set up
    from games.models import Archive, Game, Invitation, Notice, Report, Seat, Vacation

    if mode == "click":
        return {rows.__name__: rows.objects.count() for rows in (Vacation, Report, Archive)}
    if mode == "invite":
        return {"rows": Invitation.objects.count(), "notices": Notice.objects.count()}
    if mode == "accept":
        ann = User.objects.filter(email="ann@example.net")
        return {"accounts": ann.count(), "seats": Seat.objects.filter(user__in=ann).count()}
    _first, *tables = Game.objects.order_by("pk")
    return {"tables": len(tables), "seats": sum(game.seat_set.count() for game in tables), "status": tables[0].status}


def main(mode: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
    django.setup()
    from django.db import connection  # once Django is set up

    prepare(mode)
    connection.close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.loaded"])
    with context.Manager() as manager, context.Pool(RACERS) as pool:
        line = manager.Barrier(RACERS)
        results = pool.starmap(run, [(mode, racer, line) for racer in range(RACERS)], chunksize=1)
    counts = {"success": results.count("success"), "refused": results.count("refused")}
    print(json.dumps({**counts, **found(mode)}))


if __name__ == "__main__":
    main(sys.argv[1])
