"""One mail of every kind, or one for each title if it is about a position."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from itertools import count

import time_machine

from accounts.models import User
from games.models import Game, Invitation, Notice, Seat, Vacation
from games.services import play
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.tables import tables
from tests.factories import actor, deal, person, play_on, play_well
from tests.mails.accounts import PREFIXES, about_account
from tests.mails.reading import notice, parsed, write, written

Mails = Iterator[tuple[str, EmailMessage]]


def half_done(title: str, people: list[User]) -> Game:
    """A game in the middle of a turn, in which neither purchases nor takes are legal."""
    for seed in count():
        game = deal(title, people, seed)
        for number in range(60):
            play_on(game, seed + number, 1)
            if game.number != game.turn_number and game.is_active:
                words = {action.word for action in play.look(game, actor(game)).legal}
                if words.isdisjoint({"take", "buy"}):
                    return game
    raise AssertionError


def of_positions(people: list[User]) -> Mails:
    """The mails about a decision."""
    for title, seats, decisions in (("splendor", 2, 40), ("splendor", 4, 61), ("duel", 2, 43)):
        game = deal(title, people[:seats], 3)
        play_well(game, 5, decisions)
        while game.number != game.turn_number:
            play_well(game, 6)
        reader = actor(game)
        Seat.objects.filter(game=game, user=reader).update(note="Buy <b>blue</b> & wait;\nthen look.")
        yield f"turn {title} {seats}", write("turn", reader, game)
        yield (
            f"reminder {title} {seats}",
            write("reminder", reader, game, key=f"reminder:{game.pk}:{game.turn_number}:50"),
        )
        begun = half_done(title, people[:seats])
        yield f"unfinished {title} {seats}", write("unfinished", actor(begun), begun)
        opening = deal(title, people[:seats], 4)
        yield f"first turn {title} {seats}", write("turn", actor(opening), opening)
        while game.is_active:
            play_well(game, 7)
        yield f"finished {title} {seats}", write("finished", people[0], game)


def of_tables(people: list[User]) -> Mails:
    """The mails that are not about a decision."""
    alice, bob, dora = people[:3]
    game = deal("splendor", [alice, bob, dora], 3)
    waits = next(person for person in (alice, bob, dora) if person != actor(game))
    yield "started", write("started", waits, game)
    table = tables.create(alice, tables.TableSpec("duel", 2, invited=[bob]))
    yield "invited", write("invited", bob, table, key=f"invited:game:{table.pk}", by=alice.pk)
    yield "rematch", write("rematch", bob, table, key=f"rematch:{table.pk}", by=alice.pk)
    asked = Invitation.objects.create(game=table, address="eve@example.net", invited_by=alice, at=now())
    yield "stranger", write("invited", asked.address, table, key=f"invited:{asked.pk}", invitation=asked.pk)
    yield "closed to one", write("closed", dora, table, key=f"{tables.TAKEN_OUT}:1")
    tables.cancel(table, alice)
    table.refresh_from_db()
    yield "closed", write("closed", bob, table)
    yield "closed to a stranger", write("closed", asked.address, table)
    yield "restored", write("restored", alice, back_to=now().isoformat())
    yield "test", write("test", alice)
    away = Vacation.objects.create(user=bob, begins_at=now(), ends_at=now() + timedelta(days=1))
    yield "vacation", write("vacation", bob, game, vacation=away.pk)
    played = deal("splendor", [alice, bob], 3)
    play_well(played, 5, 20)
    reader = actor(played)
    over = deal("duel", [alice, bob], 3)
    play.resign(over, bob)
    day = notice("digest", reader)
    for told in (notice("turn", reader, played), notice("finished", reader, over)):
        Notice.objects.filter(pk=told.pk).update(digest=day)
    yield "digest", written(day)
    for at_zero in Game.AtZero:
        game = deal("splendor", [alice, bob, dora], 3)
        Game.objects.filter(pk=game.pk).update(at_zero=at_zero)
        game.refresh_from_db()
        play_well(game, 5, 20)
        yield from _time_is_up(game, f"absence {at_zero}")
    yield from _time_is_up(deal("duel", [alice, bob], 3), "abandoned")


def _time_is_up(game: Game, name: str) -> Mails:
    assert game.deadline is not None
    Notice.objects.filter(game=game).update(closed_at=now(), outcome="sent")
    with time_machine.travel(game.deadline + timedelta(minutes=1), tick=False):
        timeouts.time_out(game)
        for owed in Notice.objects.filter(game=game, kind="absence").select_related("recipient"):
            assert owed.recipient is not None
            yield f"{name} to {owed.recipient}", write("absence", owed.recipient, owed.game, key=owed.key, **owed.facts)


def of_accounts(user: User) -> Mails:
    """The mails about an account."""
    for prefix in PREFIXES:
        yield f"account {prefix}", parsed(about_account(prefix, user).message().as_bytes())


def every() -> dict[str, EmailMessage]:
    """All mails by name."""
    people = [person(name) for name in ("alice", "bob", "dora", "emil")]
    return {**dict(of_positions(people)), **dict(of_tables(people)), **dict(of_accounts(people[0]))}
