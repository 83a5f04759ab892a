"""Pages of a long list, newest first. A page is found by the row before or after it instead of by its number, so a far
page costs no more than the first one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Self, TypeVar

from django.db.models import Model, Q, QuerySet
from django.http import QueryDict
from django.utils.dateparse import parse_datetime

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Place:
    """A place in a list: between a row and its neighbour. In an address it is `2026-05-04T12:00:00Z.17`."""

    at: datetime
    pk: int
    is_newer: bool
    """Whether the page holds newer rows than this one, instead of older ones."""

    @classmethod
    def of(cls, query: QueryDict) -> Self | None:
        """The place that an address names, in `newer` or `older`; `None` if it names none."""
        for name in ("newer", "older"):
            date, _dot, pk = query.get(name, "").rpartition(".")
            try:
                at = parse_datetime(date)
            except ValueError:
                continue
            if at and at.tzinfo and pk.isascii() and pk.isdecimal() and len(pk) < 19:
                return cls(at, int(pk), name == "newer")
        return None


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a list, and the places of the pages beside it; `None` where the list ends."""

    rows: Sequence[Row]
    newer: str | None
    older: str | None

    @property
    def is_part(self) -> bool:
        """Whether the list has other rows."""
        return bool(self.newer or self.older)


def page(rows: QuerySet[Row], date: str, key: str, size: int, place: Place | None) -> Page[Row]:
    """At most `size` rows at that place, or the newest ones, by the fields `date` and, among equals, `key`."""
    is_newer = place is not None and place.is_newer
    if place:
        side = "gt" if is_newer else "lt"
        beyond = Q(**{f"{date}__{side}": place.at}) | Q(**{date: place.at, f"{key}__{side}": place.pk})
        # This says no more than `beyond`, but lets the database begin there in its index.
        bound = Q(**{f"{date}__{side}e": place.at})
        rows = rows.filter(bound, beyond)
    order = (date, key) if is_newer else (f"-{date}", f"-{key}")
    found = list(rows.order_by(*order)[: size + 1])
    goes_on, found = len(found) > size, found[:size]
    if is_newer:
        found.reverse()
    has_newer, has_older = (goes_on, True) if is_newer else (place is not None, goes_on)
    names = [f"{getattr(row, date).isoformat().replace('+00:00', 'Z')}.{getattr(row, key)}" for row in found]
    return Page(found, names[0] if names and has_newer else None, names[-1] if names and has_older else None)
