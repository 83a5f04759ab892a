"""Points of Splendor Duel that transcripts cannot express: set-up, facts of the data, arithmetic, chance, observations.

The rest is in `scenarios/duel`.
"""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from games.rules import chance
from games.rules.base import Event, IllegalAction
from games.rules.duel.actions import CROWNS_FOR_ROYAL
from games.rules.duel.cards import CARDS, COLOURS, GOLD, KINDS, LINES, ROYALS, SPACES, Ability, Royal
from games.rules.duel.ruleset import PRIVILEGES, TOKENS, Duel
from games.rules.duel.state import EMPTY, Owned, Player, State
from games.rules.hand import SeenReserved
from games.rules.tokens import parse, selections, spell
from games.rules.trade import LIMIT
from tests.rules.positions import duel

DUEL = Duel()
SEED = bytes(range(32))
SEEDS = [bytes([number]) * 32 for number in range(20)]
SPIRAL = [
    *("c3", "d3", "d2", "c2", "b2", "b3", "b4", "c4", "d4"),
    *("e4", "e3", "e2", "e1", "d1", "c1", "b1", "a1", "a2", "a3", "a4", "a5", "b5", "c5", "d5", "e5"),
]
"""The spiral: the centre, once round it, then along the edge."""
ALL = "wwwwuuuuggggrrrrkkkkpp***"
"""All tokens, in the order in which they are shuffled."""


def position(lines: dict[str, str], seed: bytes = SEED) -> State:
    return duel.position(2, seed, lines)


def after(state: State, *notations: str) -> State:
    for notation in notations:
        state = DUEL.apply(state, DUEL.parse(notation)).state
    return state


def words(state: State) -> set[str]:
    """The kinds of action on offer."""
    return {str(action).split()[0] for action in DUEL.legal_actions(state)}


def filled(board: str, drawn: tuple[str, ...]) -> str:
    """The board after placing the drawn tokens on its empty spaces along the spiral."""
    tokens = dict(zip(SPACES, board, strict=True))
    empty = [space for space in SPIRAL if tokens[space] == EMPTY]
    tokens.update(zip(empty, drawn, strict=False))
    return "".join(tokens.values())


# Setup


@pytest.mark.parametrize("seats", [0, 1, 3, 4])
def test_there_are_two_seats(seats: int) -> None:
    """D1: the game is for two."""
    with pytest.raises(ValueError, match=f"^duel has 2 seats, not {seats}$"):
        DUEL.initial(seats, SEED)
    assert list(DUEL.seats) == [2]
    assert len(DUEL.initial(2, SEED).players) == 2


def test_components() -> None:
    """D2: the cards by level, royal cards, privileges and spaces; D3: the tokens by kind."""
    assert Counter(card.level for card in CARDS.values()) == {1: 30, 2: 24, 3: 13}
    assert len(ROYALS) == 4
    assert PRIVILEGES == 3
    assert [f"{row}{column}" for row in "abcde" for column in "12345"] == list(SPACES)
    assert spell(TOKENS, KINDS) == ALL


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cards_at_set_up(seed: bytes) -> None:
    """D4: each level has its own shuffled deck; five, four and three of its cards are face up."""
    state = DUEL.initial(2, seed)
    assert [len(row) for row in state.pyramid] == [5, 4, 3]
    for level, row, deck in zip((1, 2, 3), state.pyramid, state.decks, strict=True):
        in_order = [card for card in CARDS if card.startswith(f"{level}-")]
        assert (*row, *deck) == chance.shuffle(seed, f"level-{level}", 0, in_order)
        assert [*row, *deck] != in_order


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tokens_at_set_up(seed: bytes) -> None:
    """D5: all tokens are on the board, in random order along the spiral from the centre, and the bag is empty."""
    state = DUEL.initial(2, seed)
    assert state.board == filled(EMPTY * 25, chance.shuffle(seed, "bag", 0, ALL))
    assert Counter(state.board) == Counter(ALL)
    assert spell(state.bag, KINDS) == "-"
    assert EMPTY not in state.board


def test_set_up_depends_on_the_seed() -> None:
    """D4, D5: another seed gives another order of the tokens and of each deck."""
    states = [DUEL.initial(2, seed) for seed in SEEDS]
    assert len({state.board for state in states}) == len(SEEDS)
    for level in (0, 1, 2):
        assert len({(state.pyramid[level], state.decks[level]) for state in states}) == len(SEEDS)


def test_privileges_royal_cards_and_players_at_set_up() -> None:
    """D6: the royal cards are all there and the three privileges begin above the board. D7: seat 0 begins (its player
    is drawn earlier), the other seat takes one privilege, and two remain. D8: nobody has tokens or cards."""
    state = DUEL.initial(2, SEED)
    assert state.royals == ("extra-turn", "privilege", "steal", "prestige")
    assert (state.to_act, state.privileges) == (0, 2)
    nothing = Player(tokens=(0,) * 7, privileges=0, cards=(), royals=(), reserved=())
    assert state.players == (nothing, replace(nothing, privileges=1))


# Turns


def test_what_a_turn_offers() -> None:
    """D13: one of three mandatory actions. D9: before it privileges and replenishing; D10: after replenishing the
    mandatory action only. D36: nothing on offer ever throws a reserved card away."""
    state = position(
        {
            "seat 0": "tokens=rrkk privileges=1 reserved=3-red-01",
            "row 1": "1-white-01",
            "board": "wugrk ..... ..*.. ..... .....",
        }
    )
    assert words(state) == {"privilege", "replenish", "take", "reserve", "buy"}
    assert words(after(state, "privilege a1")) == {"replenish", "take", "reserve", "buy"}
    assert words(after(state, "replenish")) == {"take", "reserve", "buy"}
    assert {kind.word for kinds in DUEL.actions.values() for kind in kinds} == {
        *("privilege", "replenish", "take", "reserve", "buy"),
        *("attach", "match", "steal", "royal", "return"),
    }


def test_there_is_always_an_option() -> None:
    """D16: with an empty bag and ten tokens per player, at least two of the five on the board can be taken. Otherwise
    the bag can replenish the board."""
    assert sum(TOKENS) - 2 * LIMIT == 5
    assert min(sum(board[:GOLD]) for board in selections(TOKENS, 5)) == 2
    hands = {"seat 0": "tokens=ggrrrrkkkk reserved=3-white-01,3-red-01,3-green-01", "seat 1": "tokens=wwwuuuggpp"}
    scarce = position({**hands, "board": "w...* ..... ..*.. ..... *...u", "row 1": "1-wild-01 1-wild-02 1-wild-03"})
    assert spell(scarce.bag, KINDS) == "-"
    assert "take" in words(scarce)
    assert words(position({})) == {"replenish"}


def test_the_full_board_and_the_empty_bag() -> None:
    """D24: there are as many tokens as spaces, so the bag always fits on the board, and a full board leaves none for
    it; after replenishing there is nothing to replenish."""
    assert sum(TOKENS) == len(SPACES) == 25
    for board in ("..... ..... ..... ..... .....", "wugrk ..... ..*.. ..... .....", "wugrk wugrk wugrk wugrk ....."):
        state = after(position({"board": board}), "replenish")
        assert Counter(state.board) == Counter(ALL)
        assert spell(state.bag, KINDS) == "-"


@pytest.mark.parametrize("draw", [1, 2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_replenishing(seed: bytes, draw: int) -> None:
    """D23: replenishing places all tokens of the bag in random order along the spiral, skipping occupied spaces. D25:
    tokens on the board stay, and gold comes back too."""
    board = "w.g.. .*... .up.. ....k r...."
    state = replace(position({"seat 0": "tokens=wukk*", "board": board}, seed), draws=draw)
    assert spell(state.bag, KINDS) == "wwuugggrrrkp*"
    done = after(state, "replenish")
    assert done.board == filled(state.board, chance.shuffle(seed, "bag", draw, "wwuugggrrrkp*"))
    assert done.board.count(EMPTY) == state.board.count(EMPTY) - 13
    assert all(now == before for now, before in zip(done.board, state.board, strict=True) if before != EMPTY)
    assert (done.draws, done.players[0].tokens) == (draw + 1, state.players[0].tokens)


@pytest.mark.parametrize(
    ("notations", "code"),
    [
        (["privilege a1", "replenish", "take a2"], "look_first"),
        (["privilege a1", "buy 1-white-03 = uuggp", "take a2"], "turn_is_over"),
        (["privilege a1", "take a2", "take a3"], "turn_is_over"),
        (["take a1", "take a2"], "turn_is_over"),
    ],
)
def test_a_list_of_decisions_ends_at_a_reveal_or_the_end_of_a_turn(notations: list[str], code: str) -> None:
    """This also holds if the same player continues, and anywhere in the list."""
    lines = {"board": "wugrk ww.*. ..... ..... .....", "seat 0": "tokens=uuggp reserved=1-white-03 privileges=1"}
    state = position(lines)
    assert len(DUEL.apply_all(state, notations[:-1])) == len(notations) - 1
    with pytest.raises(IllegalAction, match=code):
        DUEL.apply_all(state, notations)


def test_every_line() -> None:
    """D27: one to three spaces. D28: in a row, a column or either diagonal, next to each other. D29: fewer than three
    form a line as well. The test tries all ways to pick up to three of 25 spaces; no gold is on the board."""

    def straight(spaces: tuple[str, ...]) -> bool:
        places = [(ord(space[0]), int(space[1])) for space in spaces]
        steps = {(low[0] - high[0], low[1] - high[1]) for high, low in pairwise(places)}
        return len(steps) <= 1 and steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}

    state = replace(DUEL.initial(2, SEED), board="wugrk" * 5)
    picks = [spaces for size in (1, 2, 3) for spaces in combinations(SPACES, size)]
    lines = [f"take {' '.join(spaces)}" for spaces in picks if straight(spaces)]
    assert Counter(len(line.split()) - 1 for line in lines) == {1: 25, 2: 40 + 32, 3: 30 + 18}
    assert sorted(str(action) for action in DUEL.legal_actions(state) if action.word == "take") == sorted(lines)
    assert sorted(f"take {' '.join(SPACES[space] for space in line)}" for line in LINES) == sorted(lines)
    for spaces in picks:
        if not straight(spaces):
            text = " ".join(spaces)
            with pytest.raises(IllegalAction) as caught:
                DUEL.apply(state, DUEL.parse(f"take {text}"))
            assert caught.value == IllegalAction("not_a_line", spaces=text)


# Observations


def test_tokens_are_public() -> None:
    """D31: both players and spectators see all tokens, including those just taken."""
    state = after(position({"seat 1": "tokens=kk*", "board": "wug.. ..... ..... ..... ....."}), "take a1 a2 a3")
    for reader in (0, 1, None):
        seen = DUEL.observe(state, reader)
        assert [spell(player.tokens, KINDS) for player in seen.players] == ["wug", "kk*"]


def test_reserved_cards_are_seen_as_they_were_taken() -> None:
    """D35: a card reserved face up stays visible to all; a card from a deck is visible to its owner, and its level to
    all."""
    start = position({"row 1": "1-red-01", "deck 2": "2-green-03", "board": "*...* ..*.. ..... ..... w...."})
    face_up = DUEL.apply(start, DUEL.parse("reserve 1-red-01 a1"))
    blind = DUEL.apply(after(face_up.state, "take e1"), DUEL.parse("reserve L2 a5"))
    known = (SeenReserved(1, "1-red-01", blind=False), SeenReserved(2, "2-green-03", blind=True))
    masked = (SeenReserved(1, "1-red-01", blind=False), SeenReserved(2, None, blind=True))
    hands = {reader: DUEL.observe(blind.state, reader).players[0].reserved for reader in (0, 1, None)}
    assert hands == {0: known, 1: masked, None: masked}

    took = Event("took", seat=0, tokens="*", spaces="a5")
    level, drew = Event("reserved_blind", seat=0, level=2), Event("drew", seat=0, card="2-green-03")
    shown = {reader: [DUEL.show(event, reader) for event in blind.events] for reader in (0, 1, None)}
    assert shown == {0: [took, level, drew], 1: [took, level, None], None: [took, level, None]}
    reserved = Event("reserved", seat=0, card="1-red-01")
    assert [DUEL.show(face_up.events[1], reader) for reader in (0, 1, None)] == [reserved] * 3


def test_nothing_shows_that_a_replenishing_was_forced() -> None:
    """D77: with one secret card in hand the player can buy and need not replenish; with another they must (D14). The
    other seat and spectators get the same observations and events in both cases."""

    def with_secret(card: str, *others: str) -> State:
        return position(
            {
                "seat 0": f"tokens=rrkk reserved=?{card},3-white-01,3-red-01",
                "row 1": "1-wild-01 1-wild-02 1-wild-03 1-wild-04 1-none-01",
                "deck 1": " ".join(others),
                "board": "*.... ..... ..... ..... .....",
            }
        )

    free, forced = with_secret("1-white-01", "1-green-02"), with_secret("1-green-02", "1-white-01")
    assert words(free) == {"buy", "replenish"}
    assert words(forced) == {"replenish"}
    step, other_step = (DUEL.apply(state, DUEL.parse("replenish")) for state in (free, forced))
    assert list(map(str, step.played)) == list(map(str, other_step.played)) == ["replenish"]
    for reader in (1, None):
        assert DUEL.observe(free, reader) == DUEL.observe(forced, reader)
        assert DUEL.observe(step.state, reader) == DUEL.observe(other_step.state, reader)
        told = [DUEL.show(event, reader) for event in step.events]
        assert told == [Event("replenished", seat=0, drawn=20), Event("privilege_gained", seat=1)]
        assert told == [DUEL.show(event, reader) for event in other_step.events]


# Facts of the cards


def test_prices() -> None:
    """D40: a card costs at most one pearl. D57: no card whose ability takes a token of its colour costs that colour, so
    its payment could not be taken even from the board."""
    assert {card.cost[len(COLOURS)] for card in CARDS.values()} == {0, 1}
    taking = [card for card in CARDS.values() if Ability.TAKE_SAME_COLOUR in card.abilities]
    assert [card.id for card in taking] == ["1-white-01", "1-blue-02", "1-green-02", "1-red-01", "1-black-01"]
    assert [card.cost[card.bonus] for card in taking if card.bonus is not None] == [0] * 5


def test_bonuses() -> None:
    """D46: a card gives one bonus; five cards of level 2 give two, and cards with points only give none. D50: nine
    jokers have a colour of choice; D54: they give one bonus each."""
    bonuses = {count: [card for card in CARDS.values() if card.bonus_count == count] for count in (0, 1, 2)}
    assert sum(map(len, bonuses.values())) == len(CARDS)
    assert [card.id for card in bonuses[2]] == ["2-white-02", "2-blue-02", "2-green-01", "2-red-02", "2-black-02"]
    assert [(card.id, card.prestige) for card in bonuses[0]] == [("1-none-01", 3), ("2-none-01", 5), ("3-none-01", 6)]
    jokers = [card for card in CARDS.values() if card.joker]
    assert len(jokers) == 9
    assert {(card.bonus, card.bonus_count) for card in jokers} == {(None, 1)}
    assert [card for card in CARDS.values() if card.bonus is None] == [
        card for card in CARDS.values() if card.joker or card.bonus_count == 0
    ]


def test_one_turn_never_gives_two_extra_turns() -> None:
    """D49: no card with an extra turn has crowns, so none brings the royal card with another one as well. D60: one
    joker gives an extra turn, too."""
    giving = [card for card in CARDS.values() if Ability.EXTRA_TURN in card.abilities]
    assert [card.crowns for card in giving] == [0] * 6
    assert [card.abilities for card in giving if card.joker] == [(Ability.ASSOCIATE, Ability.EXTRA_TURN)]
    assert CARDS["3-wild-02"] in giving
    assert {card.abilities.count(Ability.EXTRA_TURN) for card in giving} == {1}


def test_one_purchase_never_brings_two_royal_cards() -> None:
    """D63: no card has more than three crowns, so a card passes only one of the two thresholds (D62). Each player takes
    at most two of the four royal cards, so one is left whenever one is due."""
    assert CROWNS_FOR_ROYAL == (3, 6)
    most = max(card.crowns for card in CARDS.values())
    assert most == 3
    for before in range(10):
        for crowns in range(most + 1):
            assert sum(before < threshold <= before + crowns for threshold in CROWNS_FOR_ROYAL) <= 1
    assert len(ROYALS) == 2 * len(CROWNS_FOR_ROYAL)


def test_royal_cards() -> None:
    """D66: one royal card has three points and no ability; three have two points and an ability."""
    assert list(ROYALS.values()) == [
        Royal("extra-turn", 2, Ability.EXTRA_TURN),
        Royal("privilege", 2, Ability.TAKE_PRIVILEGE),
        Royal("steal", 2, Ability.STEAL_TOKEN),
        Royal("prestige", 3, Ability.NONE),
    ]


def test_points_only_and_royal_cards_do_not_help_with_a_joker() -> None:
    """D51: cards with points only and royal cards have no bonus. (No player can own royal cards without a bonus, so
    this position is made up.)"""
    state = position({"row 1": "1-wild-01", "board": "w.... ..... ..... ..... ....."})
    player = Player(tokens=parse("wwwp*", KINDS), cards=(Owned("1-none-01", None),), royals=("prestige",))
    refused = IllegalAction("joker_needs_colour", card="1-wild-01")
    with pytest.raises(IllegalAction) as caught:
        DUEL.apply(replace(state, players=(player, Player())), DUEL.parse("buy 1-wild-01"))
    assert caught.value == refused
    coloured = replace(player, cards=(*player.cards, Owned("1-red-02", COLOURS.index("r"))))
    bought = after(replace(state, players=(coloured, Player())), "buy 1-wild-01")
    assert bought.players[0].cards[-1] == Owned("1-wild-01", COLOURS.index("r"))


def test_empty_decks_do_not_end_the_game() -> None:
    """D75: without any card on the table the players continue to take tokens. (Such a table cannot be reached without a
    victory, so it is made up.)"""
    start = DUEL.initial(2, SEED)
    state = replace(start, decks=((), (), ()), pyramid=tuple((None,) * len(row) for row in start.pyramid))
    seats = []
    for _ in range(10):
        seats.append(state.to_act)
        take = next(action for action in DUEL.legal_actions(state) if action.word == "take")
        state = DUEL.apply(state, take).state
        assert DUEL.outcome(state) is None
    assert seats == [0, 1] * 5
