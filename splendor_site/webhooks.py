"""The addresses at which mail services report what happened to mails."""

import logging
from collections.abc import Iterator
from functools import wraps
from typing import Any

from anymail import urls
from anymail.exceptions import AnymailConfigurationError, AnymailImproperlyInstalled
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path

BACKENDS = "anymail.backends."

logger = logging.getLogger(__name__)


def configured() -> Iterator[URLPattern]:
    """The address for the configured mail service. If mails go out by SMTP, there is one for every service, which
    answers 404 while the service lacks a key that it needs. There are none for incoming mail."""
    backend: str = settings.EMAIL_BACKEND
    service = backend.removeprefix(BACKENDS).partition(".")[0] if backend.startswith(BACKENDS) else ""
    for pattern in urls.urlpatterns:
        name = str(pattern.name)
        if name.startswith(service) and "inbound" not in name:
            yield path(str(pattern.pattern), _if_configured(pattern.callback), name=name)


def _if_configured(view: Any) -> Any:
    @wraps(view)
    def page(request: HttpRequest) -> HttpResponse:
        try:
            answer: HttpResponse = view(request)
        except (AnymailConfigurationError, AnymailImproperlyInstalled) as error:
            logger.warning("%s: %s", request.path, error)
            raise Http404 from None
        return answer

    return page
