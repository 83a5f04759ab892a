"""The rules of a title, and the help with its board."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages import rules as rules_page


@require_safe
def rules(request: HttpRequest, title: str) -> HttpResponse:
    """All rules, with the cards that pass the filters in the query."""
    return render(request, "games/rules/rules.html", rules_page.build(request, title, "rules.jinja"))


@require_safe
def summary(request: HttpRequest, title: str) -> HttpResponse:
    """The rules on one printed page."""
    return render(request, "games/rules/summary.html", rules_page.build(request, title, "summary.jinja"))


@require_safe
def help_page(request: HttpRequest, title: str) -> HttpResponse:
    """The meaning of the signs on a board; the board's script shows the same page in a dialog."""
    return render(request, "games/help/help.html", rules_page.help_page(request, title))
