"""Who may see a table, and what a page of it is never to leave behind."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control

from games.models import Game

View = Callable[..., HttpResponse]


def of_table(view: View) -> View:
    """Hand the view the game of the address; 404 for whoever may not see it. The page is private, never stored."""

    @wraps(view)
    def wrapped(request: HttpRequest, key: str, *args: Any, **kwargs: Any) -> HttpResponse:
        game = get_object_or_404(Game.objects.visible_to(request.user), key=key)
        response = view(request, game, *args, **kwargs)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return wrapped
