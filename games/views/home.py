import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from games.wording import phrases


def home(request: HttpRequest) -> HttpResponse:
    waiting = Game.objects.waiting_for(request.user).count() if isinstance(request.user, User) else 0
    seed = secrets.token_bytes(32)
    titles = [{"about": f"{title.templates}/_about.html", "opening": title.opening(seed)} for title in TITLES.values()]
    first = next(iter(TITLES.values()))
    context = {
        "titles": titles,
        "names": phrases.join([title.ruleset.name for title in TITLES.values()]),
        "front": {"template": f"{first.templates}/_front.html", "opening": titles[0]["opening"]},
        "waiting": waiting,
    }
    return render(request, "games/home.html", context)
