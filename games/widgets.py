"""Form widgets: choices with a sentence about each."""

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms

from games import wording
from games.bots import strengths
from games.catalogue import TITLES

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Described(forms.RadioSelect):
    """Radio buttons with a sentence about each choice, which the template finds as `data.hint`."""

    def __init__(self, hints: "Mapping[str, StrPromise | str]") -> None:
        super().__init__()
        self.hints = hints

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        return super().create_option(name, value, *args, **kwargs) | {"hint": self.hints.get(str(value), "")}


class Titles(forms.RadioSelect):
    """The titles, each with its picture and a line about it."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        title = TITLES[value]
        return super().create_option(name, value, *args, **kwargs) | {
            "picture": f"{title.templates}/_picture.html",
            "opening": title.opening(secrets.token_bytes(32)),
            "blurb": wording.blurb(value),
        }


class Strengths(Described):
    """Bots with their ratings: `data.ratings` holds title, number of seats and rating."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        found = (strength.ratings for strength in strengths.STRENGTHS if strength.name == value)
        ratings = [(*where, rating) for each in found for where, rating in each.items()]
        return super().create_option(name, value, *args, **kwargs) | {"ratings": ratings}
