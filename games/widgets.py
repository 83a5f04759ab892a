"""Form widgets: choices with a sentence about each."""

import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django import forms

from games import wording
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


class Said(forms.RadioSelect):
    """Radio buttons for numbers, each with the words for it in a sentence about the whole form."""

    def __init__(self, say: Callable[[int], str | int]) -> None:
        super().__init__()
        self.say = say

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-said"] = self.say(value) or ""
        return option


class Titles(forms.RadioSelect):
    """The titles, each with its picture and a line about it."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        title = TITLES[value]
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-most"] = title.ruleset.seats[-1]
        return option | {
            "picture": f"{title.templates}/_picture.html",
            "opening": title.opening(secrets.token_bytes(32)),
            "blurb": wording.blurb(value),
        }


class Strengths(Described):
    """Bots with their ratings. `data.titles` holds the places of the titles that offer the bot, counted from 1;
    `data.ratings` holds place of the title, number of seats and rating."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        titles = list(enumerate(TITLES.values(), start=1))
        return super().create_option(name, value, *args, **kwargs) | {
            "titles": [place for place, title in titles if value in title.strengths],
            "ratings": [
                (place, seats, rating)
                for place, title in titles
                for seats, rating in title.ratings.get(str(value), {}).items()
            ],
        }
