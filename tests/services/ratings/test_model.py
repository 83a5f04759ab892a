"""The arithmetic of ratings."""

from datetime import timedelta
from math import exp

import pytest

from bench import ratings_people
from games.services.ratings import model
from games.services.ratings.model import NEW, SHARE, Rating, rated, weight
from tests.tree import ROOT

KNOWN = Rating(1000, 40)


def changes(before: list[Rating], ranks: list[int], recent: list[float] | None = None) -> list[float]:
    """The changes of the ratings; every seat has the same recent changes against each opponent."""
    past = [[recent or []] * (len(before) - 1)] * len(before)
    after = rated(before, ranks, past)
    return [moved.rating.points - old.points for moved, old in zip(after, before, strict=True)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_better_rank_gains_and_the_worst_loses(seats: int) -> None:
    moved = changes([NEW] * seats, [*range(seats)])
    assert moved == sorted(moved, reverse=True)
    assert moved[0] > 0 > moved[-1]
    assert all(after.rating.uncertainty < 200 for after in rated([NEW] * seats, [*range(seats)], [[[]]] * seats))


def test_the_order_of_the_seats_does_not_matter() -> None:
    assert changes([KNOWN, NEW], [1, 2]) == changes([NEW, KNOWN], [2, 1])[::-1]


def test_equal_players_who_share_the_victory_keep_their_ratings() -> None:
    assert changes([KNOWN, KNOWN], [1, 1]) == [0, 0]


def test_the_favourite_gains_less_as_in_elos_formula() -> None:
    sure = [Rating(1200, 1), Rating(1000, 1)]
    won, lost = changes(sure, [1, 2])[0], changes(sure, [2, 1])[0]
    assert won / (won - lost) == pytest.approx(1 - 10 / (10 + 10**0.5), abs=0.01)
    assert exp(400 / model.SCALE) == pytest.approx(10)


def test_a_fourth_game_in_thirty_days_counts_half() -> None:
    assert [weight(games) for games in range(6)] == [1, 1, 1, 0.5, 0.25, 0.125]
    assert changes([KNOWN, KNOWN], [1, 2], [0, 0, 0])[0] == pytest.approx(changes([KNOWN, KNOWN], [1, 2])[0] / 2)


def test_at_a_table_with_others_the_weight_is_the_mean() -> None:
    first, *_others = rated([KNOWN] * 3, [1, 2, 3], [[[0, 0, 0], []], [[], []], [[], []]])
    assert first.weight == 0.75


def test_one_opponent_moves_a_rating_only_so_far() -> None:
    most = SHARE * KNOWN.uncertainty
    assert changes([KNOWN, KNOWN], [1, 2], [most - 1]) == [1, pytest.approx(changes([KNOWN, KNOWN], [1, 2])[1])]
    assert changes([KNOWN, KNOWN], [1, 2], [most + 1])[0] == 0
    assert changes([KNOWN, KNOWN], [2, 1], [-most - 1])[0] == 0


@pytest.mark.parametrize(("seats", "least"), [(2, 0.90), (3, 0.93), (4, 0.94)])
def test_thirty_games_order_people(seats: int, least: float) -> None:
    """The goals are medians of 20 seeds (docs/ratings.md); single seeds fall a little below them."""
    ours, ceiling, _uncertainty = ratings_people.ranking(seats, 200, seed=1)
    assert least <= ours <= ceiling + 0.01


def test_a_friend_who_gives_games_away_lifts_nobody_far() -> None:
    assert 0 < max(ratings_people.gifts(seed=1)) <= 0.05


def test_docs_name_the_numbers_of_the_model() -> None:
    told = " ".join((ROOT / "docs" / "ratings.md").read_text().split())
    assert f"| {model.START:g} | the scale of the bots |" in told
    assert f"| {model.SPREAD:g} | strengths of people differ" in told
    assert f"| {model.DRIFT:g} | people change" in told
    assert f"uncertainty is greater than {model.SMALL:g} points" in told
    assert f"in the {model.WINDOW.days} days before" in told
    assert not model.WINDOW % timedelta(days=1)
    assert (model.FULL, model.SHARE) == (3, 1 / 5)
    assert "fewer than three times" in told
    assert "no more than a fifth" in told
