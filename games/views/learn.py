"""The lessons, for everybody. A GET judges the decisions that its address names; nothing is stored."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from games.pages import learn
from games.pages.table import HtmxHttpRequest
from games.wording import phrases


@require_safe
def lessons(request: HttpRequest) -> HttpResponse:
    titles = learn.overview()
    names = phrases.join([title["name"] for title in titles])
    return render(request, "games/learn/lessons.html", {"titles": titles, "names": names})


@require_safe
def first_lesson(request: HttpRequest, title: str) -> HttpResponse:
    if title not in learn.taught():
        raise Http404
    return redirect("lesson", title, 1)


@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HtmxHttpRequest, title: str, number: int) -> HttpResponse:
    """A lesson. A legal decision leads to its verdict; 422 with the reason answers any other."""
    taught = learn.taught()
    if title not in taught or not 0 < number <= len(taught[title].LESSONS):
        raise Http404
    if request.method != "POST":
        return learn.show(request, title, number, request.GET.get("played"))
    moves = request.POST.get("moves", "")
    if not request.htmx and learn.is_legal(title, number, moves):
        return redirect(f"{learn.told_at(title, number, moves)}#result")
    return learn.show(request, title, number, moves)
