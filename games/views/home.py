import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from games.boards import opening
from games.models import Game


def home(request: HttpRequest) -> HttpResponse:
    waiting = Game.objects.waiting_for(request.user).count() if isinstance(request.user, User) else 0
    return render(request, "games/home.html", {"opening": opening.deal(secrets.token_bytes(32)), "waiting": waiting})
