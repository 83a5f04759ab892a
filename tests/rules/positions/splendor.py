"""Positions of Splendor. Besides the common lines: `seat 0: … nobles=4w4u`, `nobles: 3w3u3g 4g4r 4r4k` for those on the
table, `last round: yes`, `passes: 1`, and `rules: 1` for an older version.
"""

from games.rules import tokens
from games.rules.splendor import cards
from games.rules.splendor.ruleset import Splendor, supply
from games.rules.splendor.state import Phase, Player, State
from tests.rules.positions import Lines, Piles, fields_of, hand, left_of, names

KINDS = cards.KINDS
ROWS = "rows"


def position(seats: int, seed: bytes, lines: Lines) -> State:
    fields = [fields_of(lines.pop(f"seat {seat}", "")) for seat in range(seats)]
    piles = Piles(cards.CARDS, fields, lines)
    nobles = [name for field in fields for name in names(field.get("nobles"))]
    free = [name for name in cards.NOBLES if name not in nobles]
    players = [
        Player(
            tokens=tokens.parse(field.get("tokens", "-"), cards.KINDS),
            cards=tuple(names(field.get("cards"))),
            reserved=hand(field),
            nobles=tuple(names(field.get("nobles"))),
        )
        for field in fields
    ]
    rows, decks = piles.deal((4, 4, 4))
    state = State(
        seed=seed,
        number=0,
        bank=left_of(supply(seats), [player.tokens for player in players]),
        decks=decks,
        rows=rows,
        nobles=tuple(lines.pop("nobles", " ".join(free[: seats + 1 - len(nobles)])).split()),
        players=tuple(players),
        to_act=int(lines.pop("to act", "0")),
        phases=(Phase.MAIN,),
        last_round=lines.pop("last round", "no") == "yes",
        passes=int(lines.pop("passes", "0")),
        rules=int(lines.pop("rules", Splendor.version)),
    )
    assert not lines, f"unknown: {lines}"
    return state
