"""A tag and a filter for the pages of ratings."""

from django import template

from games.templatetags.tables import title_name
from games.wording import ratings

register = template.Library()
register.filter("signed", ratings.signed)
register.filter("rating_change", ratings.rating_change)


@register.simple_tag
def pool(title: str, seats: int, bots: bool = False) -> str:
    """“Splendor · 3 players”, or “Splendor · 3 players, with bots”."""
    return ratings.pool(title_name(title), seats, bots)
