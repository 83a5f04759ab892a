"""How search engines and home screens find the site."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts import addresses
from accounts.letterhead import colours
from games.catalogue import TITLES
from games.pages.learn import taught
from games.templatetags import site

Page = tuple[str, dict[str, Any]]
"""The name and the arguments of an address."""


class Pages(Sitemap):  # type: ignore[type-arg]
    """The pages of `in_each_language` in `games.urls`, each in every language and with its addresses in the others."""

    i18n = alternates = x_default = True
    protocol = urlsplit(settings.SITE_URL).scheme

    def items(self) -> list[Page]:
        return list(_pages())

    def location(self, item: Page) -> str:
        name, arguments = item
        return reverse(f"{addresses.SPACE}:{name}", kwargs={**arguments, "language": get_language()})

    def get_domain(self, site: object = None) -> str:
        return urlsplit(settings.SITE_URL).netloc


def _pages() -> Iterator[Page]:
    yield "home", {}
    for slug, title in TITLES.items():
        if title.pieces:
            yield "rules", {"title": slug}
            yield "rules_summary", {"title": slug}
    yield "learn", {}
    for slug, lessons in taught().items():
        for number in range(1, len(lessons.LESSONS) + 1):
            yield "lesson", {"title": slug, "number": number}


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """The address for reports of weaknesses, as RFC 9116 wants it; 404 if the host gives none."""
    if not site.contact():
        raise Http404
    # Each answer is valid for long enough to be read.
    expires = (timezone.now() + timedelta(days=30)).isoformat(timespec="seconds")
    return HttpResponse(f"Contact: {site.contact()}\nExpires: {expires}\n", content_type="text/plain; charset=utf-8")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Crawlers may read every page, but not follow the decisions, filters and forms that a query holds."""
    lines = ("User-agent: *", "Disallow: /*?", "", f"Sitemap: {settings.SITE_URL}{reverse('sitemap')}", "")
    return HttpResponse("\n".join(lines), content_type="text/plain")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The site on a home screen opens with its player's tables."""
    icons = [("192", "any"), ("512", "any"), ("maskable", "maskable")]
    return JsonResponse(
        {
            "id": "/",
            "name": settings.SITE_NAME,
            "short_name": settings.SITE_NAME,
            "start_url": reverse("mine"),
            "scope": "/",
            "display": "standalone",
            "theme_color": colours()["rail"],
            "background_color": colours()["table"],
            "icons": [
                {
                    "src": static(f"games/icons/{name}.png"),
                    "sizes": "192x192" if name == "192" else "512x512",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, purpose in icons
            ],
        },
        content_type="application/manifest+json",
    )
