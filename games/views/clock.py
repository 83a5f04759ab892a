"""The page about the clocks of a table: its terms, the time left, and the actions of its players."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from games.models import Game, Seat
from games.pages import later, timing
from games.pages.access import of_person, of_table, user_of
from games.pages.refusals import CLOCK_REFUSALS
from games.services import play
from games.services.absence import pauses, timeouts
from games.services.clocks import running
from games.services.clocks.moment import now
from games.wording import times


@require_safe
@of_table
def clock(request: HttpRequest, game: Game) -> HttpResponse:
    """The page about time at the table."""
    if game.status not in (Game.Status.ACTIVE, Game.Status.FINISHED):
        return redirect("table", game.key)
    seats = list(game.seat_set.all())
    shown = timing.build(game, seats)
    mine = game.seat_of(request.user)
    acting = seats[game.to_act] if game.to_act is not None else None
    others = [seat for seat in seats if seat is not mine and seat.user_id and not seat.acting_bot]
    plays = mine is not None and game.is_active and not mine.acting_bot
    context = {
        "game": game,
        "seats": seats,
        "mine": mine,
        "plays": plays,
        "acting": acting,
        "rows": [(seat, shown.seats[place] if shown else None) for place, seat in enumerate(seats)],
        "times": shown,
        "agreed": running.agreed(game),
        "may_give": plays and acting in others and acting is not None and acting.bank is not None,
        "has_given": plays and mine is not None and _has_given(game, mine),
        "agree": [seat for seat in others if seat.wants_pause],
        "missing": [seat for seat in others if not seat.wants_pause],
        "stop_others": others,
        "stop_agree": [seat for seat in others if seat.wants_stop],
        "stop_missing": [seat for seat in others if not seat.wants_stop],
        "is_later": game.key in later.keys(request),
        "paused": times.instant(game.paused_at, now()) if game.paused_at else "",
    }
    return render(request, "games/clock.html", context)


def _has_given(game: Game, seat: Seat) -> bool:
    """Whether the seat has given extra time for the current decision."""
    return game.incident_set.filter(kind="gave_time", seat=seat.index, after_number=game.number).exists()


@of_person
def pause(request: HttpRequest, game: Game) -> HttpResponse:
    """Ask for a pause, or agree to one."""
    if _acts(request, game, pauses.ask):
        paused, asked = (
            _("The clocks are paused until a player resumes the game."),
            _("The others can see that you’re asking for a pause."),
        )
        messages.success(request, paused if game.paused_at else asked)
    return redirect("table", game.key)


@of_person
def resume(request: HttpRequest, game: Game) -> HttpResponse:
    """End the pause."""
    if _acts(request, game, pauses.resume):
        messages.success(request, _("The clocks are running again."))
    return redirect("table", game.key)


@of_person
def withdraw_pause(request: HttpRequest, game: Game) -> HttpResponse:
    """Withdraw the request for a pause, unless it has begun."""
    if _acts(request, game, pauses.withdraw) and not game.paused_at:
        messages.success(request, _("You withdrew your request for a pause."))
    return redirect("table", game.key)


@of_person
def stop(request: HttpRequest, game: Game) -> HttpResponse:
    """Ask the others to stop the game, or agree to it."""
    if _acts(request, game, pauses.ask_to_stop):
        text = _("The others can see that you want to stop the game.")
        messages.success(request, text if game.is_active else _("The game is stopped. It doesn’t count."))
    return redirect("table", game.key)


@of_person
def play_on(request: HttpRequest, game: Game) -> HttpResponse:
    """Withdraw the request to stop the game."""
    if _acts(request, game, pauses.play_on):
        messages.success(request, _("You withdrew your request to stop the game."))
    return redirect("table", game.key)


@of_person
def more_time(request: HttpRequest, game: Game) -> HttpResponse:
    """Give the player to act another day, if the page showed that player."""
    shown = next((seat.index for seat in game.seat_set.all() if str(seat.index) == request.POST.get("seat")), None)
    if _acts(request, game, lambda game, user: pauses.more_time(game, user, shown)):
        acting = next((seat for seat in game.seat_set.all() if seat.index == game.to_act), None)
        messages.success(request, _("%(name)s has one more day.") % {"name": acting})
    return redirect("table", game.key)


@of_person
def come_back(request: HttpRequest, game: Game) -> HttpResponse:
    """Take the seat back from the bot."""
    if _acts(request, game, timeouts.come_back) and game.is_active:
        messages.success(request, _("You’re back in your seat."))
    return redirect("table", game.key)


def _acts(request: HttpRequest, game: Game, act: Callable[[Game, User], None]) -> bool:
    """Call `act` and return whether it was possible; 404 if the user has no seat. If their game is over, the table says
    so."""
    try:
        act(game, user_of(request))
    except play.NotYours as error:
        if game.index_of(request.user) is None:
            raise Http404 from error
        return False
    except pauses.ClockRefusal as refusal:
        messages.error(request, str(CLOCK_REFUSALS[refusal.code]))
        return False
    return True
