"""The profiles of people, and what a user can do there: write a note, report the name, block the person."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import posted_from
from accounts.models import User
from games.forms import NoteForm, ReportForm
from games.pages import profile as pages
from games.pages.access import limited, of_name, user_of
from games.pages.refusals import TABLE_REFUSALS, wait
from games.services.ratings import model
from games.services.tables import blocks, person_notes, reports
from games.services.tables.tables import TooMany


@require_safe
@of_name
def profile(request: HttpRequest, person: User) -> HttpResponse:
    """Everything that the reader may know about the person."""
    return _show(request, person, "games/profile.html")


@require_safe
@of_name
def card(request: HttpRequest, person: User) -> HttpResponse:
    """The most important facts, for a bubble beside the name."""
    return _show(request, person, "games/_profile_card.html")


@require_http_methods(["GET", "HEAD", "POST"])
@limited("seat")
@of_name
def note(request: HttpRequest, person: User) -> HttpResponse:
    """Keep a private note about the person."""
    user = user_of(request)
    kept = person_notes.about(user, person)
    form = NoteForm(request.POST if request.method == "POST" else None, initial={"note": kept})
    if person == user:
        raise Http404
    if form.is_valid():
        person_notes.keep(user, person, form.cleaned_data["note"])
        return redirect("profile", person.username)
    status = 422 if form.errors else 200
    return render(request, "games/person_note.html", {"person": person, "form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@limited("seat")
@of_name
def report(request: HttpRequest, person: User) -> HttpResponse:
    """Report the person's name to the operator of the site."""
    user = user_of(request)
    if person == user:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None, texts=[reports.name_of(person)])
    if form.is_valid():
        try:
            reports.report(None, user, form.reported, form.cleaned_data["sentence"])
        except TooMany as refusal:
            form.add_error(None, str(TABLE_REFUSALS[refusal.code]))
            return wait(_report_page(request, person, form, 429), refusal)
        messages.success(request, _("Thank you. The people who run this site will look at it."))
        return redirect("profile", person.username)
    return _report_page(request, person, form, 422 if form.errors else 200)


@posted_from("profile", of_same=True)
@limited("seat")
@of_name
def block(request: HttpRequest, person: User) -> HttpResponse:
    """Block the person."""
    user = user_of(request)
    if person == user:
        raise Http404
    blocks.block(user, person)
    messages.success(request, _("You’ve blocked %(names)s.") % {"names": person.called})
    return redirect("blocked")


def _show(request: HttpRequest, person: User, template: str) -> HttpResponse:
    shown = pages.Profile(person, user_of(request))
    return render(request, template, {"profile": shown, "person": person, "small": model.SMALL})


def _report_page(request: HttpRequest, person: User, form: ReportForm, status: int) -> HttpResponse:
    return render(request, "games/report_person.html", {"person": person, "form": form}, status=status)
