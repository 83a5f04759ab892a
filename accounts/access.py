"""Access to the pages of a user, and answers to those who open the address of a form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

View = Callable[..., HttpResponse]


def only_posts(request: HttpRequest, page: str) -> HttpResponse:
    """Status 405, with a link to the page of that address, which has the form."""
    response = render(request, "405.html", {"page": page}, status=405)
    response["Allow"] = "POST"
    return response


def posted_from(page: str, *, of_same: bool = False) -> Callable[[View], View]:
    """For views that take a user's post from the page of that name; `of_same` if that page has the same arguments, for
    example the same person. A visitor who is not logged in is sent to the log-in and from there to the page, because
    the address of the post itself takes no GET."""

    def posted(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            address = reverse(page, args=args, kwargs=kwargs) if of_same else reverse(page)
            if request.method != "POST":
                return only_posts(request, address)
            if not request.user.is_authenticated:
                return redirect_to_login(address)
            return view(request, *args, **kwargs)

        return wrapped

    return posted


def asks_again(view: View) -> View:
    """The view of a first password. Where the person must prove first that it is them, they type the password after
    that: allauth would keep what they have posted in the session until then, in plain text."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except ReauthenticationRequired:
            if request.method != "POST":
                raise
            return redirect("account_set_password")

    return guarded
