"""The registry of signed links, whose holders can do something without a log-in: what each can do, for how long, and
what ends it. `tests/test_capabilities.py` finds links that are missing here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress

from accounts import services as accounts
from accounts.models import Offence, User
from games.models import Game, Invitation, Preferences, Seat
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import links
from games.services.outbox import calendar, opt_out, preferences
from games.services.tables import invitations, tables
from games.services.work import sweep
from tests.factories import acting, actor, at, take_turn

SOON = timedelta(minutes=1)


@dataclass(frozen=True)
class Capability:
    """The capability of a signed link."""

    scope: str
    """The holder's rights, in words."""
    path: Callable[[Game], str]
    """Makes such a link for that running game."""
    use: Callable[[Game], Mapping[str, str]] = lambda game: {}
    """The data of a post that uses it."""
    ends: Mapping[str, Callable[[Game], datetime]] = field(default_factory=dict)
    """The ways to end the link, by name. Each ends it and returns the instant from which it is void. A link without
    such ways never expires."""
    shows: bool = False
    """Whether it only shows something, so that it takes no post."""


def _path(url: str) -> str:
    return urlsplit(url).path


def _seat(game: Game) -> Seat:
    return Seat.objects.filter(game=game, user__isnull=False).select_related("game", "user").earliest("index")


# --- a turn played from a mail ---


def _decision(game: Game) -> dict[str, str]:
    return {"number": str(game.number), "moves": str(play.look(game, actor(game)).legal[0])}


def _aged(game: Game) -> datetime:
    # The clock must not end the turn first.
    Game.objects.filter(pk=game.pk).update(deadline=None)
    return now() + links.LINK_LIFETIME + SOON


def _turn_over(game: Game) -> datetime:
    take_turn(game)
    return now()


def _switched_off(game: Game) -> datetime:
    Preferences.objects.update_or_create(user=actor(game), defaults={"links": False})
    return now()


def _new_password(game: Game) -> datetime:
    user = actor(game)
    user.set_password("four green emeralds")
    user.save()
    return now()


def _new_address(game: Game) -> datetime:
    User.objects.filter(pk=actor(game).pk).update(email="new@example.org")
    return now()


def _suspended(game: Game) -> datetime:
    accounts.suspend(actor(game), now() + timedelta(days=7), Offence.OTHER, "")
    return now()


# --- an invitation by address ---


def _invitation(game: Game) -> Invitation:
    """An invitation by the game's host to another table."""
    host = game.host
    assert host is not None
    if not Invitation.objects.filter(invited_by=host).exists():
        EmailAddress.objects.get_or_create(user=host, email=host.email, defaults={"verified": True, "primary": True})
        tables.create(host, tables.TableSpec("duel", 2, addresses=["ann@example.net"], admission="named"))
    return Invitation.objects.select_related("game", "invited_by").get(invited_by=host)


def _revoked(game: Game) -> datetime:
    asked = _invitation(game)
    invitations.revoke(asked.game, asked.invited_by, asked.address)
    return now()


def _table_cancelled(game: Game) -> datetime:
    asked = _invitation(game)
    tables.cancel(asked.game, asked.invited_by)
    return now()


def _table_expired(game: Game) -> datetime:
    asked = _invitation(game)
    assert asked.game.expires_at is not None
    end = asked.game.expires_at + SOON
    with at(end):
        sweep.sweep()
    return end


# --- a calendar ---


def _calendar_renewed(game: Game) -> datetime:
    calendar.renew(actor(game))
    return now()


def _calendar_off(game: Game) -> datetime:
    calendar.switch_off(actor(game))
    return now()


# --- the list ---

CAPABILITIES: dict[str, Capability] = {
    "link": Capability(
        "decides for one seat in one turn",
        lambda game: _path(links.issue(game, acting(game))),
        _decision,
        {
            "age": _aged,
            "the turn is over": _turn_over,
            "its owner wants none": _switched_off,
            "its owner has a new password": _new_password,
            "its owner has a new address": _new_address,
            "its owner is suspended": _suspended,
        },
    ),
    "invitation": Capability(
        "answers for one address at one table",
        lambda game: _path(invitations.accept_url(_invitation(game))),
        lambda game: {"answer": "no"},
        {"withdrawn": _revoked, "the table is cancelled": _table_cancelled, "the table expires": _table_expired},
    ),
    "calendar": Capability(
        "shows the deadlines of one person and the names of those tables",
        lambda game: _path(calendar.renew(actor(game))),
        shows=True,
        ends={
            "renewed": _calendar_renewed,
            "switched off": _calendar_off,
            "its owner has a new password": _new_password,
            "its owner is suspended": _suspended,
        },
    ),
    "unsubscribe": Capability(
        "switches the mails of one kind to one person off and on",
        lambda game: _path(opt_out.unsubscribe_url(actor(game), preferences.ALL)),
    ),
    "mute": Capability(
        "switches the mails about one game to one seat off and on", lambda game: _path(opt_out.mute_url(_seat(game)))
    ),
    "never_again": Capability(
        "switches the mails of strangers to one address off and on",
        lambda game: _path(opt_out.never_again_url("ann@example.net")),
    ),
}
"""The capabilities by name of the address that takes the token."""
