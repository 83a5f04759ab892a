"""Tags and filters for the pages around the board."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from markupsafe import Markup

from accounts.models import User
from games import wording
from games.catalogue import TITLES
from games.models import Game, Seat
from games.pages.dashboard import TableRow
from games.pages.week import Week
from games.services.clocks.moment import now
from games.wording import phrases, splendor_board, times

register = template.Library()


@register.filter
def title_name(slug: str) -> str:
    """“Splendor Duel”."""
    return TITLES[slug].ruleset.name


@register.filter
def title_mark(slug: str) -> str:
    return TITLES[slug].mark


@register.filter
def about(game: Game, number: int) -> str:
    """“Splendor · round 12”."""
    return phrases.about([title_name(game.title)], number)


@register.filter
def places(game: Game, seats: Sequence[Seat]) -> list[Seat | None]:
    """One entry for each seat of the game, in order; `None` if it is free."""
    return [*seats, *[None] * (game.seats - len(seats))]


@register.filter
def free(game: Game, seats: Sequence[Seat]) -> int:
    """The number of free seats."""
    return game.seats - len(seats)


@register.filter
def gem_name(kind: str) -> str:
    return phrases.gem_name(kind)


@register.filter
def card_name(board: Any, card: str) -> str:
    """Everything that a card of that board of Splendor shows."""
    return splendor_board.card_name(board.card(card))


@register.filter
def names(seats: Iterable[Seat | User]) -> str:
    """“alice, bob and Greedy bot”."""
    return phrases.names(seats)


@register.simple_tag(takes_context=True)
def profile_link(context: template.Context, user: User) -> str:
    """The name of a user, with a link to their profile for readers who may look it up."""
    name = Markup("<bdi>{}</bdi>").format(user.called)
    reader = context["user"]
    if not reader.is_authenticated or user.is_guest or not user.is_active:
        return name
    address, card = (reverse(view, args=[user.username]) for view in ("profile", "profile_card"))
    return Markup('<a href="{}" data-card-address="{}">{}</a>').format(address, card, name)


@register.filter
def ago(then: datetime) -> str:
    """“3 hours ago”, in one unit."""
    return times.ago(then, now())


@register.filter
def rules_address(slug: str) -> str:
    """The address of the rules of that title; empty if it has no such page."""
    return reverse("rules", args=[slug]) if TITLES[slug].pieces else ""


register.simple_tag(wording.signs)


@register.filter
def instant(at: datetime) -> str:
    """“today 21:30”, for the reader."""
    return times.instant(at, now())


@register.filter
def pace(game: Game) -> str:
    """“about two weeks”."""
    return times.pace(game)


@register.simple_tag(takes_context=True)
def group(
    context: template.Context,
    *,
    heading: str,
    rows: Sequence[TableRow],
    go: str,
    place: str,
    kind: str = "",
    is_part: bool = False,
) -> str:
    """One group of tables, with a row for each; nothing if it is empty."""
    if not rows:
        return ""
    shown = {"heading": heading, "rows": rows, "go": go, "place": place, "kind": kind, "is_part": is_part}
    return Markup(render_to_string("games/_group.jinja", shown, context["request"], using="jinja"))


@register.simple_tag
def week_chart(week: Week | None) -> str:
    """The coming deadlines as a chart; nothing if there are too few."""
    return Markup(render_to_string("games/_week.jinja", {"week": week}, using="jinja")) if week else ""
