import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.boards import opening


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "games/home.html", {"opening": opening.deal(secrets.token_bytes(32))})
