"""Brings a running game near its end: `python -m tests.live.late KEY LEFT`, in the environment of a site, while a
person is to act. Greedy bots play until about LEFT decisions are left and the same person is to act."""

import sys
from random import Random

import django


def main(key: str, left: int) -> None:
    django.setup()
    from games.models import Game  # needs Django to be set up
    from games.services.versions import polls
    from tests.factories import put, state, to_the_end

    game = Game.objects.get(key=key)
    states = [at for at, _ in to_the_end(game.title, state(game), Random(1))]
    # The clock of the player to act keeps running.
    put(game, next(late for late in reversed(states[:-left]) if late.to_act == game.to_act))
    polls.remember_written(game)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
