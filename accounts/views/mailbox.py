"""Pages that show the site's mails, in development only."""

from functools import wraps
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin

from accounts import mailbox
from accounts.access import View

# A mail's HTML may use its own styles and nothing else; its links open in a new tab.
FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
)


def _in_development(view: View) -> View:
    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> HttpResponse:
        if not mailbox.is_open():
            raise Http404
        return view(*args, **kwargs)

    return guarded


def _mail(file: str, number: int) -> mailbox.Mail:
    mail = mailbox.find(file, number)
    if mail is None:
        raise Http404
    return mail


@never_cache
@_in_development
def box(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/mailbox.html", {"mails": mailbox.newest()})


@csp_update({"frame-src": [SELF]})
@never_cache
@_in_development
def mail(request: HttpRequest, file: str, number: int) -> HttpResponse:
    return render(request, "accounts/mail.html", {"mail": _mail(file, number)})


@xframe_options_sameorigin
@never_cache
@_in_development
def html_part(request: HttpRequest, file: str, number: int) -> HttpResponse:
    html = _mail(file, number).html
    if not html:
        raise Http404
    page = html.replace("<head>", '<head><base target="_blank">')
    return HttpResponse(page, headers={"Content-Security-Policy": FRAME_POLICY})
