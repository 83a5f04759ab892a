"""Access to the pages of a user."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

View = Callable[..., HttpResponse]


def posted_from(page: str) -> Callable[[View], View]:
    """For views that take a user's post from the page of that name. A visitor who is not logged in is sent to the
    log-in and from there to the page, because the address of the post itself takes no GET."""

    def posted(view: View) -> View:
        @require_POST
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(reverse(page))
            return view(request, *args, **kwargs)

        return wrapped

    return posted
