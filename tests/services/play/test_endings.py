"""What decided a finished game, in a few words to each player."""

import pytest

from games.models import Game, Seat
from games.services.play import endings

NAMES = ("Ann", "Ben", "Cleo")


def seats(**third: object) -> list[Seat]:
    return [
        Seat(user_id=1, index=0, score=16, won=True),
        Seat(user_id=2, index=1, score=12),
        Seat(user_id=3, index=2, score=15, **third),
    ]


@pytest.mark.parametrize(
    ("third", "words"),
    [({}, "By 1 point."), ({"caretaker": "greedy"}, "By 4 points."), ({"resigned": True}, "By 4 points."),
     ({"absent": True}, "By 4 points.")],
)  # fmt: skip
def test_the_winner_is_compared_with_those_who_stayed(third: dict[str, object], words: str) -> None:
    game = Game(title="splendor", ending=Game.Ending.PLAYED)
    assert endings.in_brief(game, seats(**third), NAMES, 1) == words
    assert endings.in_brief(game, seats(**third), NAMES, 2) == "By 4 points."
