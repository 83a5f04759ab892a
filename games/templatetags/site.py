from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext

from games.catalogue import TITLES
from games.models import Game, Preview
from games.services.moderation import announcements
from games.wording import phrases

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """The name of the site. This is a tag because the page for error 500 is rendered without a context."""
    name: str = settings.SITE_NAME
    return name


@register.simple_tag
def sign_up() -> str:
    """Whether sign-up is `open`, by `invitation` or `closed`."""
    choice: str = settings.SIGN_UP
    return choice


@register.simple_tag
def contact() -> str:
    """The address of the link to the owner of the site; empty if they give none."""
    address: str = settings.CONTACT
    return f"mailto:{address}" if "@" in address and ":" not in address else address


@register.simple_tag
def of_host() -> list[tuple[str, str]]:
    """The address and the name of each link to the owner of the site: the contact, and the legal notice."""
    links = [(contact(), gettext("Contact")), (settings.LEGAL_NOTICE, gettext("Legal notice"))]
    return [(address, name) for address, name in links if address]


@register.simple_tag
def announcement() -> str:
    """The line that the operator shows on every page; empty if there is none."""
    return announcements.current()


@register.simple_tag
def books() -> list[tuple[str, str]]:
    """The slug and the name of each title with a page of its rules."""
    return [(slug, title.ruleset.name) for slug, title in TITLES.items() if title.pieces]


@dataclass(frozen=True)
class Link:
    """The facts that chats show beside a link to a page."""

    name: str
    """The name of the page's title; that of the site if the page belongs to none."""
    titles: str
    """The names of all titles, as a list in words."""
    picture: str
    """The absolute address of a picture of 1200 × 630 pixels."""


@register.simple_tag(takes_context=True)
def shared(context: template.Context) -> Link:
    """The facts that chats show beside a link to this page. Its `game` or `slug` names the title that it belongs to.
    Takes a query for visitors of a finished game that everybody may find."""
    game: Any = context.get("game")
    slug = str(context.get("slug", ""))
    title = TITLES.get(getattr(game, "title", slug))
    name, picture = (title.ruleset.name, title.picture) if title else (settings.SITE_NAME, "games/pictures/site.png")
    address = static(picture)
    if _may_have_preview(game, context.get("user")) and Preview.objects.shown().filter(game=game).exists():
        address = reverse("preview", args=[game.key])
    titles = phrases.join([title.ruleset.name for title in TITLES.values()])
    return Link(name, titles, f"{settings.SITE_URL}{address}")


def _may_have_preview(game: Any, user: Any) -> bool:
    """Whether to look for a preview. Chats are visitors without an account, so the pages of users need none."""
    public = isinstance(game, Game) and game.audience == Game.Audience.ANYONE
    return public and game.status == Game.Status.FINISHED and not (user and user.is_authenticated)
