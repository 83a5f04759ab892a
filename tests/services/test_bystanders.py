"""What people do at their tables and beside them changes no rows of other people, and does not depend on these."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from functools import reduce
from io import BytesIO
from operator import or_
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from celery import current_app
from django.apps import apps
from django.db import transaction
from django.db.models import Model, Q

from accounts.models import User
from games.models import (
    Act,
    Archive,
    Block,
    CountedUser,
    Delivery,
    Game,
    HeadToHead,
    Incident,
    Invitation,
    Move,
    Notice,
    PersonNote,
    Preferences,
    Preview,
    Rating,
    RatingChange,
    Report,
    Seat,
    Tally,
    Vacation,
)
from games.services.privacy import archives
from games.services.work import thinking
from tests.factories import START, at
from tests.services.stories.games import games
from tests.services.stories.life import life
from tests.services.stories.others import others
from tests.services.stories.people import LONG, OTHERS, UNWRITTEN

pytestmark = pytest.mark.django_db
Story = Callable[[], Iterator[str]]
STORIES = pytest.mark.parametrize("story", [games, life], ids=lambda story: story.__name__)


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
        "game__host recipient",
        ("kind", "recipient__username", "address", "created_at", "due_at", "closed_at", "outcome", "digest__due_at"),
    ),
    Delivery: ("notice__game__host notice__recipient", ("address", "attempts", "claimed_until", "sent_at", "result")),
    Invitation: ("invited_by", ("address", "at", "answer", "answered_at")),
    Preferences: ("user", ("off", "trouble", "trouble_at")),
    Vacation: ("user", ("begins_at", "ends_at")),
    User: (
        "pk",
        (
            "username", "email", "is_active", "is_guest", "is_staff", "away_until", "days_off", "automatic_vacation",
            "hints", "seen_language", "suspended_until", "suspended_for", "suspension_note",
        ),
    ),
    EmailAddress: ("user", ("user__username", "email", "verified", "primary")),
    Block: ("by", ("by__username", "blocked__username", "at")),
    PersonNote: ("by", ("by__username", "about__username", "text")),
    Report: ("reporter", ("reporter__username", "author__username", "kind", "text", "sentence", "at")),
    Act: ("staff user", ("staff__username", "user__username", "game__host__username", "kind", "reason", "at")),
    Archive: ("user", ("user__username", "made_at", "claimed_until")),
    CountedUser: ("user", ("user__username", "stale")),
    Preview: ("game__host", ("game__title",)),
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
"""For each model, the paths to its owners, and the compared fields; row numbers are left out."""


class Diary:
    """What a story leaves in the database. Rows are numbered in the order in which they appear."""

    def __init__(self) -> None:
        self.numbers: dict[type[Model], dict[Any, int]] = defaultdict(dict)

    def told(self) -> dict[str, dict[str, Any]]:
        """The rows of everybody but the others."""
        theirs = User.objects.filter(username__in=OTHERS).values("pk")
        found = {}
        for model, (owners, shown) in SHOWN.items():
            of_others = reduce(or_, (Q(**{f"{owner}__in": theirs}) for owner in owners.split()))
            for pk, *values in model._default_manager.exclude(of_others).order_by("pk").values_list("pk", *shown):
                number = self.numbers[model].setdefault(pk, len(self.numbers[model]) + 1)
                found[f"{model.__name__} {number}"] = dict(zip(shown, values, strict=True))
        return found


@pytest.fixture
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make deals and the decisions of bots the same every time."""
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    # Guests get the first free number; keys of tables are made of letters.
    choice = secrets.choice
    monkeypatch.setattr(secrets, "choice", lambda among: among[0] if isinstance(among, range) else choice(among))
    monkeypatch.setattr(thinking, "Random", lambda: Random(1))


def spell(value: Any) -> str:
    return f"{value:%d %b %H:%M}" if isinstance(value, datetime) else repr(value) if value == "" else str(value)


@STORIES
def test_the_story_is_unchanged(
    story: Story,
    no_chance: None,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[Any]],
    tmp_path: Path,
) -> None:
    """A file beside this one lists the changes of each row at each step, and the requests to workers. If they change,
    say why in the commit."""
    diary, lines, before, asked = Diary(), list[str](), dict[str, dict[str, Any]](), list[str]()
    monkeypatch.setattr(current_app, "send_task", lambda name, *_arguments, **_options: asked.append(name))
    steps = story()
    while True:
        with django_capture_on_commit_callbacks(execute=True):
            step = next(steps, None)
        if step is None:
            break
        after = diary.told()
        lines.append(f"{step}:")
        lines += [f"  asked of workers: {name} {number}" for name, number in sorted(Counter(asked).items())]
        asked.clear()
        for key, row in after.items():
            was = before.get(key, {})
            changed = [f"{name}={spell(value)}" for name, value in row.items() if was.get(name, None) != value]
            lines += [f"  {key}: {', '.join(changed)}"] * bool(changed)
        lines += [f"  {key}: gone" for key in before if key not in after]
        before = after
    kept = Path(__file__).with_name("stories") / f"{story.__name__}.txt"
    found = tmp_path / kept.name
    found.write_text("\n".join(lines) + "\n")
    assert found.read_text() == kept.read_text(), f"the new story is in {found}"


def archived(user: User) -> dict[str, str]:
    """The files of the archive of that person, without the keys of games."""
    with at(START + LONG):
        archives.ask(user)
        archives.make_archive(user.pk)
    with ZipFile(BytesIO(Archive.objects.get(user=user).content or b"")) as archive:
        files = {file: archive.read(file).decode() for file in archive.namelist()}
    keys = Game.objects.exclude(host__username__in=OTHERS).order_by("pk").values_list("key", flat=True)
    for number, key in enumerate(keys):
        files = {file.replace(key, f"<{number}>"): text.replace(key, f"<{number}>") for file, text in files.items()}
    return files


@STORIES
def test_other_tables_neither_change_nor_matter(story: Story, no_chance: None) -> None:
    with transaction.atomic():
        diary = Diary()
        alone = [(step, diary.told()) for step in story()]
        kept = [archived(user) for user in User.objects.filter(username__in=UNWRITTEN)]
        transaction.set_rollback(True)
    others()
    before, diary = rows(), Diary()
    for (step, expected), name in zip(alone, story(), strict=True):
        found = diary.told()
        differ = {key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key)}
        assert (name, differ) == (step, set()), [(found.get(key), expected.get(key)) for key in differ]
        after = rows()
        assert {key: after.get(key) for key in before} == before, name
    for user, files in zip(User.objects.filter(username__in=UNWRITTEN), kept, strict=True):
        assert archived(user) == files, user
    theirs = {pk for label, pk in before if label == Game._meta.label}
    assert before.keys() >= {key for key, row in rows().items() if row.get("game_id") in theirs}
