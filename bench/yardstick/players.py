"""The bot for matches only that plays with the network of the yardstick."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from games.bots.base import Bot, Limit, Spent
from games.bots.instinct import Instinct
from games.bots.search import Searcher
from games.rules.base import Action


class Borrowing(Bot[Any]):
    """Our search with the yardstick's network for two seats, or that network without a search."""

    def __init__(self, home: Path, searches: bool = True) -> None:
        self.home, self.searches = home, searches
        self.bot: Bot[Any] | None = None
        self.first: Any = None
        self.current_round = 1

    def inform(self, first: Any, current_round: int) -> None:
        self.first, self.current_round = first, current_round

    def choose(self, seen: Any, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        if self.bot is None:
            # This import needs the yardstick.
            from bench.yardstick.network import Borrowed
            from games.bots.engines import ENGINES

            self.network = Borrowed(self.home)
            kind = Searcher if self.searches else Instinct
            self.bot = kind(ENGINES["splendor"], lambda *_: self.network.evaluate)
        self.network.look(self.first, self.current_round, seen)
        return self.bot.choose(seen, legal, rng, limit)

    def spent(self) -> Spent:
        return self.bot.spent() if self.bot else Spent()
