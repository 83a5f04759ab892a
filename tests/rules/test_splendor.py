"""Points of Splendor that scenarios cannot express: components, set-up, observations, and laws of whole random
games."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, pairwise
from random import Random

import pytest

from games.rules.base import Event, IllegalAction, Step
from games.rules.hand import Reserved, SeenReserved
from games.rules.splendor.cards import CARDS, COLOURS, NOBLES
from games.rules.splendor.ruleset import Splendor, supply
from games.rules.splendor.state import State

RULESET = Splendor()

every_seat_count = pytest.mark.parametrize("seats", [2, 3, 4])


@cache
def random_games(seats: int) -> list[list[Step[State]]]:
    """The steps of ten games played at random to the end, always the same ten."""
    rng = Random(seats)
    games = []
    for _ in range(10):
        game = [Step(RULESET.initial(seats, rng.randbytes(32)))]
        while game[-1].state.to_act is not None:
            state = game[-1].state
            game.append(RULESET.apply(state, rng.choice(RULESET.all_actions(state))))
        games.append(game)
    return games


def decisions(seats: int) -> Iterator[tuple[State, Step[State]]]:
    """Every decision of these games: the state before and the step."""
    return ((before.state, step) for game in random_games(seats) for before, step in pairwise(game))


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_two_to_four_seats(seats: int) -> None:
    """R1: the game is for two to four."""
    assert list(RULESET.seats) == [2, 3, 4]
    with pytest.raises(ValueError, match="seats"):
        RULESET.initial(seats, bytes(32))


@pytest.mark.parametrize("bank", [*combinations_with_replacement(range(5), 5)], ids=str)
def test_legal_takes_from_a_bank(bank: tuple[int, ...]) -> None:
    """R12-R17, R19."""
    left = {colour for colour, number in zip(COLOURS, bank, strict=True) if number}

    def allowed(taken: tuple[str, ...]) -> bool:
        if len(taken) == 2 and len(set(taken)) == 1:
            return bank[COLOURS.index(taken[0])] >= 4
        return len(set(taken)) == len(taken) and left >= {*taken} and (len(taken) == 3 or len(left) < 3)

    state = replace(RULESET.initial(2, bytes(32)), bank=(*bank, 5))
    picks = [taken for size in (1, 2, 3, 4) for taken in combinations_with_replacement(COLOURS, size)]
    takes = {f"take {''.join(taken)}" for taken in picks if allowed(taken)}
    assert {str(action) for action in RULESET.legal_actions(state) if action.word == "take"} == takes
    for taken in picks:
        if not allowed(taken):
            with pytest.raises(IllegalAction):
                RULESET.apply(state, RULESET.parse(f"take {''.join(taken)}"))


def test_components() -> None:
    """R2: 40 tokens, 90 cards and 10 nobles; R43: every card has one bonus, each colour equally often in each level."""
    assert supply(4) == (7, 7, 7, 7, 7, 5)
    assert Counter((card.level, COLOURS[card.bonus]) for card in CARDS.values()) == {
        (level, colour): number for level, number in ((1, 8), (2, 6), (3, 4)) for colour in "wugrk"
    }
    assert len(NOBLES) == 10


def test_examples_printed_in_the_rulebooks() -> None:
    """R2: two cards and a noble that the rulebooks show are in the data."""
    cards = [(card.level, COLOURS[card.bonus], card.prestige, card.cost) for card in CARDS.values()]
    assert cards.count((3, "u", 4, (6, 3, 0, 0, 3))) == 1
    assert cards.count((2, "r", 1, (0, 3, 0, 2, 3))) == 1
    assert [noble.needs for noble in NOBLES.values()].count((3, 3, 3, 0, 0)) == 1


def test_every_noble_gives_three_points() -> None:
    """R51. Each noble needs four bonuses of two colours or three of three."""
    assert [noble.prestige for noble in NOBLES.values()] == [3] * 10
    assert Counter(tuple(sorted(noble.needs)) for noble in NOBLES.values()) == {
        (0, 0, 0, 4, 4): 5,
        (0, 0, 3, 3, 3): 5,
    }


@pytest.mark.parametrize(("seats", "gems"), [(2, 4), (3, 5), (4, 7)])
def test_supply(seats: int, gems: int) -> None:
    """R4: the number of gems depends on the seats; there are always five gold."""
    assert RULESET.initial(seats, bytes(32)).bank == (gems, gems, gems, gems, gems, 5)


@every_seat_count
def test_set_up(seats: int) -> None:
    """R5: there is one noble more than seats. R6: four cards of each level are face up, the others in its deck. R7:
    nobody owns anything. R8: seat 0 begins."""
    state = RULESET.initial(seats, bytes(32))
    assert len(set(state.nobles)) == seats + 1
    assert [len(row) for row in state.rows] == [4, 4, 4]
    assert [sorted(map(str, row + deck)) for row, deck in zip(state.rows, state.decks, strict=True)] == [
        sorted(card.id for card in CARDS.values() if card.level == level) for level in (1, 2, 3)
    ]
    nothing = {"tokens": (0, 0, 0, 0, 0, 0), "cards": (), "reserved": (), "nobles": (), "points": 0}
    assert [{name: getattr(player, name) for name in nothing} for player in state.players] == [nothing] * seats
    assert state.to_act == 0


def test_set_up_is_random() -> None:
    """R5, R6: over many seeds, each noble and each card of a level is on the table equally often, within six standard
    deviations."""
    seeds = 1000
    drawn: Counter[str | None] = Counter()
    for number in range(seeds):
        state = RULESET.initial(3, number.to_bytes(32, "big"))
        drawn.update(state.nobles)
        drawn.update(card for row in state.rows for card in row)
    chances = dict.fromkeys(NOBLES, 4 / 10) | {
        card.id: {1: 4 / 40, 2: 4 / 30, 3: 4 / 20}[card.level] for card in CARDS.values()
    }
    assert drawn.keys() == chances.keys()
    far_off = [
        name for name, chance in chances.items() if abs(drawn[name] - seeds * chance) > 6 * (seeds * chance) ** 0.5
    ]
    assert far_off == []


def test_visibility_of_a_reserved_card() -> None:
    """R31: a card reserved from a deck is visible to its owner, and its level to all; one reserved face up stays
    visible to all."""
    start = RULESET.initial(2, bytes(32))
    card, taken = start.decks[1][0], str(start.rows[2][0])
    blind = RULESET.apply(start, RULESET.parse("reserve L2"))
    face_up = RULESET.apply(blind.state, RULESET.parse(f"reserve {taken}"))
    assert [player.reserved for player in face_up.state.players] == [
        (Reserved(card, blind=True),),
        (Reserved(taken, blind=False),),
    ]
    for reader, known in ((0, card), (1, None), (None, None)):
        seen = RULESET.observe(face_up.state, reader)
        assert [player.reserved for player in seen.players] == [
            (SeenReserved(2, known, blind=True),),
            (SeenReserved(3, taken, blind=False),),
        ]
        drew = Event("drew", seat=0, card=card) if known else None
        assert [RULESET.show(event, reader) for event in blind.events] == [
            Event("reserved_blind", seat=0, level=2),
            drew,
            Event("took", seat=0, tokens="*"),
        ]
        assert [RULESET.show(event, reader) for event in face_up.events] == list(face_up.events)


@every_seat_count
def test_tokens_purchases_and_scores_are_public(seats: int) -> None:
    """R25: tokens are public at all times. R44: so are purchased cards, bonuses and points."""
    for _, step in decisions(seats):
        for reader in (*range(seats), None):
            for seen, player in zip(RULESET.observe(step.state, reader).players, step.state.players, strict=True):
                assert seen.tokens == player.tokens
                assert seen.cards == player.cards
                assert seen.nobles == player.nobles
                assert seen.bonuses == player.bonuses
                assert seen.points == player.points


@every_seat_count
def test_all_seats_have_equally_many_turns(seats: int) -> None:
    """R8: seats take turns clockwise from seat 0. R55: at the end all have had the same number of turns."""
    for game in random_games(seats):
        turns = 0
        for step in game:
            turns += sum(action.word in ("take", "reserve", "buy", "pass") for action in step.played)
            if step.state.phases == ("main",):
                assert step.state.to_act == turns % seats
        assert turns % seats == 0


@every_seat_count
def test_only_reserving_gives_gold(seats: int) -> None:
    """R35. R27, R28: a reservation gives one gold while any is left, and none after that."""
    gains = set()
    for before, step in decisions(seats):
        seat = before.seat
        gained = step.state.players[seat].tokens[-1] - before.players[seat].tokens[-1]
        if step.played[0].word == "reserve":
            gains.add(gained)
            assert gained == min(1, before.bank[-1])
        else:
            assert gained <= 0
    assert gains == {0, 1}


@every_seat_count
def test_a_reserved_card_leaves_the_hand_by_purchase_only(seats: int) -> None:
    """R30: reserved cards leave the hand only by purchase."""
    purchases = 0
    for before, step in decisions(seats):
        for earlier, player in zip(before.players, step.state.players, strict=True):
            gone = [held.card for held in earlier.reserved if held not in player.reserved]
            assert gone == [card for card in player.cards[len(earlier.cards) :] if card in gone]
            purchases += len(gone)
    assert purchases > 0


@every_seat_count
def test_nobles_stay_and_none_is_added(seats: int) -> None:
    """R5: nobles not set out are out of the game. R51: a player keeps a noble for the rest of the game, and no other
    replaces it."""
    received = 0
    for before, step in decisions(seats):
        for earlier, player in zip(before.players, step.state.players, strict=True):
            assert player.nobles[: len(earlier.nobles)] == earlier.nobles
            received += len(player.nobles) - len(earlier.nobles)
        nobles = [
            sorted([*state.nobles, *(noble for player in state.players for noble in player.nobles)])
            for state in (before, step.state)
        ]
        assert nobles[0] == nobles[1]
    assert received > 0


def test_a_replay_checks_decisions_unless_told_to_trust_them() -> None:
    # After the first decision, too few white tokens are left for two of them.
    notations = ["take ww", "take ww"]
    with pytest.raises(IllegalAction):
        list(RULESET.replay(2, bytes(32), notations))
    assert len(list(RULESET.replay(2, bytes(32), notations, check=False))) == 3
