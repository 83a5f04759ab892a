"""From one table to the next: the next table, tables set aside for later, notes, and the end of hints."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts import services as accounts
from games.forms import NoteForm
from games.models import Game
from games.pages import later
from games.pages.access import limited, of_person, of_table, user_of
from games.services.play import own_seat


@require_safe
@login_required
def next_table(request: HttpRequest) -> HttpResponse:
    """Redirect to the table where the reader has the least time, except the table `after`; then to a game whose result
    they have not seen; then to the most urgent table set aside. If nothing waits, to the dashboard."""
    user, after = user_of(request), request.GET.get("after", "").replace("\0", "")
    aside = later.keys(request)
    waiting = Game.objects.waiting_for(user).exclude(key=after).most_urgent_first().values_list("key", flat=True)
    keys = sorted(waiting, key=lambda key: key in aside)
    if not keys or keys[0] in aside:
        unseen = Game.objects.unseen_by(user).exclude(key=after).order_by("ended_at")
        keys = [*unseen.values_list("key", flat=True)[:1], *keys]
    return redirect("table", keys[0]) if keys else redirect("mine")


@of_person
def set_aside(request: HttpRequest, game: Game) -> HttpResponse:
    """Set the table aside and go to the next; with `back`, put it back into the queue and go to the dashboard."""
    seat = game.seat_of(request.user)
    if seat is None or seat.index is None:
        raise Http404
    if "back" in request.POST:
        later.bring_back(request, game)
        return redirect("mine")
    later.set_aside(request, game, seat)
    return redirect(f"{reverse('next')}?after={game.key}")


@of_person
def no_hints(request: HttpRequest, game: Game) -> HttpResponse:
    """End the hints for this user, in all games."""
    accounts.end_hints(user_of(request))
    return redirect("table", game.key)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("seat")
@of_table
def note(request: HttpRequest, game: Game) -> HttpResponse:
    """Store the reader's private note about the game, during it or after its end."""
    seat = game.seat_of(request.user)
    if seat is None or seat.index is None:
        raise Http404
    form = NoteForm(request.POST if request.method == "POST" else None, initial={"note": seat.note})
    if form.is_valid():
        own_seat.keep_note(game, user_of(request), form.cleaned_data["note"])
        return redirect("table", game.key)
    others = [each for each in game.seat_set.all() if each is not seat]
    context = {"game": game, "form": form, "others": others, "kept": seat.note}
    return render(request, "games/note.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
@of_table
def plan(_request: HttpRequest, game: Game) -> HttpResponse:
    """The address of a note in earlier releases."""
    return redirect("note", game.key)
