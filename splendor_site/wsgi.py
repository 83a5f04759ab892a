import codecs
import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")

site = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """The site. Answers 400 to a Content-Type on which Django would fail before it has a request object."""
    if _is_utf8(environ.get("CONTENT_TYPE", "")):
        return site(environ, start_response)
    body = b"The Content-Type of this request cannot be read; its charset must be UTF-8.\n"
    headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))}
    start_response("400 Bad Request", [*headers.items(), ("X-Content-Type-Options", "nosniff")])
    return [body]


def _is_utf8(content_type: str) -> bool:
    """Whether the charset is UTF-8 or ASCII. Python also knows codecs that are not charsets, such as `base64`."""
    try:
        _, parameters = parse_header_parameters(content_type)
        return codecs.lookup(parameters.get("charset", "utf-8")).name in ("utf-8", "ascii")
    except (LookupError, ValueError):
        return False
