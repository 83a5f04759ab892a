"""Opting out of mails with one click, without a log-in. A GET changes nothing. Mail programs post
`List-Unsubscribe=One-Click` to the same addresses (RFC 8058) and do not follow redirects."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.models import Notice, Preferences
from games.services.outbox import opt_out, preferences

Page = tuple[bool, Callable[[bool], None], dict[str, Any]]
"""Whether these mails are off; the function that switches them; more context for the page."""


def _of_mail(template: str) -> Callable[[Callable[[str], Page]], Callable[..., HttpResponse]]:
    """A page that explains the link, with one button to opt out or undo that."""

    def make(page: Callable[[str], Page]) -> Callable[..., HttpResponse]:
        # The signature in the address proves more than a cookie could.
        @csrf_exempt
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(page)
        def view(request: HttpRequest, token: str) -> HttpResponse:
            try:
                off, switch, context = page(token)
            except opt_out.ForgedOptOutLink:
                raise Http404 from None
            one_click = "List-Unsubscribe" in request.POST
            if request.method == "POST":
                off = one_click or "again" not in request.POST
                switch(off)
                if not one_click:
                    return redirect(request.path)
            response = render(request, template, {**context, "off": off})
            patch_cache_control(response, private=True, no_store=True)
            return response

        return view

    return make


@_of_mail("games/optout_kind.html")
def unsubscribe(token: str) -> Page:
    """Mails of one kind, or all."""
    user, kind = opt_out.unsubscribed(token)
    kept = Preferences.of(user)
    context = {
        "whose": user,
        "kind": Notice.Kind(kind).label if kind in preferences.SWITCHABLE_KINDS else "",
        "all_url": opt_out.unsubscribe_url(user, preferences.ALL),
    }
    return not kept.wants(kind), lambda off: preferences.switch(user, kind, on=not off), context


@_of_mail("games/optout_game.html")
def mute(token: str) -> Page:
    """Mails about one game."""
    seat = opt_out.muted(token)
    return seat.muted, lambda off: preferences.mute(seat, on=off), {"game": seat.game, "whose": seat.user}


@_of_mail("games/optout_address.html")
def never_again(token: str) -> Page:
    """Invitations to an address."""
    address = opt_out.refused(token)
    return opt_out.is_refused(address), lambda off: opt_out.refuse(address, on=off), {"address": address}
