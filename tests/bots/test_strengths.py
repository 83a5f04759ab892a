"""The five strengths, from *beginner* to *strongest*."""

from games.bots.engines import PLAYERS
from games.bots.strengths import STRENGTHS
from games.catalogue import TITLES
from games.services.play import CARETAKER

NAMES = list(STRENGTHS)


def test_every_title_has_the_five_strengths() -> None:
    assert NAMES == ["beginner", "easy", "medium", "hard", "strongest"]
    assert all(set(NAMES) < set(title.bots) for title in TITLES.values())


def test_a_caretaker_is_never_above_medium() -> None:
    """`greedy` and `random` look no further than the action at hand."""
    assert CARETAKER in {"random", "greedy", *NAMES[: NAMES.index("medium") + 1]}


def test_each_strength_has_a_wider_limit_than_the_one_below() -> None:
    for bots in PLAYERS.values():
        assert bots.beginner().eager
        assert not bots.easy().eager
        assert 0 < bots.easy().share <= 1
        medium, hard, strongest = (bot.sims for bot in (bots.medium(), bots.hard(), bots.strongest()))
        assert medium is not None
        assert hard is not None
        assert medium < hard
        assert strongest is None  # bounded by time, and by the memory of the search
