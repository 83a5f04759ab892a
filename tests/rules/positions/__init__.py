"""Readable positions for transcripts: a module per title, named by its slug, with `KINDS`, `ROWS` (the attribute of the
state that holds the face-up cards) and `position`.

A scenario writes only the relevant parts; the rest is filled in. Tokens that it does not place are in the bank or the
bag, and cards that it does not place are in the decks, in the order of the data files.

    seat 0: tokens=wwu* cards=1-white-01,2-red-03 reserved=3-blue-01,?2-red-01
    row 1: 1-blue-01 - 1-red-02 1-red-03
    deck 1: 1-white-02 1-white-03
    to act: 1

`?` marks a card reserved blind, `-` an empty place. A row with fewer cards than places is filled. `deck 1` names the
next cards of the deck; `-` at its end means that no card follows. Then its row must be given, and the remaining cards
belong to the seat of `spare: SEAT`.
"""

from collections.abc import Iterable
from typing import Any

from games.rules import tokens
from games.rules.hand import Reserved
from games.rules.tokens import Tokens

Lines = dict[str, str]


class Piles:
    """The cards without an owner: those of named rows and decks first, the rest in the order of the data files."""

    def __init__(self, cards: Iterable[str], fields: list[dict[str, str]], lines: Lines) -> None:
        owned = {name.split("/")[0] for field in fields for name in names(field.get("cards"))}
        owned |= {held.card for field in fields for held in hand(field)}
        self.rows = {level: lines.pop(f"row {level}", "").split() for level in (1, 2, 3)}
        self.decks = {level: lines.pop(f"deck {level}", "").split() for level in (1, 2, 3)}
        named = owned.union(*self.rows.values(), *self.decks.values())
        free = [card for card in cards if card not in named]
        self.free = {level: [card for card in free if card[0] == str(level)] for level in (1, 2, 3)}
        for level, deck in self.decks.items():
            if deck[-1:] == ["-"]:
                assert self.rows[level], f"with deck {level} at its end, row {level} must be given"
                field = fields[int(lines["spare"])]
                field["cards"] = ",".join([*names(field.get("cards")), *self.free[level]])
                self.free[level] = []
        lines.pop("spare", None)

    def deal(self, places: tuple[int, ...]) -> tuple[Any, Any]:
        rows, decks = [], []
        for level, size in zip((1, 2, 3), places, strict=True):
            free = self.free[level]
            row = self.rows[level]
            row += [free.pop(0) for _ in range(min(size - len(row), len(free)))]
            row += ["-"] * (size - len(row))
            rows.append(tuple(None if card == "-" else card for card in row))
            decks.append(tuple(card for card in (*self.decks[level], *free) if card != "-"))
        return tuple(rows), tuple(decks)


def fields_of(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


def names(text: str | None) -> list[str]:
    return text.split(",") if text else []


def hand(field: dict[str, str]) -> tuple[Reserved, ...]:
    return tuple(Reserved(name.removeprefix("?"), name.startswith("?")) for name in names(field.get("reserved")))


def left_of(all_tokens: Tokens, placed: Iterable[Tokens]) -> Tokens:
    for some in placed:
        all_tokens = tokens.subtract(all_tokens, some)
    assert min(all_tokens) >= 0, "more tokens placed than there are"
    return all_tokens
