"""The titles that can be played: the only list of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from games.boards import duel, splendor
from games.bots.base import Bot
from games.rules.base import Ruleset
from games.rules.duel.ruleset import Duel
from games.rules.splendor.ruleset import Splendor


@dataclass(frozen=True, slots=True)
class Title:
    """A ruleset with its board, the function that builds what the templates draw, and its bots: by name the class, as
    `package.module:Class`, loaded when it is wanted."""

    ruleset: Ruleset[Any, Any]
    board: Callable[..., Any]
    bots: Mapping[str, str]

    def bot(self, name: str) -> Bot[Any]:
        """A new bot of that name; raises `KeyError` if there is none."""
        bot: Bot[Any] = resolve_name(self.bots[name])()
        return bot


RANDOM = "games.bots.random_bot:RandomBot"

TITLES: dict[str, Title] = {
    "splendor": Title(Splendor(), splendor.build, {"random": RANDOM, "greedy": "games.bots.splendor.greedy:Greedy"}),
    "duel": Title(Duel(), duel.build, {"random": RANDOM, "greedy": "games.bots.duel.greedy:Greedy"}),
}
