"""Pages of a long list, newest first. A page is found by the row before or after it instead of by its number, so a far
page costs no more than the first one. A page of the rows that fit a search looks at a fixed number of rows at most."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, Self, TypeVar

from django.db.models import Model, Q, QuerySet
from django.http import QueryDict
from django.utils.dateparse import parse_datetime

Row = TypeVar("Row", bound=Model)
LOOKED = 300
"""The maximum number of rows that a search looks at for one page."""


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
                named = at.astimezone(UTC) if at and at.tzinfo else None
            except (ValueError, OverflowError):
                continue
            if named and pk.isascii() and pk.isdecimal() and len(pk) < 19:
                return cls(named, int(pk), name == "newer")
        return None


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a list, and the places of the pages beside it; `None` where the list ends."""

    rows: Sequence[Row]
    newer: str | None
    older: str | None
    looked_to: datetime | None = None
    """The date of the last row that a search looked at, if it left others for the next page."""

    @property
    def is_part(self) -> bool:
        """Whether the list has other rows."""
        return bool(self.newer or self.older)


def page(
    rows: QuerySet[Row], date: str, key: str, size: int, place: Place | None, sought: Q | None = None
) -> Page[Row]:
    """At most `size` rows at that place, or the newest ones, by the fields `date` and, among equals, `key`. With
    `sought`, only those of the next rows that fit it, and fewer than `size` if few fit."""
    is_newer = place is not None and place.is_newer
    side, back = ("gt", "lt") if is_newer else ("lt", "gt")
    if place:
        rows = rows.filter(_on(side, date, key, place.at, place.pk))
    order = (date, key) if is_newer else (f"-{date}", f"-{key}")
    rows, last = rows.order_by(*order), None
    if sought:
        edge = list(rows.values_list(date, key)[LOOKED - 1 : LOOKED + 1])
        if len(edge) == 2:
            last = edge[0]
            rows = rows.filter(_on(back, date, key, last[0], last[1], "e"))
        rows = rows.filter(sought)
    found = list(rows[: size + 1])
    goes_on, found = len(found) > size, found[:size]
    names = [_name(getattr(row, date), getattr(row, key)) for row in found]
    looked_to = last if not goes_on else None
    end = _name(*looked_to) if looked_to else None
    near, far = (names[0] if names else end), (names[-1] if goes_on else end)
    if is_newer:
        return Page(found[::-1], far, near, looked_to and looked_to[0])
    return Page(found, near if place else None, far, looked_to and looked_to[0])


def _on(side: str, date: str, key: str, at: datetime, pk: int, itself: str = "") -> Q:
    """The rows on that side of a row, `lt` or `gt`, and with `e` the row itself."""
    beyond = Q(**{f"{date}__{side}": at}) | Q(**{date: at, f"{key}__{side}{itself}": pk})
    # This says no more than `beyond`, but lets the database begin there in its index.
    return Q(**{f"{date}__{side}e": at}) & beyond


def _name(at: datetime, pk: int) -> str:
    """The place beside that row, for an address."""
    return f"{at.isoformat().replace('+00:00', 'Z')}.{pk}"
