"""The pages about a user's mails: preferences, and deliveries; and the calendar of their deadlines."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import posted_from
from games.forms import MailForm
from games.models import Game, Notice, Preferences, Seat
from games.pages.access import limited, user_of
from games.pages.deliveries import Deliveries
from games.services.clocks.moment import now
from games.services.mailing import bounces, digests
from games.services.outbox import calendar, notices, preferences


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def wishes(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    data = request.POST if request.method == "POST" else None
    kept = Preferences.of(user)
    form = MailForm(data, kept=kept)
    if form.is_valid():
        preferences.change(user, **form.wishes())
        digests.rearrange(user)
        messages.success(request, _("Settings saved."))
        return redirect("mail_wishes")
    alive = [Game.Status.OPEN, Game.Status.ACTIVE]
    muted = (
        Seat.objects.filter(user=user, seen_end=False, muted=True, game__status__in=alive)
        .select_related("game")
        .order_by("pk")
    )
    context = {"form": form, "muted": muted, "calendar": kept.calendar}
    return render(request, "games/mail_wishes.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def deliveries(request: HttpRequest) -> HttpResponse:
    return render(request, "games/deliveries.html", {"deliveries": Deliveries(user_of(request))})


@posted_from("deliveries")
@limited("test_mail")
def send_test(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    notices.owe(Notice.Kind.TEST, user, key=f"test:{now().isoformat()}")
    said = _("We’re sending a test email to %(address)s. Reload this page in a moment to see whether it was sent.")
    messages.info(request, said % {"address": user.email})
    return redirect("deliveries")


@posted_from("deliveries")
def trouble_is_over(request: HttpRequest) -> HttpResponse:
    """The user says that mails are arriving again."""
    bounces.settled(user_of(request))
    messages.success(request, _("Good. If an email is refused again, we’ll tell you here."))
    return redirect("deliveries")


@posted_from("mail_wishes")
def renew_calendar(request: HttpRequest) -> HttpResponse:
    """Show a new address. A page that is loaded again sends its form again, and must not void the address it showed."""
    if request.POST.get("replaces", "") != Preferences.of(user_of(request)).calendar:
        messages.info(request, _("Your calendar already has a new address. If you’ve lost it, replace it."))
        return redirect("mail_wishes")
    return render(request, "games/calendar.html", {"address": calendar.renew(user_of(request))})


@posted_from("mail_wishes")
def stop_calendar(request: HttpRequest) -> HttpResponse:
    calendar.switch_off(user_of(request))
    messages.success(request, _("The address of your calendar no longer works."))
    return redirect("mail_wishes")


@require_safe
def calendar_feed(_request: HttpRequest, token: str) -> HttpResponse:
    """The calendar itself. 404 if the site never made the address, 410 if it is void."""
    try:
        user = calendar.owner(token)
    except calendar.ForgedCalendar as error:
        raise Http404 from error
    headers = {"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
    if user is None:
        return HttpResponse(status=410, headers=headers)
    return HttpResponse(calendar.written(user), content_type="text/calendar; charset=utf-8", headers=headers)


@posted_from("mail_wishes")
def mute_table(request: HttpRequest, key: str) -> HttpResponse:
    """Mute or unmute one of the user's games; redirect to the page that the button is on."""
    seat = get_object_or_404(Seat.objects.select_related("game"), game__key=key, user=user_of(request))
    on = request.POST.get("muted") == "1"
    preferences.mute(seat, on=on)
    name = {"table": seat.game.called}
    said = _("You’ve muted %(table)s.") if on else _("You’ll get emails about %(table)s again.")
    messages.success(request, said % name)
    return redirect("mail_wishes") if "settings" in request.POST else redirect("clock", key)
