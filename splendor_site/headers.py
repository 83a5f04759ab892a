"""Headers that every answer carries."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

from accounts import addresses

UNUSED = (
    "accelerometer", "browsing-topics", "camera", "display-capture",
    "geolocation", "gyroscope", "hid", "identity-credentials-get", "idle-detection", "local-fonts", "magnetometer",
    "microphone", "midi", "otp-credentials", "payment", "serial", "storage-access", "usb", "window-management",
    "xr-spatial-tracking",
)  # fmt: skip
"""Features of browsers that the site does without. It uses passkeys, the share sheet, the clipboard and sound."""
PERMISSIONS = ", ".join(f"{feature}=()" for feature in UNUSED)


class HeadersMiddleware:
    """Keeps the pages of a person out of every cache, and all pages without an address per language out of search
    engines. Tells browsers which features the site does without."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if settings.SESSION_COOKIE_NAME in {*request.COOKIES, *response.cookies}:
            patch_cache_control(response, private=True, no_store=True)
        page = request.resolver_match
        if page is None or not addresses.is_listed(page):
            response.headers["X-Robots-Tag"] = "noindex"
        return response
