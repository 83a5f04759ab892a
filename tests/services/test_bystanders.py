"""Actions at one table do not affect other tables: they change no rows of these, and do not depend on them."""

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from celery import current_app
from django.apps import apps
from django.db import transaction
from django.db.models import Model

from accounts import services as accounts
from accounts.models import User
from games.models import (
    Archive,
    Delivery,
    Game,
    HeadToHead,
    Incident,
    Invitation,
    Move,
    Notice,
    Preferences,
    Rating,
    RatingChange,
    Seat,
    Tally,
    Vacation,
)
from games.services import play
from games.services.absence import pauses, timeouts, vacations
from games.services.clocks.moment import now
from games.services.mailing import bounces, deliveries
from games.services.outbox import opt_out, preferences
from games.services.play import own_seat
from games.services.privacy import archives
from games.services.tables import invitations, rematch, tables
from games.services.tables.tables import TableSpec
from games.services.work import sweep, thinking
from tests.factories import DAY, HOUR, START, acting, at, begun, each_began, person, take_turn

pytestmark = pytest.mark.django_db
LONG = timedelta(days=4000)
WRITTEN = ("ann@example.net", "ben@example.net", "bob@example.org", "zoe@example.net")
"""The addresses to which others write too."""
PEOPLE = ("alice", "bob", "clara")
UNWRITTEN = ("alice", "clara")
"""Those to whom no others write."""
STORY = Path(__file__).with_name("story.txt")


def confirmed(name: str) -> User:
    user = person(name)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def others() -> None:
    """Other people who have done everything possible in their own games, and whose rows must not change."""
    with at(START - DAY):
        dora, emil, flora = map(confirmed, ("dora", "emil", "flora"))
        for title in ("splendor", "duel"):
            running = begun([dora, emil], title)
            each_began(running)
            pauses.ask(running, dora)
            own_seat.keep_note(running, emil, "wait")
        bots = begun([dora], bots=2)
        take_turn(bots)
        over = begun([emil, flora])
        each_began(over)
        play.resign(over, emil)
        waiting = tables.create(dora, TableSpec("splendor", 4, invited=[emil, flora], addresses=[*WRITTEN]))
        tables.join(waiting, emil)
        tables.cancel(tables.create(emil, TableSpec("duel", 2, addresses=["ann@example.net"])), emil)
        for user in (dora, emil, flora):
            bounces.failed(user, "550 no such mailbox")
            preferences.switch(user, Notice.Kind.FINISHED, on=False)
            vacations.begin_vacation(user, 9)
        opt_out.refuse("nina@example.net")
    # Nothing of theirs is due for the sweep.
    Game.objects.filter(deadline__isnull=False).update(deadline=START + LONG)
    Game.objects.filter(expires_at__isnull=False).update(expires_at=START + LONG)
    Game.objects.filter(pk=bots.pk).update(bot_claimed_until=START + LONG)
    Notice.objects.update(due_at=START + LONG)


def rows() -> dict[tuple[str, Any], Any]:
    """All rows of users and games."""
    models = (model for name in ("account", "accounts", "games") for model in apps.get_app_config(name).get_models())
    return {(model._meta.label, row.pk): _values(row) for model in models for row in model._default_manager.all()}


def _values(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


SHOWN: dict[type[Model], tuple[str, tuple[str, ...]]] = {
    Game: (
        "host",
        (
            "title", "status", "ending", "number", "turn_number", "version", "to_act", "deadline", "carried", "quiet",
            "clock_started_at", "paused_at", "created_at", "changed_at", "expires_at", "started_at", "ended_at",
            "bot_claimed_until", "bot_to_act", "round", "is_last_round", "reason", "rated", "epoch",
        ),
    ),
    Seat: (
        "game__host",
        (
            "index", "user__username", "bank", "score", "won", "resigned", "absent", "absent_since", "caretaker",
            "wants_pause", "wants_stop", "held_until", "muted", "seen_number", "seen_end", "ended_at", "note",
        ),
    ),
    Move: ("game__host", ("number", "seat", "actor", "notation", "made_at", "time_used", "points", "tokens")),
    Incident: ("game__host", ("kind", "seat", "after_number", "at")),
    Notice: (
        "game__host",
        ("kind", "recipient__username", "address", "created_at", "due_at", "closed_at", "outcome"),
    ),
    Delivery: ("notice__game__host", ("address", "attempts", "claimed_until", "sent_at", "result")),
    Invitation: ("invited_by", ("address", "at", "answer", "answered_at")),
    Preferences: ("user", ("off", "trouble", "trouble_at")),
    Vacation: ("user", ("begins_at", "ends_at")),
    User: ("pk", ("username", "away_until", "is_active")),
    Rating: ("user", ("user__username", "pool__title", "pool__seats", "pool__bots", "games", "played_at")),
    RatingChange: ("seat__game__host", ("seat__index", "ended_at", "weight")),
    Tally: (
        "user",
        (
            "user__username", "title", "seats", "bots", "games", "won", "shared", "played", "finished", "timed_out",
            "first_at", "last_at", "streak", "best_streak",
        ),
    ),
    HeadToHead: ("user", ("user__username", "opponent__username", "bot", "title", "games", "won", "shared", "played")),
}  # fmt: skip
"""For each model, the path to its owner, and the compared fields; row numbers are left out."""


def told() -> dict[str, dict[str, Any]]:
    """The rows of Alice, Bob and Clara."""
    mine = User.objects.filter(username__in=PEOPLE).values("pk")
    rows = {
        model: model._default_manager.filter(**{f"{owner}__in": mine}).order_by("pk").values(*shown)
        for model, (owner, shown) in SHOWN.items()
    }
    return {f"{model.__name__} {number}": row for model, of in rows.items() for number, row in enumerate(of, start=1)}


def story() -> Iterator[str]:
    """Everything that Alice, Bob and Clara can do, one step after the other; yields the name of each step."""
    with at(START):
        alice, bob, clara = map(confirmed, PEOPLE)
        table = tables.create(alice, TableSpec("splendor", 3, admission="named", addresses=["ben@example.net"]))
        yield "a table"
        invitations.invite(table, alice, [bob, clara], ["zoe@example.net", "bob@example.org"])
        yield "more guests"
        tables.join(table, bob)
        invitations.decline_seat(table, clara)
        invitations.revoke(table, alice, "ben@example.net")
        invitations.decline(Invitation.objects.get(game=table, address="zoe@example.net"))
        yield "answers"
        invitations.invite(table, alice, addresses=["ben@example.net"])
        yield "invited again"
        invitations.decline(Invitation.objects.get(game=table, address="ben@example.net"))
        tables.leave(table, bob)
        yield "left"
        tables.cancel(table, alice)
        yield "cancelled"
        table = tables.create(alice, TableSpec("duel", 2, invited=[bob]))
        for notice in Notice.objects.filter(game=table):
            deliveries.deliver(notice.pk)
        yield "mailed"
    assert table.expires_at is not None
    for instant in (table.expires_at - DAY, table.expires_at + HOUR):
        with at(instant):
            sweep.sweep()
            yield f"swept at {instant}"
    with at(START):
        game = begun([alice, bob, clara])
        yield "begun"
        each_began(game)
        first, second, third = (seat.user for seat in game.seat_set.order_by("index") if seat.user)
        yield "a round"
        pauses.ask(game, first)
        pauses.resume(game, second)
        yield "a wish taken back"
        for user in (first, second, third):
            pauses.ask(game, user)
        yield "paused"
        pauses.more_time(game, third)
        yield "more time in a pause"
    with at(START + DAY):
        pauses.resume(game, second)
        yield "resumed"
        pauses.more_time(game, second)
        own_seat.keep_note(game, third, "buy")
        preferences.mute(Seat.objects.get(game=game, user=third), on=True)
        yield "more time"
        vacations.begin_vacation(first, 3)
        yield "on vacation"
    with at(START + 2 * DAY):
        vacations.end_vacation(first)
        yield "back"
        play.submit(game, play.Actor(first), game.number, [legal(game)])
        yield "a decision"
    absent = acting(game).user
    assert absent is not None
    with at(deadline(game) - HOUR):
        yield from swept()
    with at(deadline(game)):
        yield from swept()
        thinking.think(game.pk)
        yield "a bot plays"
        timeouts.come_back(game, absent)
        yield "back in the seat"
        take_turn(game)
        yield "a turn"
        end = deadline(game) + HOUR
    with at(end):
        yield from swept()
    with at(end + timeouts.CARETAKER_GRACE):
        yield from swept()
        game.refresh_from_db()
        play.resign(game, absent)
        yield "resigned"
        game.refresh_from_db()
        assert not game.is_active
        own_seat.see_end(game, first)
        yield "seen"
        again = rematch.offer(game, first)
        tables.join(again, second)
        rematch.offer(game, third)
        yield "again"
        end = deadline(again) + HOUR
    with at(end):
        yield from swept()
        assert Game.objects.get(pk=again.pk).ending == Game.Ending.ABANDONED
        bounces.failed(alice, "550 no such mailbox")
        preferences.switch(alice, Notice.Kind.TURN, on=False)
        yield "trouble"
        bounces.arrived("alice@example.org", now() - HOUR)
        bounces.came_back("Alice@example.org", "")
        yield "came back"
        bounces.arrived("alice@Example.org", now())
        yield "arrived"
        bounces.came_back("bob@example.org", "551 gone")
        bounces.worked(bob)
        yield "came back although it was taken"
        bounces.settled(alice)
        opt_out.refuse("ben@example.net")
        opt_out.refuse("ben@example.net", on=False)
        yield "settled"
        accounts.forget()
        yield "forgotten"
        for pace, at_zero in (("fast", "wait"), ("relaxed", "forfeit")):
            game = begun([alice, bob], "duel", pace=pace, at_zero=at_zero)
            each_began(game)
            yield f"{pace}, {at_zero}"
            with at(deadline(game)):
                yield from swept()
                if at_zero == "wait":
                    pauses.more_time(game, bob if acting(game).user == alice else alice)
                    yield "more time"
        game = begun([alice], bots=2)
        yield "bots"
        for _decision in range(3):
            thinking.think(game.pk)
        yield "bots decide"


def swept() -> Iterator[str]:
    """Send due mails and run the sweep."""
    for notice in Notice.objects.due(now()):
        deliveries.deliver(notice.pk)
        yield f"mailed {notice.kind}"
    sweep.sweep()
    yield "swept"


def deadline(game: Game) -> datetime:
    game.refresh_from_db()
    assert game.deadline is not None
    return game.deadline


def legal(game: Game) -> str:
    game.refresh_from_db()
    return str(play.offer(game, acting(game), variants=False)[1][0])


@pytest.fixture
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make deals and the decisions of bots the same every time."""
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    monkeypatch.setattr(thinking, "Random", lambda: Random(1))


def spell(value: Any) -> str:
    return f"{value:%d %b %H:%M}" if isinstance(value, datetime) else repr(value) if value == "" else str(value)


def test_the_story_is_unchanged(
    no_chance: None,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[Any]],
    tmp_path: Path,
) -> None:
    """A file beside this one lists the changes of each row at each step, and the requests to workers. If they change,
    say why in the commit."""
    lines, before, asked = list[str](), dict[str, dict[str, Any]](), list[str]()
    monkeypatch.setattr(current_app, "send_task", lambda name, *_arguments, **_options: asked.append(name))
    steps = story()
    while True:
        with django_capture_on_commit_callbacks(execute=True):
            step = next(steps, None)
        if step is None:
            break
        after = told()
        lines.append(f"{step}:")
        lines += [f"  asked of workers: {name} {number}" for name, number in sorted(Counter(asked).items())]
        asked.clear()
        for key, row in after.items():
            was = before.get(key, {})
            changed = [f"{name}={spell(value)}" for name, value in row.items() if was.get(name, None) != value]
            lines += [f"  {key}: {', '.join(changed)}"] * bool(changed)
        lines += [f"  {key}: gone" for key in before if key not in after]
        before = after
    found = tmp_path / STORY.name
    found.write_text("\n".join(lines) + "\n")
    assert found.read_text() == STORY.read_text(), f"the new story is in {found}"


def archived(name: str) -> dict[str, str]:
    """The files of the archive of that person, without the keys of games."""
    user = User.objects.get(username=name)
    with at(START + LONG):
        archives.ask(user)
        archives.make_archive(user.pk)
    with ZipFile(BytesIO(Archive.objects.get(user=user).content or b"")) as archive:
        files = {file: archive.read(file).decode() for file in archive.namelist()}
    keys = Game.objects.filter(host__username__in=PEOPLE).order_by("pk").values_list("key", flat=True)
    for number, key in enumerate(keys):
        files = {file.replace(key, f"<{number}>"): text.replace(key, f"<{number}>") for file, text in files.items()}
    return files


def test_other_tables_neither_change_nor_matter(no_chance: None) -> None:
    with transaction.atomic():
        alone = [(step, told()) for step in story()]
        kept = list(map(archived, UNWRITTEN))
        transaction.set_rollback(True)
    others()
    before = rows()
    for (step, expected), name in zip(alone, story(), strict=True):
        assert (name, told()) == (step, expected), name
        after = rows()
        assert {key: after.get(key) for key in before} == before, name
    assert list(map(archived, UNWRITTEN)) == kept
    theirs = {pk for label, pk in before if label == Game._meta.label}
    assert before.keys() >= {key for key, row in rows().items() if row.get("game_id") in theirs}
