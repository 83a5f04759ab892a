"""The pages of staff. All of them need a passkey; see `accounts.staff`."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import posted_from
from accounts.models import Offence, User
from accounts.staff import staff_only
from games.forms import PersonNameForm, ReasonForm, SearchForm, SuspensionForm, TableNameForm
from games.models import Game
from games.pages.access import user_of
from games.pages.staff import ActRow, Desk, PersonFile, acts_for, known_people, reports_for, tables_of_others
from games.services.moderation import acts

ACTS_PER_PAGE = 50
RENAME, LIFT, VOID = "rename_%s", "lift_%s", "void_%s"
"""The ids of the fields of forms that share a page."""


@require_safe
@staff_only
def desk(request: HttpRequest) -> HttpResponse:
    """The open reports, a search for people and tables, and the latest acts."""
    form = SearchForm(request.GET)
    sought = form.cleaned_data["q"] if form.is_valid() else ""
    return render(request, "games/staff/desk.html", {"form": form, "desk": Desk(user_of(request), sought)})


@require_safe
@staff_only
def all_acts(request: HttpRequest) -> HttpResponse:
    page = Paginator(acts_for(user_of(request)), ACTS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "games/staff/acts.html", {"page": page, "rows": [ActRow(act) for act in page]})


# --- a report ---


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """A report; a post closes it."""
    member = user_of(request)
    found = get_object_or_404(reports_for(member), pk=pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        _allowed(acts.close_report, member, found, form.cleaned_data["reason"])
        messages.success(request, _("The report is closed."))
        return redirect("staff")
    context = {"report": found, "form": form}
    return render(request, "games/staff/report.html", context, status=422 if form.errors else 200)


# --- a person ---


@require_safe
@staff_only
def person(request: HttpRequest, pk: int) -> HttpResponse:
    return _show(request, _person(pk))


@posted_from("staff_person", of_same=True)
@staff_only
def rename_person(request: HttpRequest, pk: int) -> HttpResponse:
    user, form = _person(pk), PersonNameForm(request.POST, auto_id=RENAME)
    if form.is_valid():
        before = user.username
        try:
            _allowed(acts.rename_person, user_of(request), user, form.cleaned_data["name"], form.cleaned_data["reason"])
        except ValidationError as error:
            form.add_error("name", error)
            return _show(request, _person(pk), rename=form)
        messages.success(request, _("%(before)s is now called %(name)s.") % {"before": before, "name": user.username})
        return redirect("staff_person", pk)
    return _show(request, user, rename=form)


@posted_from("staff_person", of_same=True)
@staff_only
def suspend(request: HttpRequest, pk: int) -> HttpResponse:
    user, form = _person(pk), SuspensionForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        _allowed(acts.suspend, user_of(request), user, data["days"], Offence(data["offence"]), data["note"])
        messages.success(request, _("%(name)s is suspended.") % {"name": user.username})
        return redirect("staff_person", pk)
    return _show(request, user, suspend=form)


@posted_from("staff_person", of_same=True)
@staff_only
def lift(request: HttpRequest, pk: int) -> HttpResponse:
    user, form = _person(pk), ReasonForm(request.POST, auto_id=LIFT)
    if form.is_valid():
        _allowed(acts.lift, user_of(request), user, form.cleaned_data["reason"])
        messages.success(request, _("%(name)s is no longer suspended.") % {"name": user.username})
        return redirect("staff_person", pk)
    return _show(request, user, lift=form)


def _person(pk: int) -> User:
    return get_object_or_404(known_people(), pk=pk)


def _show(request: HttpRequest, user: User, **forms: Form) -> HttpResponse:
    """The page about the person; a form that was sent has errors."""
    empty = {"rename": PersonNameForm(auto_id=RENAME), "suspend": SuspensionForm(), "lift": ReasonForm(auto_id=LIFT)}
    context = {"file": PersonFile(user_of(request), user), "person": user, **empty, **forms}
    return render(request, "games/staff/person.html", context, status=422 if forms else 200)


def _allowed(act: Any, *facts: Any) -> None:
    """Act, or answer 404 where the member of staff may not."""
    try:
        act(*facts)
    except acts.NotForStaff as error:
        raise Http404 from error


# --- a table ---


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The name and the players of a table; a post gives it another name."""
    member = user_of(request)
    game = get_object_or_404(tables_of_others(member).with_seats(), pk=pk)
    form = TableNameForm(request.POST if request.method == "POST" else None, initial={"name": game.name})
    if form.is_valid():
        _allowed(acts.rename_table, member, game, form.cleaned_data["name"], form.cleaned_data["reason"])
        messages.success(request, _("The table is now called %(name)s.") % {"name": game.called})
        return redirect("staff_table", pk)
    return _show_table(request, game, rename=form)


@posted_from("staff_table", of_same=True)
@staff_only
def void(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a finished game count for nobody."""
    member = user_of(request)
    game = get_object_or_404(tables_of_others(member).with_seats(), pk=pk)
    form = ReasonForm(request.POST, auto_id=VOID)
    if not form.is_valid():
        return _show_table(request, game, void=form)
    _allowed(acts.void, member, game, form.cleaned_data["reason"])
    messages.success(request, _("The game no longer counts. Ratings will be recalculated shortly."))
    return redirect("staff_table", pk)


def _show_table(request: HttpRequest, game: Game, **forms: Form) -> HttpResponse:
    """The page about the table; a form that was sent may have errors."""
    empty = {"rename": TableNameForm(initial={"name": game.name}), "void": ReasonForm(auto_id=VOID)}
    status = 422 if any(form.errors for form in forms.values()) else 200
    return render(request, "games/staff/table.html", {"table": game, **empty, **forms}, status=status)
