"""The acts of staff. Each is recorded with who did it, when, to whom and why, and noted in the security log."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context as present
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts import security_log, services, staff
from accounts.models import Offence, User
from games.models import Act, Game, Notice, Report, Seat
from games.services.clocks.moment import now
from games.services.outbox import account_mails, notices, previews
from games.services.ratings import counting
from games.services.statistics import counting as statistics
from games.services.tables import tables
from games.services.versions import writing

Kind = Act.Kind
MAX_DAYS = 3650
"""The maximum length of a suspension."""


class NotForStaff(Exception):
    """Members of staff moderate neither themselves nor each other, nor guests, closed accounts, tables where they sit,
    or reports about themselves."""


def is_open_to(member: User, user: User) -> bool:
    """Whether that member of staff may moderate the user."""
    return user.is_active and not (user.is_staff or user.is_guest or user == member)


def sits_at(member: User, game: Game) -> bool:
    """Whether that member of staff has a seat at the table, and so no other view of it than a player's."""
    return Seat.objects.filter(game=game, user=member).exists()


def rename_person(member: User, user: User, name: str, reason: str) -> None:
    """Give the user another name, and tell them. Raises `ValidationError` if the site's rules for names refuse it, and
    `NotForStaff`."""
    _must_be_open(member, user)
    before, name = user.username, get_adapter().clean_username(name, besides=user.pk)
    if name == before:
        raise ValidationError(_("That is already the name."))
    try:
        with transaction.atomic():
            services.rename(user, name)
            previews.redraw(Game.objects.of(user))
            act = _record(member, Kind.RENAMED, reason, user=user, before=before, after=name)
            _tell(user, act, before=before)
    except IntegrityError:
        raise ValidationError(_("This name, or one that looks like it, is taken.")) from None


def rename_table(member: User, game: Game, name: str, reason: str) -> None:
    """Give the table another name, as `names.cleaned` returns it, or none. Raises `NotForStaff`."""

    def call() -> None:
        if sits_at(member, game):
            raise NotForStaff
        with transaction.atomic():
            before = game.name
            writing.change(game, name=name)
            _record(member, Kind.TABLE_RENAMED, reason, user=game.host, game=game, before=before, after=name)

    writing.attempt(game, call)


def void(member: User, game: Game, reason: str) -> None:
    """Let a finished game count for nobody; a worker follows with ratings and statistics. Raises `NotForStaff`."""

    def call() -> None:
        if sits_at(member, game) or game.status != Game.Status.FINISHED:
            raise NotForStaff
        if game.rated:
            with transaction.atomic():
                writing.change(game, rated=False)
                counting.void(game)
                statistics.void(game)
                _record(member, Kind.VOIDED, reason, user=game.host, game=game)

    writing.attempt(game, call)


def suspend(member: User, user: User, days: int, offence: Offence, note: str) -> None:
    """Suspend the user for that many days, and tell them: they can neither log in nor act. Their running games go on,
    and their seats at tables that have not started become free. Raises `NotForStaff`."""
    _must_be_open(member, user)
    for _attempt in range(writing.MAX_ATTEMPTS):
        # Other transactions lock a game before a person. This one begins with the person, so that they cannot sit down
        # meanwhile, and gives way.
        with suppress(writing.Moved), writing.moved_by_deadlock(), transaction.atomic():
            _suspend(member, user, now() + timedelta(days=days), offence, note)
            return
    raise writing.Stale


def _suspend(member: User, user: User, until: datetime, offence: Offence, note: str) -> None:
    services.suspend(user, until, offence, note)
    _tell(user, _record(member, Kind.SUSPENDED, note, user=user, offence=offence, until=until.isoformat()))
    for game in Game.objects.of(user).filter(status=Game.Status.OPEN):
        # The table may have started since.
        with suppress(tables.TableRefusal):
            (tables.cancel if game.host_id == user.pk else tables.leave)(game, user)


def lift(member: User, user: User, reason: str) -> None:
    """End the user's suspension. Raises `NotForStaff`."""
    _must_be_open(member, user)
    if user.is_suspended:
        with transaction.atomic():
            services.lift(user)
            _record(member, Kind.LIFTED, reason, user=user)


def close_report(member: User, report: Report, reason: str) -> None:
    """Close the report, once. Raises `NotForStaff`."""
    if report.author_id == member.pk or (report.game and sits_at(member, report.game)):
        raise NotForStaff
    with transaction.atomic():
        # Simultaneous requests come one after the other.
        Report.objects.select_for_update().get(pk=report.pk)
        if not Act.objects.filter(report=report).exists():
            _record(member, Kind.REPORT_CLOSED, reason, user=report.author, report=report)


def appoint(user: User) -> list[str]:
    """Make the user a member of staff, as the operator; return their recovery codes."""
    with transaction.atomic():
        codes = staff.appoint(user)
        _record(None, Kind.APPOINTED, user=user)
    return codes


def dismiss(user: User) -> None:
    """Make the user an ordinary one again, as the operator."""
    with transaction.atomic():
        staff.dismiss(user)
        _record(None, Kind.DISMISSED, user=user)


def _must_be_open(member: User, user: User) -> None:
    if not is_open_to(member, user):
        raise NotForStaff


def _record(
    member: User | None,
    kind: Act.Kind,
    reason: str = "",
    *,
    user: User | None = None,
    game: Game | None = None,
    report: Report | None = None,
    **facts: Any,
) -> Act:
    """Record the act in the caller's transaction; note it in the security log after the commit."""
    act = Act.objects.create(
        staff=member, kind=kind, user=user, game=game, report=report, reason=reason, facts=facts, at=now()
    )
    about = {"person": user.pk if user else None, "table": game.pk if game else None}
    request = present.request
    transaction.on_commit(lambda: security_log.note(f"staff: {kind.value}", request, member, **about))
    return act


def _tell(user: User, act: Act, **facts: Any) -> None:
    """Owe the person a mail about the act, in the caller's transaction."""
    mail: dict[str, Any] = account_mails.write(f"account/email/{act.kind}", user, **facts)
    notices.owe(Notice.Kind.ACCOUNT, user, key=f"act:{act.pk}", **mail)
