"""What a user can do about the other people at a table."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.forms import ReportForm
from games.models import Game
from games.pages.access import of_person, of_table, user_of
from games.pages.refusals import TABLE_REFUSALS, wait
from games.services.tables import reports
from games.services.tables.tables import TooMany


@require_safe
@login_required
@of_table
def people(request: HttpRequest, game: Game) -> HttpResponse:
    """The page with the names at the table, to report."""
    return _show(request, game, ReportForm(texts=reports.texts_at(game, user_of(request))))


@of_person
def report(request: HttpRequest, game: Game) -> HttpResponse:
    """Report a text to the operator of the site."""
    user = user_of(request)
    form = ReportForm(request.POST, texts=reports.texts_at(game, user))
    if not form.is_valid():
        return _show(request, game, form, status=422)
    try:
        reports.report(game, user, form.reported, form.cleaned_data["sentence"])
    except TooMany as refusal:
        form.add_error(None, str(TABLE_REFUSALS[refusal.code]))
        return wait(_show(request, game, form, status=429), refusal)
    messages.success(request, _("Thank you. The people who run this site will look at it."))
    return redirect("table", game.key)


def _show(request: HttpRequest, game: Game, form: ReportForm, status: int = 200) -> HttpResponse:
    return render(request, "games/people.html", {"game": game, "form": form}, status=status)
