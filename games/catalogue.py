"""The catalogue: the only list of titles."""

from collections.abc import Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from games.boards import duel, splendor
from games.boards.common import Build
from games.bots.base import Bot
from games.bots.strengths import STRENGTHS
from games.rules.base import Ruleset
from games.rules.duel.ruleset import Duel
from games.rules.splendor.ruleset import Splendor


@dataclass(frozen=True, slots=True)
class Title:
    """A ruleset with its board, the function that builds what the templates draw, and its bots: by name what makes one,
    as `package.module:maker`, loaded when it is wanted."""

    ruleset: Ruleset[Any, Any]
    board: Build
    bots: Mapping[str, str]

    def bot(self, name: str) -> Bot[Any]:
        """A new bot of that name; raises `KeyError` if there is none."""
        bot: Bot[Any] = resolve_name(self.bots[name])()
        return bot


def _plain(slug: str) -> dict[str, str]:
    """The bots that every title has, as dotted paths by name."""
    return {"random": "games.bots.random_bot:RandomBot", "greedy": f"games.bots.{slug}.greedy:Greedy"}


def _looking_ahead(slug: str) -> dict[str, str]:
    """The bots of a title with a core: the strengths, and the bot they are measured against."""
    names = [*(strength.name for strength in STRENGTHS), "plain"]
    return {name: f"games.bots.players:{slug}.{name}" for name in names}


TITLES: dict[str, Title] = {
    "splendor": Title(Splendor(), splendor.build, _plain("splendor") | _looking_ahead("splendor")),
    "duel": Title(Duel(), duel.build, _plain("duel") | _looking_ahead("duel")),
}
