"""Access to tables: who may see one, how often a user may post, and headers that keep its pages private."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.core.internal.ratelimit import consume, parse_rates
from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control

from accounts.access import View, only_posts
from accounts.models import User
from games.models import Game
from games.pages import profile
from games.services.privacy.deletion import GUEST_LIFETIME


def of_table(view: View) -> View:
    """Pass the view the game of the address. If there is none that the user may see, the answer is a page with status
    404, or 401 if they had the table open and have been logged out. The page is private and never stored."""

    @wraps(view)
    def wrapped(request: HttpRequest, key: str, *args: Any, **kwargs: Any) -> HttpResponse:
        # `first` would sort, which makes the query of every board dearer.
        game = next(iter(Game.objects.with_seats().filter(key=key)[:1]), None)
        if game and game.is_visible_to(request.user):
            response = view(request, game, *args, **kwargs)
        elif game and is_logged_out(request):
            response = HttpResponse(status=401)
        else:
            context = {"days": GUEST_LIFETIME.days if settings.GUESTS and not request.user.is_authenticated else 0}
            response = render(request, "games/no_table.html", context, status=404)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return wrapped


def is_logged_out(request: HttpRequest) -> bool:
    """Whether the request comes from a page that is still open after its reader was logged out."""
    return bool(getattr(request, "htmx", False)) and not request.user.is_authenticated


def patience(request: HttpRequest, action: str, user: User | None = None) -> int:
    """Count one more request of the user, or of a visitor's network, for that action. Returns 0 while the
    settings allow it, otherwise the seconds after which the full limit is available again."""
    if consume(request, app="allauth.account", action=action, user=user, limit_get=True):
        return 0
    return max(int(rate.duration) for rate in parse_rates(app_settings.RATE_LIMITS[action]))


def too_fast(request: HttpRequest, wait: int, *_args: Any, **_kwargs: Any) -> HttpResponse:
    """The page that asks for patience, with the seconds to wait."""
    response: HttpResponse = respond_429(request)
    response["Retry-After"] = str(wait)
    return response


def limited(action: str, answer: View = too_fast) -> Callable[[View], View]:
    """Answer 429, with the seconds to wait, when a user posts more often than the settings allow for that action.
    Anonymous requests change nothing and are not counted."""

    def limit(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            user = request.user
            wait = patience(request, action, user) if request.method == "POST" and isinstance(user, User) else 0
            return answer(request, wait, *args, **kwargs) if wait else view(request, *args, **kwargs)

        return wrapped

    return limit


def user_of(request: HttpRequest) -> User:
    """The user of a request to a view that requires a log-in."""
    assert isinstance(request.user, User)
    return request.user


def of_name(view: View) -> View:
    """Pass the view the person of that name. The answer is the same 404 for every name that the reader may not look
    up, and 429 if they look up many. The page is private and never stored."""

    @wraps(view)
    def wrapped(request: HttpRequest, name: str) -> HttpResponse:
        user = user_of(request)
        if seconds := patience(request, "profile", user):
            return too_fast(request, seconds)
        person = profile.find(name, user)
        if person is None:
            raise Http404
        response = view(request, person)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return login_required(wrapped)


def of_person(view: View) -> View:
    """For views that take a user's post to a table. A visitor who is not logged in is sent to the log-in and from there
    to the table, because the address of the post itself takes no GET; on a page that htmx changes, they are told that
    they have been logged out."""
    taken = limited("seat")(of_table(view))

    @wraps(view)
    def wrapped(request: HttpRequest, key: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return only_posts(request, reverse("table", args=[key]))
        if request.user.is_authenticated:
            return taken(request, key, *args, **kwargs)
        return HttpResponse(status=401) if is_logged_out(request) else redirect_to_login(reverse("table", args=[key]))

    return wrapped
