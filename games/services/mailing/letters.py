"""Turns notices into mails: gathers what the reader may know, through the same functions as pages, and lets
`games.mails` write it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from email.utils import formataddr
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from games import mails, wording
from games.mails import facts, post
from games.mails.parts import Letter, MailLink
from games.models import Block, Game, Invitation, Notice, Seat, Vacation
from games.services import play
from games.services.absence import timeouts, vacations
from games.services.clocks import running
from games.services.clocks.moment import now
from games.services.mailing import turns
from games.services.outbox import notices, opt_out, preferences, site
from games.services.play import endings
from games.services.ratings import counting
from games.services.tables import invitations, tables
from games.wording import phrases, ratings

Kind = Notice.Kind


def write(notice: Notice) -> EmailMultiAlternatives | None:
    """The mail for the notice with the current facts, in the recipient's language and time zone; `None` if the notice
    is no longer true. All mails for one notice have the same Message-ID, so mail programs recognise a duplicate."""
    return compose(notice)[0]


def compose(notice: Notice) -> tuple[EmailMultiAlternatives | None, list[Notice]]:
    """The mail of `write`, and the notices that a digest leaves out because they are no longer true."""
    if notice.kind == Kind.ACCOUNT:
        return _about_account(notice), []
    user, game = notice.recipient, _game(notice)
    untrue: list[Notice] = []
    language, zone = _language(user, game), user.zone if user else timezone.get_default_timezone()
    with translation.override(language), timezone.override(zone):
        is_digest = notice.kind == Kind.DIGEST
        letter = _digest(notice, untrue) if is_digest else WRITERS[Kind(notice.kind)](notice, game)
        if letter is None:
            return None, untrue
        seat = _seat(game, user)
        return post.message(letter, notice.to, list(_ways_out(notice, seat)), _headers(notice, game)), untrue


def _about_account(notice: Notice) -> EmailMultiAlternatives:
    """The mail as it was worded when it was requested, without links to opt out."""
    subject, text, html = (notice.facts[part] for part in ("subject", "text", "html"))
    message = EmailMultiAlternatives(subject, text, to=[notice.to], headers=_identity(notice))
    message.attach_alternative(html, "text/html")
    return message


def _game(notice: Notice) -> Game | None:
    return Game.objects.with_seats().get(pk=notice.game_id) if notice.game_id else None


def _seat(game: Game | None, user: User | None) -> Seat | None:
    return game.seat_of(user) if game and user else None


def _language(user: User | None, game: Game | None) -> str:
    """The reader's language; for an address without an account, the host's."""
    speaker = user or (game.host if game else None)
    return speaker.reads if speaker else settings.LANGUAGE_CODE


# --- headers and footers ---


def _ways_out(notice: Notice, seat: Seat | None) -> Iterator[MailLink]:
    """The links to opt out of mails."""
    if notice.recipient is None:
        yield MailLink(_("Never email me again"), opt_out.never_again_url(notice.address))
        return
    if seat and notice.game and notice.game.is_active:
        yield MailLink(_("Mute this game"), opt_out.mute_url(seat))
    yield MailLink(_("Email settings"), site.url(reverse("mail_wishes")))
    yield MailLink(_("Unsubscribe"), _unsubscribe(notice))


def _unsubscribe(notice: Notice) -> str:
    if notice.recipient is None:
        return opt_out.never_again_url(notice.address)
    kind = notice.kind if notice.kind in preferences.SWITCHABLE_KINDS else preferences.ALL
    return opt_out.unsubscribe_url(notice.recipient, kind)


def _headers(notice: Notice, game: Game | None) -> dict[str, str]:
    """The headers for unsubscribing with one click (RFC 8058), and for the thread: all mails to one reader about one
    game reply to the same message, which does not exist."""
    host = _host_name()
    headers = {
        **_identity(notice),
        "List-Id": formataddr((settings.SITE_NAME, f"games.{host}")),
        "List-Unsubscribe": f"<{_unsubscribe(notice)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if game:
        reader = str(notice.recipient_id or sha256(notice.address.encode()).hexdigest()[:12])
        root = f"<game-{game.key}.{reader}@{host}>"
        headers |= {"In-Reply-To": root, "References": root}
    return headers


def _identity(notice: Notice) -> dict[str, str]:
    """The headers that identify the mail and suppress automatic replies."""
    number = f"notice-{notice.pk}.{int(notice.created_at.timestamp())}"
    return {"Message-ID": f"<{number}@{_host_name()}>", "Auto-Submitted": "auto-generated"}


def _host_name() -> str:
    return urlsplit(site.url("/")).hostname or "localhost"


def _table(game: Game, user: User | None, url: str = "") -> facts.Table:
    seats = list(game.seat_set.all())
    reader = next((place for place, seat in enumerate(seats) if user and seat.user_id == user.pk), None)
    url = url or site.url(reverse("table", args=[game.key]))
    return facts.Table(game, [str(seat) for seat in seats], reader, url, now(), has_account=user is not None)


# --- the reader's turn ---


def _turn(write: Callable[[facts.Turn], Letter], asked: Callable[[Game], int]) -> "Writer":
    """A writer of mails about a decision. A mail is true while `asked` returns the number in its notice's key."""

    def writer(notice: Notice, game: Game | None) -> Letter | None:
        user, seat = notice.recipient, _seat(game, notice.recipient)
        if game is None or user is None or seat is None or not game.is_active:
            return None
        if seat.acting_bot or game.to_act != seat.index or asked(game) != int(notice.key.split(":")[2]):
            return None
        if notice.kind == Kind.REMINDER and game.deadline is None:
            return None
        look = play.look(game, user)
        if look.before.number != game.number:
            return None  # the decision was made after the game was read
        return write(turns.decision(_table(game, user), user, seat, look))

    return writer


# --- other notices about a game ---


def _absence(notice: Notice, game: Game | None) -> Letter | None:
    if game is None or notice.recipient is None:
        return None
    place, again = int(notice.facts["seat"]), str(notice.facts.get("again") or "")
    seat = game.seat_set.all()[place]
    back_by: datetime | None = None
    if game.is_active and game.at_zero == Game.AtZero.CARETAKER:
        if seat.absent_since is None:
            return None  # the player is already back
        if not seat.absent:
            back_by = seat.absent_since + timeouts.CARETAKER_GRACE
    told = facts.Absence(_table(game, notice.recipient), place, back_by, "")
    new = Game.objects.with_seats().filter(key=again).first() if again else None
    if new:
        has_seat = any(seat.user_id == notice.recipient_id for seat in new.seat_set.all())
        invited = {person.pk for person in new.invited.all()}
        url = site.url(reverse("table", args=[again])) if has_seat or notice.recipient_id in invited else ""
        is_invited = seat.user_id in invited
        told = replace(told, again=url, has_seat=has_seat, is_invited=is_invited)
    return mails.absence(told)


def _started(notice: Notice, game: Game | None) -> Letter | None:
    if game is None or not game.is_active:
        return None
    table = _table(game, notice.recipient)
    return None if game.to_act == table.reader else mails.started(table)


def _finished(notice: Notice, game: Game | None) -> Letter | None:
    user = notice.recipient
    if game is None or user is None or game.status != Game.Status.FINISHED:
        return None
    seats = list(game.seat_set.all())
    names = [str(seat) for seat in seats]
    ending = endings.of(game, seats, names, play.look(game, user))
    columns = [column for column, _count in ending.rows[0].counts]
    rows = [
        [
            f"{row.rank}. {phrases.detailed(row.name, filter(None, [row.remark]))}",
            *(figure for _column, figure in row.counts),
        ]
        for row in ending.rows
    ]
    heads = ["", *(str(column.heading) for column in columns)]
    table = _table(game, user)
    told = (ending.headline, " ".join(filter(None, [ending.told, ending.how])), ending.facts)
    mine = next((row.rating for row in ending.rows if row.seat.user_id == user.pk), None)
    rating = ratings.rating_change(mine) if mine else ""
    return mails.finished(facts.ResultFacts(table, *told, heads, rows, rating, wording.aim(game.title)))


def _closed(notice: Notice, game: Game | None) -> Letter | None:
    others = site.url(reverse("mine" if notice.recipient else "home"))
    if game and notice.key.startswith(tables.TAKEN_OUT):
        return None if _seat(game, notice.recipient) else mails.taken_out(_table(game, notice.recipient, others))
    if game is None or game.status != Game.Status.CANCELLED:
        return None
    reader = notice.recipient
    if reader and _seat(game, reader) is None and Block.objects.filter(by=reader, blocked=game.host_id).exists():
        return None
    return mails.closed(_table(game, reader, others))


def _vacation(notice: Notice, game: Game | None) -> Letter | None:
    user = notice.recipient
    away = Vacation.objects.filter(pk=notice.facts["vacation"], ends_at__gt=now()).first()
    if game is None or user is None or away is None:
        return None
    left = vacations.time_left(user, now())
    return mails.vacation(_table(game, user), away.ends_at, left, site.url(reverse("vacation")))


def _digest(notice: Notice, untrue: list[Notice]) -> Letter | None:
    """The letters of the notices that it tells, those about turns first. Adds to `untrue` those without a letter."""
    told = notice.told_set.filter(closed_at=None).order_by("created_at", "pk")
    letters = [(each, WRITERS[Kind(each.kind)](each, _game(each))) for each in told]
    turns = [letter for each, letter in letters if letter and each.kind in notices.OF_TURN]
    others = [letter for each, letter in letters if letter and each.kind not in notices.OF_TURN]
    untrue += [each for each, letter in letters if letter is None]
    return mails.digest(settings.SITE_NAME, turns, others, site.url(reverse("mine"))) if turns or others else None


def _restored(notice: Notice, _game: Game | None) -> Letter:
    back_to = datetime.fromisoformat(notice.facts["back_to"])
    return mails.restored(settings.SITE_NAME, back_to, now(), site.url(reverse("mine")))


def _test(notice: Notice, _game: Game | None) -> Letter:
    return mails.test(settings.SITE_NAME, site.url(reverse("deliveries")))


# --- invitations ---


def _invitation(notice: Notice) -> Invitation | None:
    """The invitation by address that the notice is about, if any."""
    found = Invitation.objects.select_related("invited_by").filter(pk=notice.facts.get("invitation"))
    return found.first()


def _invited(write: Callable[[facts.InvitationFacts], Letter]) -> "Writer":
    def writer(notice: Notice, game: Game | None) -> Letter | None:
        if game is None or game.status != Game.Status.OPEN:
            return None
        user, invitation = notice.recipient, _invitation(notice)
        by: User | None
        if invitation:
            by, accept = invitation.invited_by, invitations.accept_url(invitation)
            asked = invitation.answer == Invitation.Answer.NONE
        else:
            by, accept = _host(notice, game), site.url(reverse("table", args=[game.key]))
            asked = user is not None and game.invited.filter(pk=user.pk).exists()
        if not asked or by is None or _seat(game, user) or _is_blocked(by, user):
            return None
        table, name = _table(game, user), by.called
        if user is None:
            table, name = replace(table, names=[_unlinked(each) for each in table.names]), _unlinked(name)
        return write(
            facts.InvitationFacts(
                table=table,
                by=name,
                accept=accept,
                agreed=running.agreed(game),
                rated=counting.is_rated(game, game.seat_set.all()),
                free=game.seats - len(game.seat_set.all()),
                again=bool(notice.facts.get("again")),
                stranger=user is None,
            )
        )

    return writer


def _is_blocked(by: User, reader: User | None) -> bool:
    """Whether one of them has blocked the other since the invitation."""
    return reader is not None and Block.objects.among(by, reader).exists()


def _unlinked(name: str) -> str:
    """The name, changed so that mail programs do not turn one like `visit.example` into a link."""
    return name.replace(".", ".\N{WORD JOINER}")


def _host(notice: Notice, game: Game) -> User | None:
    """The user who invited the reader: the one named in the notice, otherwise the host."""
    return User.objects.filter(pk=notice.facts.get("by", game.host_id)).first()


Writer = Callable[[Notice, Game | None], Letter | None]
WRITERS: Mapping[Notice.Kind, Writer] = {
    Kind.TURN: _turn(mails.turn, lambda game: game.number),
    Kind.UNFINISHED: _turn(mails.unfinished, lambda game: game.number),
    Kind.REMINDER: _turn(mails.reminder, lambda game: game.turn_number),
    Kind.VACATION: _vacation,
    Kind.ABSENCE: _absence,
    Kind.STARTED: _started,
    Kind.INVITED: _invited(mails.invited),
    Kind.FINISHED: _finished,
    Kind.REMATCH: _invited(mails.rematch),
    Kind.CLOSED: _closed,
    Kind.RESTORED: _restored,
    Kind.TEST: _test,
}
