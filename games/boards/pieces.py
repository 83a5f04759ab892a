"""The selection of cards on the rules page of a title: those that pass the reader's filters."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

Card = TypeVar("Card")
Asked = Mapping[str, str]
"""The values that the reader asks for, by filter. Unknown ones count as none."""


@dataclass(frozen=True, slots=True)
class Trait(Generic[Card]):
    """A filter: the values to choose from, and those that a card has."""

    values: tuple[str, ...]
    of: Callable[[Card], Collection[str]]


@dataclass(frozen=True, slots=True)
class Chip:
    """A value of a filter; empty for all cards."""

    value: str
    query: str
    """The query that chooses it and keeps the other filters."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class Filter:
    name: str
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Selection(Generic[Card]):
    """The cards that pass the filters, of all `total` cards."""

    cards: tuple[Card, ...]
    total: int
    filters: tuple[Filter, ...]
    chosen: tuple[tuple[str, str], ...]
    """The filters in use, each with its value."""


def select(cards: Iterable[Card], traits: Mapping[str, Trait[Card]], asked: Asked) -> Selection[Card]:
    chosen = {name: asked[name] for name, trait in traits.items() if asked.get(name) in trait.values}
    every = tuple(cards)
    return Selection(
        cards=tuple(card for card in every if all(value in traits[name].of(card) for name, value in chosen.items())),
        total=len(every),
        filters=tuple(Filter(name, tuple(_chips(name, trait.values, chosen))) for name, trait in traits.items()),
        chosen=tuple(chosen.items()),
    )


def _chips(name: str, values: tuple[str, ...], chosen: dict[str, str]) -> Iterator[Chip]:
    for value in ("", *values):
        query = {other: kept for other, kept in (chosen | {name: value}).items() if kept}
        yield Chip(value, f"?{urlencode(query)}", chosen.get(name, "") == value)
