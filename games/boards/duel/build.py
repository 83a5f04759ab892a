"""Builds the board of Splendor Duel from an observation, the legal actions and the draft."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.boards.common import Link, Payer
from games.boards.duel.cards import face, level, royal_card
from games.boards.duel.decision import decide, option
from games.boards.duel.moment import Moment
from games.boards.duel.parts import Board, Cell, Holding, Line, Meter, Seat
from games.boards.gems import GEMS, Amount, Kept, amounts
from games.rules.base import Action, Event
from games.rules.duel.actions import Reserve, Take, UsePrivilege
from games.rules.duel.cards import COLOURS, KINDS, ROYALS, SIDE, SPACES, SPIRAL
from games.rules.duel.state import EMPTY, Observation, State
from games.rules.hand import SIZE
from games.rules.trade import LIMIT

GOALS = {"points": 20, "crowns": 10, "colour": 10}
ORDER = {space: order for order, space in enumerate(SPIRAL, start=1)}


def build(
    seen: Observation,
    legal: Sequence[Action[State]],
    staged: Sequence[str],
    prefix: str,
    before: Observation | None = None,
    *,
    since: Sequence[Event] = (),
    payer: Payer = "me",
) -> Board:
    """The board for one reader; see `games.boards.common.Build`."""
    return _draw(Moment(seen, tuple(legal), tuple(staged), prefix, before or seen, since, payer))


def _draw(now: Moment) -> Board:
    seen, choice = now.seen, now.choice
    seats = [_seat(now, index) for index in range(len(seen.players))]
    return Board(
        number=seen.number - len(now.staged),
        draft=now.text,
        seat=now.reader,
        to_act=seen.to_act,
        mine=now.may_act,
        phase=str(seen.phases[0]) if seen.phases else "",
        extra_turn=seen.extra_turn,
        hand=SIZE,
        seats=tuple(sorted(seats, key=lambda seat: not seat.me)),
        levels=tuple(level(now, index) for index in reversed(range(len(seen.pyramid)))),
        royals=tuple(royal_card(now, name) for name in ROYALS),
        rows=tuple(
            tuple(_cell(now, space) for space in range(first, first + SIDE)) for first in range(0, len(SPACES), SIDE)
        ),
        line=_line(choice.spaces[0], choice.spaces[-1]) if len(choice.spaces) > 1 else None,
        privileges=tuple(range(seen.privileges)),
        bag=amounts(seen.bag, KINDS),
        bag_total=sum(seen.bag),
        decision=decide(now),
        touched=now.touched,
        legal=now.options.all,
        option=partial(option, now),
    )


def _seat(now: Moment, index: int) -> Seat:
    player, before = now.seen.players[index], now.before.players[index]
    bonuses, points = (*now.bonuses[index], None, None), player.colour_points
    best = max(range(len(COLOURS)), key=lambda colour: (points[colour], -colour))
    return Seat(
        index=index,
        me=index == now.reader,
        turn=index == now.seen.to_act,
        meters=(
            _meter("points", player.points),
            _meter("crowns", player.crowns),
            _meter("colour", points[best], COLOURS[best] if points[best] else ""),
        ),
        holdings=tuple(
            Holding(kind, bonus, held, had)
            for kind, bonus, held, had in zip(KINDS, bonuses, player.tokens, before.tokens, strict=True)
        ),
        colour_points=tuple(map(Amount, COLOURS, points)),
        tokens=sum(player.tokens),
        limit=LIMIT,
        privileges=player.privileges,
        cards=len(player.cards),
        royals=tuple(royal_card(now, name) for name in player.royals),
        reserved=tuple(
            Kept(kept.level, kept.blind, face(now, kept.card, "") if kept.card else None) for kept in player.reserved
        ),
    )


def _cell(now: Moment, space: int) -> Cell:
    token, had = now.seen.board[space], now.before.board[space]
    act, draft = ("", None) if token == EMPTY else _touch(now, space)
    chosen = now.choice.spaces.index(space) + 1 if space in now.choice.spaces else 0
    return Cell(
        name=SPACES[space],
        kind="" if token == EMPTY else token,
        order=ORDER[space],
        act=act,
        draft=draft,
        chosen=chosen,
        joins=act == "take" and bool(now.choice.spaces),
        gone=GEMS.get(had, "") if token == EMPTY else "",
        taker=now.takers.get(SPACES[space]) if had == EMPTY else None,
    )


def _touch(now: Moment, space: int) -> tuple[str, Link]:
    """The effect of a click on the token on that space, and the draft that it leads to."""
    choice, options, drafting, name = now.choice, now.options, now.drafting, SPACES[space]
    chosen = space in choice.spaces
    if choice.word == UsePrivilege.word:
        if chosen:
            return "drop", drafting.to(UsePrivilege.word)
        privilege = options.privileges.get(space)
        return ("privilege", drafting.on(str(privilege))) if privilege else ("", None)
    if choice.word == Reserve.word:
        if chosen:
            return "drop", drafting.to(f"{Reserve.word} {choice.target}")
        reserve = options.golds[choice.target].get(space)
        return ("gold", drafting.to(str(reserve))) if reserve else ("", None)
    if space in options.matches:
        return ("drop", drafting.to("")) if chosen else ("match", drafting.to(str(options.matches[space])))
    if not options.lines:
        return "", None
    if chosen:
        rest = options.without(choice.spaces, space)
        return "drop", drafting.to(str(rest) if rest else "")
    line = options.line((*choice.spaces, space))
    if line:
        return "take", drafting.to(str(line))
    names = " ".join(SPACES[other] for other in choice.spaces)
    return "refuse", drafting.to(f"{Take.word} {names} {name}" if names else f"{Take.word} {name}")


def _line(start: int, end: int) -> Line:
    side = 100 // SIDE
    (y1, x1), (y2, x2) = divmod(start, SIDE), divmod(end, SIDE)
    return Line(*(side * place + side // 2 for place in (x1, y1, x2, y2)))


def _meter(name: str, value: int, kind: str = "") -> Meter:
    goal = GOALS[name]
    return Meter(name, value, goal, min(100, 100 * value // goal), 10 * value >= 7 * goal, kind)
