"""Access to the pages of a user, and answers to those who open the address of a form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

View = Callable[..., HttpResponse]


def only_posts(request: HttpRequest, page: str) -> HttpResponse:
    """Status 405, with a link to the page of that address, which has the form."""
    response = render(request, "405.html", {"page": page}, status=405)
    response["Allow"] = "POST"
    return response


def posted_from(page: str) -> Callable[[View], View]:
    """For views that take a user's post from the page of that name. A visitor who is not logged in is sent to the
    log-in and from there to the page, because the address of the post itself takes no GET."""

    def posted(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method != "POST":
                return only_posts(request, reverse(page))
            if not request.user.is_authenticated:
                return redirect_to_login(reverse(page))
            return view(request, *args, **kwargs)

        return wrapped

    return posted
