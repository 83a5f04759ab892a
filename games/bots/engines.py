"""The titles with a core: those whose folder beside this module has a module `players`."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from random import Random

import games.bots
from games.bots.base import WARM_UP_LIMIT
from games.bots.players import Players
from games.rules.chance import SEED_BYTES

PLAYERS: dict[str, Players] = {
    folder.name: import_module(f"games.bots.{folder.name}.players").PLAYERS
    for folder in iter_modules(games.bots.__path__)
    if folder.ispkg and find_spec(f"games.bots.{folder.name}.players")
}
ENGINES = {slug: players.engine for slug, players in PLAYERS.items()}


def warm_up() -> None:
    """Choose once for every title and number of seats, so that everything is compiled and loaded."""
    for players in PLAYERS.values():
        ruleset = players.engine.ruleset
        for seats in ruleset.seats:
            state = ruleset.initial(seats, bytes(SEED_BYTES))
            for bot in (players.plain(), players.easy(), players.strongest()):
                bot.choose(ruleset.observe(state, 0), ruleset.legal_actions(state), Random(0), WARM_UP_LIMIT)


if __name__ == "__main__":
    warm_up()
