"""Positions from games of chance and of the greedy bot, and how they come onto the table of a game."""

from functools import cache
from random import Random
from typing import Any

from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Position

SPECIAL = ("privilege", "payment")
"""What makes a position of another kind than that of its phase: that this can be done with it, or that a card can be
paid for in several ways."""
QUOTAS: dict[str, dict[str, int]] = {
    "splendor": {"main": 10, "payment": 2, "return": 6, "noble": 2},
    "duel": {"turn": 4, "privilege": 2, "payment": 1, "mandatory": 3}
    | dict.fromkeys(("attach", "match", "steal", "royal", "return"), 2),
}
"""How many positions of each kind a batch has."""
BATCHES = 10
COMMON = ("main", "turn")
LONGEST = 150
"""Decisions of a game at most."""


def kind(title: str, state: Any) -> str:
    """Which of the kinds above the position is."""
    options = TITLES[title].ruleset.legal_actions(state)
    if any(any(option.variants(state)) for option in options):
        return "payment"
    return "privilege" if any(option.word == "privilege" for option in options) else str(state.phases[0])


@cache
def positions(title: str, batch: int) -> tuple[Any, ...]:
    """The states of that batch, the same for ever: from games of all numbers of seats, at all stages."""
    ruleset, greedy = TITLES[title].ruleset, TITLES[title].bot("greedy")
    rng, number = Random(f"{title} {batch}"), batch
    found: dict[str, list[Any]] = {phase: [] for phase in QUOTAS[title]}
    while any(len(found[phase]) < quota for phase, quota in QUOTAS[title].items()):
        number += 1
        state = ruleset.initial(ruleset.seats[number % len(ruleset.seats)], rng.randbytes(32))
        whim = rng.choice((0.1, 1))
        while state.to_act is not None and state.number < LONGEST:
            what = kind(title, state)
            if len(found[what]) < QUOTAS[title][what] and rng.random() < (0.05 if what in COMMON else 0.5):
                found[what].append(state)
            options = ruleset.legal_actions(state)
            if rng.random() < whim:
                # Purchases first, so that cards, crowns and nobles come together.
                buys = [option for option in options if option.word == "buy"]
                action = rng.choice(buys if buys and rng.random() < 0.7 else options)
            else:
                action = greedy.choose(ruleset.observe(state, state.to_act), options, rng, Limit())
            state = ruleset.apply(state, action).state
    return tuple(state for states in found.values() for state in states)


def put(game: Game, state: Any) -> None:
    """The position on the table of that game, which has as many seats; what was played there is forgotten."""
    assert len(state.players) == game.seats
    game.move_set.all().delete()
    game.seat_set.update(seen_number=state.number)
    Position.objects.filter(game=game).update(state=TITLES[game.title].ruleset.dump(state))
    Game.objects.filter(pk=game.pk).update(
        status=Game.Status.ACTIVE, number=state.number, to_act=state.to_act, version=game.version + 1
    )
    game.refresh_from_db()
