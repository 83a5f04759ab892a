"""The first page."""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from games import wording
from games.catalogue import TITLES
from games.models import Game
from games.pages import first
from games.wording import phrases

MAX_WATCHED = 2
"""The maximum number of public tables on the first page."""


def home(request: HttpRequest) -> HttpResponse:
    waiting = Game.objects.waiting_for(request.user).count() if isinstance(request.user, User) else 0
    seed = secrets.token_bytes(32)
    titles = [
        {
            "slug": slug,
            "name": title.ruleset.name,
            "mark": title.mark,
            "about": f"{title.templates}/_about.html",
            "opening": title.opening(seed),
        }
        for slug, title in TITLES.items()
    ]
    plays_bots = settings.GUESTS or request.user.is_authenticated
    market = first.market() if plays_bots else {}
    opening = market["deal"].opening if market else titles[0]["opening"]
    context = {
        "titles": titles,
        "names": phrases.join([title.ruleset.name for title in TITLES.values()]),
        "front": {"template": f"{next(iter(TITLES.values())).templates}/_front.html", "opening": opening, **market},
        "plays_bots": plays_bots,
        "watched": _watched(),
        "waiting": waiting,
    }
    return render(request, "games/home.html", context)


def _watched() -> list[tuple[Game, int]]:
    """The public tables with the latest moves, each with the points that its players try to reach."""
    if not settings.PUBLIC_TABLES:
        return []
    games = Game.objects.public().with_seats().order_by("-changed_at", "-pk")[:MAX_WATCHED]
    return [(game, wording.track(game.title).goal) for game in games]
