"""Addresses of pages in each language: `/rules/duel/` follows its reader, and `/fr/rules/duel/` is always French."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import NoReverseMatch, Resolver404, URLPattern, path, register_converter, resolve, reverse
from django.urls.converters import SlugConverter
from django.urls.resolvers import ResolverMatch
from django.utils import translation

SPACE = "in_language"
"""The namespace of the addresses with a language."""


class LanguageConverter(SlugConverter):
    def to_python(self, value: str) -> str:
        if value not in dict(settings.LANGUAGES):
            raise ValueError(value)
        return value


register_converter(LanguageConverter, "language")


def with_language(pages: Iterable[URLPattern]) -> list[URLPattern]:
    """The addresses of these pages behind the code of a language."""
    return [path(f"<language:language>/{page.pattern}", _fixed(page.callback), name=page.name) for page in pages]


def _fixed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def fixed(request: HttpRequest, language: str, **arguments: Any) -> HttpResponse:
        with translation.override(language):
            response = view(request, **arguments)
        response.headers["Content-Language"] = language
        # The pages that follow their reader continue in this language.
        if language != translation.get_language_from_request(request):
            keep(response, language)
        return response

    return fixed


def keep(response: HttpResponse, language: str) -> None:
    """Remember a visitor's language in this browser."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


def translated(address: str, language: str) -> str:
    """The same page in that language with the same query, if the address names a language; otherwise the address
    itself."""
    parts = urlsplit(address)
    try:
        page = resolve(parts.path)
    except Resolver404:
        return address
    if page.namespace != SPACE:
        return address
    path = reverse(page.view_name, kwargs={**page.kwargs, "language": language})
    return parts._replace(scheme="", netloc="", path=path).geturl()


def alternates(page: ResolverMatch) -> Iterator[tuple[str, str]]:
    """The page in each language as code and absolute address; nothing for a page that has a single address."""
    if page.namespace not in ("", SPACE):
        return
    arguments = {name: value for name, value in page.kwargs.items() if name != "language"}
    for code, _name in settings.LANGUAGES:
        try:
            place = reverse(f"{SPACE}:{page.url_name}", kwargs={**arguments, "language": code})
        except NoReverseMatch:
            return
        yield code, f"{settings.SITE_URL}{place}"
    yield "x-default", f"{settings.SITE_URL}{reverse(str(page.url_name), kwargs=arguments)}"


def is_listed(page: ResolverMatch) -> bool:
    """Whether search engines may list the page: only pages that have an address in each language."""
    return any(alternates(page))
