"""The rules of a title."""

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
