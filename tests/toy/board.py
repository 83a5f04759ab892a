"""The board of the toy."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games.boards.common import Link, Option, Payer
from games.rules.base import Action, Event
from tests.rules.proofs.toy import RULESET, Observation


@dataclass(frozen=True)
class Decision:
    doing: str
    confirm: Link
    undo: Link
    pieces: tuple[Action[Any], ...]
    buyable: tuple[object, ...] = ()


@dataclass(frozen=True)
class Board:
    number: int
    draft: str
    seat: int | None
    to_act: int | None
    mine: bool
    hands: tuple[tuple[int | None, ...], ...]
    deck: int
    decision: Decision
    legal: tuple[Action[Any], ...] = field(repr=False)

    @property
    def touched(self) -> tuple[str, ...]:
        return (self.draft,) if self.draft else ()

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple(
            Option(str(action), (str(action),), "", (action,), str(action), follows=False) for action in self.legal
        )

    def card(self, name: str) -> None:
        return None


def build(
    seen: Observation,
    legal: Sequence[Action[Any]],
    staged: Sequence[str],
    prefix: str,
    before: Observation | None = None,
    *,
    since: Sequence[Event] = (),
    payer: Payer = "me",
) -> Board:
    chosen = next((action for action in legal if str(action) == prefix), None)
    draft = str(chosen) if chosen else ""
    return Board(
        number=seen.number,
        draft=draft,
        seat=seen.seat,
        to_act=seen.to_act,
        mine=bool(legal),
        hands=seen.hands,
        deck=seen.deck,
        decision=Decision(
            doing="over" if seen.to_act is None else "main" if legal else "wait",
            confirm=draft or None,
            undo="" if draft else None,
            pieces=(chosen,) if chosen else (),
        ),
        legal=tuple(legal),
    )


def opening(seed: bytes) -> Observation:
    return RULESET.observe(RULESET.initial(2, seed), None)
