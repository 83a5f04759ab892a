"""Positions of Splendor Duel. Besides the common lines: `seat 0: … privileges=1 royals=steal cards=1-wild-01/r` with
the colour of an attached joker, `board: wugrk ....* .pp.. ..... wwwkk` and `extra turn: yes`.
"""

from games.rules import tokens
from games.rules.duel import cards, ruleset
from games.rules.duel.state import EMPTY, Owned, Phase, Player, State
from tests.rules.positions import Lines, Piles, fields_of, hand, left_of, names

KINDS = cards.KINDS
ROWS = "pyramid"


def position(seats: int, seed: bytes, lines: Lines) -> State:
    fields = [fields_of(lines.pop(f"seat {seat}", "")) for seat in range(seats)]
    piles = Piles(cards.CARDS, fields, lines)
    first, second = players = [
        Player(
            tokens=tokens.parse(field.get("tokens", "-"), cards.KINDS),
            privileges=int(field.get("privileges", "0")),
            cards=tuple(map(_owned, names(field.get("cards")))),
            royals=tuple(names(field.get("royals"))),
            reserved=hand(field),
        )
        for field in fields
    ]
    taken = {royal for player in players for royal in player.royals}
    board = lines.pop("board", " ".join([EMPTY * 5] * 5)).replace(" ", "")
    placed = [tuple(board.count(kind) for kind in cards.KINDS), *(player.tokens for player in players)]
    pyramid, decks = piles.deal(ruleset.PLACES)
    state = State(
        seed=seed,
        number=0,
        draws=1,
        board=board,
        bag=left_of(ruleset.TOKENS, placed),
        decks=decks,
        pyramid=pyramid,
        royals=tuple(royal for royal in cards.ROYALS if royal not in taken),
        privileges=ruleset.PRIVILEGES - sum(player.privileges for player in players),
        players=(first, second),
        to_act=int(lines.pop("to act", "0")),
        phases=(Phase.TURN,),
        extra_turn=lines.pop("extra turn", "no") == "yes",
    )
    assert not lines, f"unknown: {lines}"
    return state


def _owned(name: str) -> Owned:
    card, _, colour = name.partition("/")
    return Owned(card, cards.COLOURS.index(colour) if colour else cards.CARDS[card].bonus)
