"""Builds the board of Splendor from an observation, the legal actions and the draft.

Prices and needs are computed for the reader. Whether a decision is possible follows only from the legal actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.boards.common import Payer
from games.boards.gems import Kept
from games.boards.splendor import table
from games.boards.splendor.decision import decide
from games.boards.splendor.moment import Moment
from games.boards.splendor.parts import Board, Hold, Runner, Seat
from games.rules.base import Action, Event
from games.rules.hand import SIZE
from games.rules.splendor.cards import KINDS
from games.rules.splendor.state import TARGET, Observation
from games.rules.trade import LIMIT


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
    """The board for one reader; see `games.boards.common.Build`."""
    return _draw(Moment(seen, legal, staged, prefix, before or seen, since, payer))


def _draw(now: Moment) -> Board:
    seen, before, deciding = now.seen, now.before, bool(now.options.all)
    levels = tuple(table.levels(now))
    nobles = tuple(table.nobles(now))
    seats = tuple(_seat(now, index) for index in now.order)
    hand = [kept.card for kept in seats[0].reserved] if now.me else []
    cards = [card for card in (*(card for level in levels for card in level.places), *hand) if card]
    return Board(
        number=seen.number - len(now.staged),
        seat=now.reader,
        to_act=before.to_act,
        mine=now.reader is not None and now.reader == before.to_act and (now.may_act or bool(now.staged)),
        phase=str((seen if deciding else before).phases[0]) if before.phases else "",
        last_round=before.last_round,
        target=TARGET,
        limit=LIMIT,
        hand=SIZE,
        draft=now.text,
        levels=levels,
        bank=tuple(table.pile(now, index) for index in range(len(KINDS))),
        nobles=nobles,
        seats=seats,
        race=tuple(_race(now)),
        decision=decide(now, cards, [level.deck for level in levels], nobles),
        touched=now.touched,
        legal=now.options.all,
        option=now.option,
    )


def _seat(now: Moment, index: int) -> Seat:
    player, me = now.seen.players[index], index == now.reader
    held = now.held if me and now.held else player.tokens
    return Seat(
        index=index,
        me=me,
        to_act=index == now.before.to_act,
        points=player.points,
        holds=tuple(map(Hold, KINDS, (*now.bonuses[index], 0), held, now.before.players[index].tokens)),
        tokens=sum(held),
        cards=len(player.cards),
        reserved=tuple(
            Kept(kept.level, kept.blind, table.face(now, kept.card) if kept.card else None) for kept in player.reserved
        ),
        nobles=player.nobles,
    )


def _race(now: Moment) -> Iterator[Runner]:
    for lane, index in enumerate(reversed(now.order)):
        points = now.seen.players[index].points
        yield Runner(index, points, min(points, TARGET), lane)
