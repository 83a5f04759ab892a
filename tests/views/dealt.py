"""Games that hide something, the same for ever: dealt from a number, played by chance with a taste for blind
reserves."""

import re
import secrets
from collections.abc import Sequence
from random import Random
from typing import Any
from unittest.mock import patch

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Position, Seat
from games.rules.base import Ruleset
from games.services import play, tables

CARD = re.compile(r"[123]-(?:white|blue|green|red|black|wild|none)-\d\d")
"""The id of a card, of either title."""


def deal(title: str, people: Sequence[User], seed: int) -> Game:
    """A game of those people that has just begun; anyone may watch it."""
    with patch.object(secrets, "token_bytes", Random(seed).randbytes):
        game = tables.create(people[0], tables.Plan(title, len(people), audience="anyone"))
    for person in people[1:]:
        tables.join(game, person)
    game.refresh_from_db()
    return game


def play_on(game: Game, seed: int, decisions: int) -> None:
    """So many decisions more, fewer if the game ends: half of the reserves that there may be come from a deck."""
    rng = Random(seed)
    for _ in range(decisions):
        if not game.is_active:
            return
        legal = [str(action) for action in play.look(game, actor(game)).legal]
        blind = [text for text in legal if text.startswith("reserve L")]
        buys = [text for text in legal if text.startswith("buy")]
        choice = rng.choice(blind if blind and rng.random() < 0.5 else buys or legal)
        play.submit(game, play.Actor(actor(game)), game.number, [choice])


def actor(game: Game) -> User:
    """The person who is to act."""
    user = Seat.objects.select_related("user").get(game=game, index=game.to_act).user
    assert user is not None
    return user


def ruleset(game: Game) -> Ruleset[Any, Any]:
    return TITLES[game.title].ruleset


def state(game: Game) -> Any:
    """Everything about the position, secrets included."""
    return ruleset(game).load(Position.objects.get(game=game).state)
