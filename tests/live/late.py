"""Brings a running game near its end: `python -m tests.live.late KEY LEFT`, in the environment of a site, while a
person is to act. Greedy bots play it until about LEFT decisions are left and the same person is to act."""

import sys
from random import Random
from typing import Any

import django


def main(key: str, left: int) -> None:
    django.setup()
    from games.bots.base import Limit  # needs Django to be set up
    from games.catalogue import TITLES
    from games.models import Game
    from tests.factories import put, state

    game = Game.objects.get(key=key)
    ruleset, bot, rng = TITLES[game.title].ruleset, TITLES[game.title].bot("greedy"), Random(1)
    at: Any = state(game)
    states = []
    while at.to_act is not None:
        states.append(at)
        at = ruleset.apply(
            at, bot.choose(ruleset.observe(at, at.to_act), ruleset.legal_actions(at), rng, Limit())
        ).state
    # The clock of the player to act keeps running.
    put(game, next(late for late in reversed(states[:-left]) if late.to_act == game.to_act))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
