"""Games with hidden cards: their readers, what each may know, and the cards that a text names."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from accounts.models import User
from games.models import Game
from games.models.position import Position
from games.rules.base import Step
from tests.factories import deal, person, play_on, ruleset, state

CARD = re.compile(r"[123]-(?:white|blue|green|red|black|wild|none)-\d\d")
"""The id of a card, of either title."""
Reader = User | None
GAMES = [
    pytest.param(("splendor", 2, 25), marks=pytest.mark.long),
    ("splendor", 3, 31),
    pytest.param(("splendor", 4, 14), marks=pytest.mark.long),
    pytest.param(("duel", 2, 8), marks=pytest.mark.long),
    ("duel", 2, 30),
]
"""Title, seats, number of decisions made."""


def players(seats: int) -> list[User]:
    return [person(name) for name in ("alice", "bob", "dora", "emil")[:seats]]


Fits = Callable[[Game], bool]
SEEDS: dict[tuple[str, int, int, Fits], int] = {}
"""The first suitable seeds, once they are found."""


def begins_turn(game: Game) -> bool:
    return game.number == game.turn_number


def hides_from_others(game: Game) -> bool:
    """Whether the seat to act holds a card that nobody else knows."""
    return any(held.blind for held in hands(state(game))[game.to_act or 0])


def hiding(title: str, seats: int, decisions: int, fits: Fits = lambda game: True) -> Game:
    """A game after that many decisions, in which at least two seats hold a card that nobody else knows."""
    people, asked = players(seats), (title, seats, decisions, fits)
    for seed in count(SEEDS.get(asked, 0)):
        game = deal(title, people, seed)
        play_on(game, seed, decisions)
        hidden = [hand for hand in hands(state(game)) if any(held.blind for held in hand)]
        if game.is_active and len(hidden) > 1 and fits(game):
            SEEDS[asked] = seed
            return game
        game.delete()
    raise AssertionError


def readers(game: Game) -> Iterator[tuple[Reader, int | None]]:
    """Every player with their seat, then a stranger and an anonymous reader without one."""
    yield from ((seat.user, seat.index) for seat in game.seat_set.select_related("user"))
    yield User.objects.filter(username="charlie").first() or person("charlie"), None
    yield None, None


def steps(game: Game) -> list[Step[Any]]:
    """The whole game from its seed: the set-up, then each decision."""
    notations = game.move_set.order_by("number").values_list("notation", flat=True)
    found = list(ruleset(game).replay(game.seats, state(game).seed, notations))
    assert found[-1].state == state(game)
    return found


def known(game: Game, at: Any, seat: int | None) -> set[str]:
    """The cards that the seat sees on the table and in hands. Pages show purchased cards as sums, and do not show
    undealt cards."""
    seen = ruleset(game).observe(at, seat)
    rows = seen.rows if game.title == "splendor" else seen.pyramid
    hands = [held.card for player in seen.players for held in player.reserved]
    return {card for card in (*(card for row in rows for card in row), *hands) if card}


def hands(at: Any) -> list[Any]:
    return [player.reserved for player in at.players]


def hidden_from(at: Any, seat: int | None) -> set[str]:
    """The cards that the seat must not know: those of the decks, and those that others reserved blind."""
    others = [held for place, hand in enumerate(hands(at)) for held in hand if place != seat]
    return {card for deck in at.decks for card in deck} | {held.card for held in others if held.blind}


def named(text: str) -> set[str]:
    return set(CARD.findall(text))


def proofs(game: Game, text: str) -> set[str]:
    """The parts of a text that reveal the seed or the commitment."""
    position = Position.objects.get(game=game)
    told = {
        "seed": state(game).seed.hex(),
        "stored seed": position.state["seed"],
        "spelled seed": repr(state(game).seed),
        "commitment": game.commitment,
    }
    return {name for name, spelling in told.items() if spelling in text}
