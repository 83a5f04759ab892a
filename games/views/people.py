"""What a user can do about other people: report their names and block them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.forms import ReportForm
from games.models import Block, Game
from games.pages.access import limited, of_person, of_table, user_of
from games.pages.refusals import TABLE_REFUSALS, wait
from games.services.tables import blocks, reports
from games.services.tables.tables import TooMany


@require_safe
@login_required
@of_table
def people(request: HttpRequest, game: Game) -> HttpResponse:
    """The page with the other people at the table, to report their names or to block them."""
    others = reports.people_at(game, user_of(request))
    return _show(request, game, others, ReportForm(texts=reports.texts_at(game, others)))


@of_person
def report(request: HttpRequest, game: Game) -> HttpResponse:
    """Report a text to the operator of the site."""
    user = user_of(request)
    others = reports.people_at(game, user)
    form = ReportForm(request.POST, texts=reports.texts_at(game, others))
    if not form.is_valid():
        return _show(request, game, others, form, status=422)
    try:
        reports.report(game, user, form.reported, form.cleaned_data["sentence"])
    except TooMany as refusal:
        form.add_error(None, str(TABLE_REFUSALS[refusal.code]))
        return wait(_show(request, game, others, form, status=429), refusal)
    messages.success(request, _("Thank you. The people who run this site will look at it."))
    return redirect("table", game.key)


@of_person
def block(request: HttpRequest, game: Game) -> HttpResponse:
    """Block a person at the table."""
    user, name = user_of(request), request.POST.get("name")
    person = next((person for person in reports.people_at(game, user) if person.username == name), None)
    if person is None:
        raise Http404
    blocks.block(user, person)
    messages.success(request, _("You’ve blocked %(names)s.") % {"names": person.called})
    return redirect("blocked")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("seat")
def blocked(request: HttpRequest) -> HttpResponse:
    """The people whom the user has blocked; a post unblocks one."""
    user = user_of(request)
    rows = Block.objects.filter(by=user).select_related("blocked").order_by("-at", "-pk")
    if request.method == "POST":
        name = request.POST.get("name", "").replace("\0", "")
        person = get_object_or_404(rows, blocked__username=name).blocked
        blocks.unblock(user, person)
        messages.success(request, _("You’ve unblocked %(name)s.") % {"name": person.called})
        return redirect("blocked")
    return render(request, "games/blocked.html", {"people": [row.blocked for row in rows]})


def _show(request: HttpRequest, game: Game, others: list[User], form: ReportForm, status: int = 200) -> HttpResponse:
    gone = set(Block.objects.filter(by=user_of(request), blocked__in=others).values_list("blocked", flat=True))
    context = {"game": game, "form": form, "people": [(person, person.pk in gone) for person in others]}
    return render(request, "games/people.html", context, status=status)
