"""The refusals of tables, in words."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from games.services.tables.tables import TooMany

TABLE_REFUSALS = {
    "not_open": _("This table is not open any more."),
    "not_invited": _("Only the players whom its host named may sit down at this table."),
    "not_host": _("Only the host can do that."),
    "cancel_instead": _("You are the host. Cancel the table instead of leaving it."),
    "leave_instead": _("You sit at this table: leave it instead."),
    "not_played": _("A rematch is for those who played."),
    "not_over": _("This game is not over yet."),
    "not_confirmed": _("Confirm your own address in the settings before you invite people by mail."),
    "too_many_guests": _("As many people as may be are invited to this table already."),
    "too_many_addresses": _(
        "These are more addresses than you may invite in a day. Wait a little, or send them the link of the table."
    ),
    "too_many_tables": _(
        "You sit at as many tables as somebody may who has not finished a game yet. Finish one, or leave one, first."
    ),
    "revoked": _("This invitation was taken back."),
    "answered": _("This invitation was answered already."),
    "inactive": _("The account of this address was closed."),
}
"""Why a table refuses, by code."""

CLOCK_REFUSALS = {
    "no_clock": _("No clock runs there that could stand or be set."),
    "own_clock": _("Nobody gives time to themselves."),
}
"""Why a pause or extra time is refused, by code."""

VACATION_REFUSALS = {
    "on_vacation": _("You are on vacation already."),
    "no_days": _("A vacation takes a day at least."),
    "too_long": _("So many days are not left of the year’s."),
}
"""Why a vacation is not possible, by code."""


def too_many(request: HttpRequest, refusal: TooMany, back: str) -> HttpResponse:
    """A page with status 429 that says why, with a link to `back`."""
    context = {"text": TABLE_REFUSALS[refusal.code], "back": back}
    return wait(render(request, "games/too_many.html", context, status=429), refusal)


def wait(response: HttpResponse, refusal: TooMany) -> HttpResponse:
    """Add the header with the seconds to wait."""
    response["Retry-After"] = str(int(refusal.wait.total_seconds()) + 1)
    return response
