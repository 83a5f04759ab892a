"""The refusals of tables, in words."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.models import Game
from games.pages.access import user_of
from games.services.tables.tables import SeatService, TableRefusal, TooMany, most_guest_bot_tables


def _too_many_bot_tables(most: int) -> str:
    return ngettext(
        "You can have one running game against bots. Finish it or resign to start another.",
        "You can have %(number)d running games against bots. Finish one or resign to start another.",
        most,
    ) % {"number": most}


TABLE_REFUSALS = {
    "not_open": _("This table is no longer open."),
    "not_invited": _("Only players invited by the host can join this table."),
    "not_host": _("Only the host can do that."),
    "cancel_instead": _("You are the host. Cancel the table instead of leaving it."),
    "leave_instead": _("You’ve already joined this table. Leave it instead."),
    "not_played": _("Only the players of this game can offer a rematch."),
    "not_over": _("This game isn’t over yet."),
    "not_confirmed": _("Confirm your own email address in the settings before you invite people by email."),
    "too_many_guests": _("This table has the maximum number of invitations."),
    "too_many_addresses": _(
        "You’ve reached the daily limit of email invitations. Try again tomorrow, or send your friends "
        "the link to the table."
    ),
    "too_many_tables": _(
        "You can join more tables after finishing your first game. Until then, leave a table to join another."
    ),
    "too_many_reports": _("You’ve reached the daily limit of reports. Please try again tomorrow."),
    "too_many_bot_tables": lazy(lambda: _too_many_bot_tables(settings.BOT_TABLES), str)(),
    "blocked": _("You’ve blocked the host of this rematch. Unblock them to join."),
    "revoked": _("This invitation was withdrawn."),
    "answered": _("This invitation has already been answered."),
    "guest": _(
        "You’re playing as a guest. Guests can play bots and join tables by their link. "
        "For everything else, create an account."
    ),
    "too_many_guest_tables": lazy(lambda: _too_many_bot_tables(most_guest_bot_tables()), str)(),
    "no_sign_up": _("This site isn’t taking new players at the moment. To join, log in."),
    "suspended": _("This account is suspended."),
    "inactive": _("The account for this address has been closed."),
}
"""Why a table refuses, by code."""

CLOCK_REFUSALS = {
    "no_clock": _("This clock can’t be paused or extended."),
    "nobody_agrees": _("There’s nobody else in the game who could agree."),
    "own_clock": _("You can’t give yourself more time."),
    "has_moved": _("That player has moved in the meantime."),
}
"""Why a pause or extra time is refused, by code."""

VACATION_REFUSALS = {
    "on_vacation": _("You’re already on vacation."),
    "planned": _("You’ve already planned a vacation. Cancel it first."),
    "past": _("A vacation can’t start in the past."),
    "too_far": _("A vacation can start up to a year from now."),
    "no_days": _("A vacation lasts at least a day."),
    "too_long": _("You don’t have that many days left this year."),
}
"""Why a vacation is not possible, by code."""


def wait(response: HttpResponse, refusal: TooMany) -> HttpResponse:
    """Add the header with the seconds to wait."""
    response["Retry-After"] = str(int(refusal.wait.total_seconds()) + 1)
    return response


def done(request: HttpRequest, game: Game, service: SeatService) -> HttpResponse:
    """Call the service for the user, and redirect to the table; a refusal appears there with its reason."""
    try:
        service(game, user_of(request))
    except TableRefusal as refusal:
        messages.error(request, str(TABLE_REFUSALS[refusal.code]))
    return redirect("table", game.key)
