"""Vacations, which stop a user's clocks."""

from datetime import date, datetime, time, timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime, make_aware
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.access import posted_from
from games.forms import TimeAway, TimeOff
from games.models import Game
from games.pages.access import limited, patience, user_of
from games.pages.refusals import VACATION_REFUSALS
from games.services.absence import vacations
from games.services.clocks.moment import now
from games.wording import phrases


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("vacation")
def vacation(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = TimeAway(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            begun = vacations.begin_vacation(
                user, form.cleaned_data["days"], _first_instant(form.cleaned_data["starts"])
            )
        except vacations.VacationRefusal as refusal:
            field = "starts" if refusal.code in ("past", "too_far") else "days"
            form.add_error(field, str(VACATION_REFUSALS[refusal.code]))
        else:
            if begun.begins_at > now():
                told = {"date": date_format(localtime(begun.begins_at))}
                messages.success(request, _("Vacation planned. Your clocks will stop on %(date)s.") % told)
            else:
                messages.success(request, _("Have a good time! Your clocks are stopped."))
            return redirect("vacation")
    return _page(request, form, TimeOff(user=user))


@posted_from("vacation")
def time_off(request: HttpRequest) -> HttpResponse:
    """Store when the user's clocks stop by themselves. Days off that change from turn to turn would be more than two a
    week."""
    user = user_of(request)
    form = TimeOff(request.POST, user=user)
    if (
        form.is_valid()
        and sorted(form.cleaned_data["days_off"]) != sorted(user.days_off)
        and patience(request, "days_off", user)
    ):
        form.add_error("days_off", _("You can change your days off twice in seven days. Please try again later."))
    if not form.is_valid():
        return _page(request, TimeAway(), form)
    vacations.wish(user, **form.wishes())
    messages.success(request, _("Settings saved."))
    return redirect("vacation")


def _page(request: HttpRequest, form: TimeAway, time_off: TimeOff) -> HttpResponse:
    user = user_of(request)
    left = vacations.time_left(user, now())
    running = Game.objects.not_done_by(user).filter(status=Game.Status.ACTIVE).exclude(pace=Game.Pace.NONE)
    context = {
        "form": form,
        "time_off": time_off,
        "now_on": vacations.vacation_of(user),
        "planned": vacations.planned_by(user),
        "left": _words(left),
        "has_days": left.days > 0,
        "forbidding": running.filter(vacations=False).order_by("pk"),
        "most": vacations.MAX_VACATION_A_YEAR.days,
    }
    return render(request, "games/vacation.html", context, status=422 if form.errors or time_off.errors else 200)


@posted_from("vacation")
@limited("vacation")
def back(request: HttpRequest) -> HttpResponse:
    """End the vacation, possibly early; with `planned`, cancel the one that has not begun yet."""
    user = user_of(request)
    if "planned" in request.POST:
        if vacations.cancel_vacation(user):
            messages.success(request, _("Vacation cancelled."))
    else:
        vacations.end_vacation(user)
        messages.success(request, _("Welcome back! Your clocks are running again."))
    return redirect("vacation")


def _first_instant(day: date | None) -> datetime | None:
    """The beginning of that day in the reader's time zone; `None`, for now, if that is today."""
    if day is None or day == localdate():
        return None
    return make_aware(datetime.combine(day, time.min))


def _words(span: timedelta) -> str:
    """“2 days and 3 hours”."""
    days, hours = span.days, span.seconds // 3600
    parts = [
        ngettext("%(n)d day", "%(n)d days", days) % {"n": days},
        ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours},
    ]
    return phrases.join([part for part, number in zip(parts, (days, hours), strict=True) if number] or parts[1:])
