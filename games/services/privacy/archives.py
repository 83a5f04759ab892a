"""Archives: a copy of a person's data, made by a worker, for the person alone and for a few days."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from celery import current_app
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from kombu.exceptions import OperationalError

from accounts.models import User
from games.models import (
    Archive,
    Block,
    Game,
    HeadToHead,
    Invitation,
    Notice,
    PersonNote,
    Preferences,
    Rating,
    Report,
    Tally,
    Vacation,
)
from games.services.clocks.moment import now
from games.services.outbox import account_mails, notices, site
from games.services.play import written

log = logging.getLogger(__name__)

LIFETIME = timedelta(days=3)
"""How long an archive can be downloaded."""
PAUSE = timedelta(days=1)
"""How long a person waits before they can ask for a new archive."""
LEASE = timedelta(minutes=10)
"""How long a worker has for an archive; another one may try after that."""
OWN = ("username", "email", "date_joined", "last_login", "time_zone", "language", "theme", "movement", "hints", "sound",
       "in_leaderboards", "open_profile", "shows_statistics", "shows_pace",
       "quiet_from", "quiet_until", "days_off", "automatic_vacation")  # fmt: skip
"""The columns of an account in its archive."""


def ask(user: User) -> None:
    """Owe the user an archive, unless one is being made or was made lately."""
    lately = Archive.objects.filter(Q(made_at=None) | Q(made_at__gt=now() - PAUSE), user=user)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if not lately.exists():
            Archive.objects.filter(user=user).delete()
            Archive.objects.create(user=user)
            transaction.on_commit(lambda: _make_soon(user.pk))


def of(user: User) -> Archive | None:
    """The user's archive, without its content, unless it has expired."""
    fresh = Q(made_at=None) | Q(made_at__gt=now() - LIFETIME)
    return Archive.objects.filter(fresh, user=user).defer("content").first()


def make_owed() -> None:
    """Ask workers for the archives that are owed and that no worker is making."""
    for pk in Archive.objects.filter(_free(), made_at=None).values_list("pk", flat=True):
        _make_soon(pk)


def make_archive(user_id: int) -> None:
    """Make the archive of that user, if it is owed, and tell the user."""
    claimed = Archive.objects.filter(_free(), pk=user_id, made_at=None).update(claimed_until=now() + LEASE)
    user = User.objects.filter(pk=user_id).first() if claimed else None
    if user is None:
        return
    content = _zipped(user)
    with transaction.atomic():
        if Archive.objects.filter(pk=user_id, made_at=None).update(content=content, made_at=now()):
            url, days = site.url(reverse("archive")), LIFETIME.days
            facts: dict[str, Any] = account_mails.write("account/email/archive_ready", user, url=url, days=days)
            notices.owe(Notice.Kind.ACCOUNT, user, key=f"archive:{now():%Y-%m-%dT%H:%M:%S}", **facts)


def forget() -> None:
    """Delete expired archives."""
    Archive.objects.filter(made_at__lte=now() - LIFETIME).delete()


def _free() -> Q:
    return Q(claimed_until=None) | Q(claimed_until__lte=now())


def _make_soon(pk: int) -> None:
    try:
        current_app.send_task("games.tasks.make_archive", [pk])
    except OperationalError:
        log.warning("No broker: archive %s waits for the sweep.", pk)


def _zipped(user: User) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, text in _files(user):
            archive.writestr(name, text)
    return file.getvalue()


def _files(user: User) -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    yield "account.json", written.spelled(_account(user))
    for game in Game.objects.of(user).with_seats().order_by("pk").iterator(chunk_size=100):
        mine = next(seat for seat in game.seat_set.all() if seat.user_id == user.pk)
        data = written.as_json(game, mine.index)
        yield f"games/{game.key}.json", written.spelled({**data, "note": mine.note})
        if game.started_at:
            yield f"games/{game.key}.txt", written.as_text(game, data)


def _account(user: User) -> dict[str, Any]:
    """The data about the user besides games. Of other people it has only what the user wrote or already sees."""
    return {
        "account": {column: getattr(user, column) for column in OWN},
        "passkeys": [
            {"name": key.wrap().name, "created_at": key.created_at, "last_used_at": key.last_used_at}
            for key in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "sessions": _rows(UserSession.objects.filter(user=user), "created_at", "last_seen_at", "ip", "user_agent"),
        "mail_preferences": _rows(
            Preferences.objects.filter(user=user),
            "off",
            "delay",
            "digest_hour",
            "reminders",
            "always",
            "links",
            "trouble",
        ),
        "vacations": _rows(Vacation.objects.filter(user=user), "begins_at", "ends_at"),
        "emails": _rows(
            Notice.objects.filter(recipient=user), "kind", "game__key", "created_at", "closed_at", "outcome"
        ),
        "invitations_sent": _rows(
            Invitation.objects.filter(invited_by=user), "game__key", "address", "at", "answer", "answered_at"
        ),
        "invitations_received": _rows(
            Invitation.objects.filter(address=user.email.lower()), "game__key", "at", "answer", "answered_at"
        ),
        "tables_hosted": _rows(Game.objects.filter(host=user), "key", "title", "name", "status", "created_at"),
        "ratings": _rows(
            Rating.objects.filter(user=user),
            *("pool__title", "pool__seats", "pool__bots", "points", "uncertainty", "games", "played_at"),
        ),
        "statistics": _rows(
            Tally.objects.filter(user=user),
            *("title", "seats", "bots", "games", "won", "shared", "played", "finished", "timed_out"),
            *("first_at", "last_at", "figures", "rounds"),
            *("colours", "places", "times", "streak", "best_streak", "most_points", "fewest_rounds"),
        ),
        "head_to_head": _rows(
            HeadToHead.objects.filter(user=user),
            *("opponent__username", "bot", "title", "seats", "bots", "games", "won", "shared", "played", "points"),
            *("points_of_opponent", "last_at"),
        ),
        "blocked": _rows(Block.objects.filter(by=user), "blocked__username", "at"),
        "notes_about_people": _rows(PersonNote.objects.filter(by=user), "about__username", "text"),
        "reports": _rows(Report.objects.filter(reporter=user), "kind", "text", "sentence", "at"),
    }


def _rows(rows: Any, *columns: str) -> list[dict[str, Any]]:
    return list(rows.order_by("pk").values(*columns))
