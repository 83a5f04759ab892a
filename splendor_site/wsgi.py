import multiprocessing
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

from games.management.supervisor import end_with

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")

# A process of the web server does not outlive it.
if server := multiprocessing.parent_process():
    end_with(server.pid or 0)

site = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """The site; 400 to a charset like `base64`, which Python knows but not for text: Django fails on it before it has a
    request to answer."""
    try:
        return site(environ, start_response)
    except LookupError:
        start_response("400 Bad Request", [("Content-Length", "0")])
        return []
