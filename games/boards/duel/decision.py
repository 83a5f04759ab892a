"""Builds the decision that the reader is asked for, and the state of the draft."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from games.boards.common import Link, Option, join
from games.boards.duel.cards import face, royal_card, slot_of
from games.boards.duel.choice import OPEN
from games.boards.duel.moment import Moment, touches_of
from games.boards.duel.parts import Decision, Face, Payment, Pick, Piece, Step
from games.boards.gems import Amount, Give, amounts
from games.rules import tokens
from games.rules.base import Action
from games.rules.duel.actions import (
    Attach,
    Buy,
    ChooseRoyal,
    Match,
    Replenish,
    Reserve,
    Return,
    Steal,
    Take,
    UsePrivilege,
)
from games.rules.duel.cards import COLOURS, GOLD, KINDS, SPACES
from games.rules.duel.state import Phase, State
from games.rules.hand import DECKS
from games.rules.tokens import Tokens


def decide(now: Moment) -> Decision:
    choice, drafting = now.choice, now.drafting
    purchases = now.options.purchases.get(choice.target, []) if choice.word == Buy.word else []
    onward = bool(now.effect and now.effect.next and not now.effect.reveals and choice.action)
    staged, piece = tuple(_piece(now, action) for action in now.staged), _chosen_piece(now)
    gift, cause = now.effect.gift if now.effect else "", piece
    if not gift:
        gift, cause = now.given_away, next((each for each in staged if each.word == Take.word), None)
    return Decision(
        doing=_doing(now),
        steps=_steps(now) if now.options.all and now.seen.phases[0] in OPEN else (),
        staged=staged,
        piece=piece,
        refused=choice.refused,
        effect=now.effect,
        gift=gift,
        cause=cause,
        payments=tuple(
            Payment(amounts(buy.paid, KINDS), drafting.to(str(buy)), buy == choice.action, buy == purchases[0])
            for buy in purchases
        ),
        change=drafting.to(f"{Buy.word} {choice.target} =") if len(purchases) > 1 else _repay(now),
        takes=bool(now.options.lines),
        choosing=choice.choosing,
        gives=tuple(_gives(now)),
        to_give=sum(now.options.returns[0].returned) if now.options.returns else 0,
        picks=_picks(now),
        buyable=_buyable(now),
        confirm=join(_actions(now)) or None,
        onward=drafting.on(str(choice.action)) if onward else None,
        undo=now.undo,
    )


def option(now: Moment, action: Action[State]) -> Option:
    """A legal action as the page offers it."""
    payment = tokens.spell(action.paid, KINDS) if isinstance(action, Buy) else ""
    pieces = tuple(_piece(now, each) for each in (*now.staged, action))
    moves, follows = now.drafting.to(str(action)), now.followed(action)
    draft = now.drafting.on(str(action)) if follows and isinstance(action, UsePrivilege) else moves
    touches = tuple(touches_of(action))
    return Option(moves, touches, payment, pieces, draft, follows=follows, fills=isinstance(action, Take))


def _doing(now: Moment) -> str:
    if now.options.all:
        phase = now.seen.phases[0]
        open_ = "privilege" if now.choice.word == UsePrivilege.word else "main"
        return open_ if phase in OPEN else str(phase)
    if now.staged:
        return "done"
    if now.seen.to_act is None:
        return "over"
    return "look" if now.reader is None else "wait"


def _steps(now: Moment) -> tuple[Step, ...]:
    choice, drafting, options = now.choice, now.drafting, now.options
    used = any(isinstance(action, UsePrivilege) for action in now.staged)
    refilled = now.seen.phases[0] == Phase.MANDATORY
    refilling = choice.word == Replenish.word
    replenish = now.replenishing
    gift = ""
    if replenish is not None:
        gift = now.tried(Replenish()).gift
    main = any(options.of(kind) for kind in (Take, Reserve, Buy))

    def state(now: bool, done: bool, possible: bool) -> str:
        return "now" if now else "done" if done else "open" if possible else "off"

    privileging = choice.word == UsePrivilege.word
    taking = not privileging and not refilling and main
    possible = drafting.to(UsePrivilege.word) if options.privileges else None
    return (
        Step("privilege", state(privileging, used, possible is not None), possible, ""),
        Step("replenish", state(refilling, refilled, replenish is not None), replenish, gift),
        Step("main", state(taking, False, main), drafting.to("") if main and not taking else None, ""),
    )


def _repay(now: Moment) -> Link:
    """The draft that goes back from the effects of a purchase to its payment."""
    last = now.staged[-1] if now.staged and not now.choice.word else None
    if not isinstance(last, Buy) or not any(last.paid) or not now.before.players[now.reader or 0].tokens[GOLD]:
        return None
    return now.drafting.instead(len(now.staged) - 1, f"{Buy.word} {last.card} =")


def _actions(now: Moment) -> tuple[Action[State], ...]:
    """The decisions that can be confirmed: the draft, if its last piece is complete."""
    if now.choice.action is None:
        return () if now.choice.word else now.staged
    return (*now.staged, now.choice.action)


def _buyable(now: Moment) -> tuple[Face, ...]:
    faces = (face(now, name, slot_of(now, name)) for name in now.options.purchases)
    return tuple(sorted(faces, key=lambda face: face.means.gold if face.means else 0))


def _gives(now: Moment) -> Iterator[Give]:
    if not now.options.returns:
        return
    player, given = now.seen.players[now.seen.to_act or 0], now.choice.given
    for index, kind in enumerate(KINDS):
        if player.tokens[index]:
            yield Give(kind, player.tokens[index] - given[index], given[index], _tap(now, index))


def _tap(now: Moment, index: int) -> Link:
    """The draft after a click on a token of that kind: one more, or none of that kind if no more can be returned. A
    single token is replaced by another."""
    given, one = now.choice.given, tokens.single(index, KINDS)
    more = tokens.add(given, one)
    if now.options.returnable(more):
        return _giving(now, more)
    if given[index]:
        return _giving(now, (*given[:index], 0, *given[index + 1 :]))
    return _giving(now, one) if now.choice.action and sum(given) == 1 else None


def _giving(now: Moment, given: Tokens) -> str:
    return now.drafting.to(f"{Return.word} {tokens.spell(given, KINDS)}" if any(given) else "")


def _picks(now: Moment) -> tuple[Pick, ...]:
    seat = now.seen.to_act or 0
    me, other = now.seen.players[seat], now.seen.players[1 - seat]
    picks = [(COLOURS[action.colour], me.bonuses[action.colour], action) for action in now.options.of(Attach)]
    stolen = [(KINDS[action.kind], other.tokens[action.kind], action) for action in now.options.of(Steal)]
    return tuple(
        Pick(kind, number, now.drafting.to(str(action)), action == now.choice.action)
        for kind, number, action in (*picks, *stolen)
    )


def _chosen_piece(now: Moment) -> Piece | None:
    choice = now.choice
    if choice.action is not None:
        return _piece(now, choice.action)
    if choice.word in (Buy.word, Reserve.word):
        return _aimed(now, choice.word, None, choice.target)
    if choice.word == Return.word:
        return Piece(choice.word, None, amounts(choice.given, KINDS))
    return Piece(choice.word, None) if choice.word else None


def _piece(now: Moment, action: Action[State]) -> Piece:
    """A decision with the things it moves. Tokens are looked up on the board before the draft, which only removes
    some."""
    match action:
        case Take(spaces=spaces):
            return _lifted(now, action, spaces)
        case UsePrivilege(space=space) | Match(space=space):
            return _lifted(now, action, (space,))
        case Reserve(target=target):
            return _aimed(now, action.word, action, target)
        case Buy(card=card):
            return _aimed(now, action.word, action, card)
        case Return(returned=returned):
            return Piece(action.word, action, amounts(returned, KINDS))
        case Attach(colour=colour):
            return Piece(action.word, action, kind=COLOURS[colour])
        case Steal(kind=index):
            return Piece(action.word, action, (Amount(KINDS[index], 1),))
        case ChooseRoyal(royal=royal):
            return Piece(action.word, action, royal=royal_card(now, royal))
    return Piece(action.word, action)


def _lifted(now: Moment, action: Action[State], spaces: Iterable[int]) -> Piece:
    kinds = tuple(now.before.board[space] for space in spaces)
    return Piece(action.word, action, _together(kinds), tuple(SPACES[space] for space in spaces))


@cache
def _together(kinds: tuple[str, ...]) -> tuple[Amount, ...]:
    return amounts(tuple(map(kinds.count, KINDS)), KINDS)


def _aimed(now: Moment, word: str, action: Action[State] | None, target: str) -> Piece:
    spaces = (SPACES[action.gold],) if isinstance(action, Reserve) else ()
    if target in DECKS:
        return Piece(word, action, spaces=spaces, level=DECKS[target])
    paid = amounts(action.paid, KINDS) if isinstance(action, Buy) else ()
    return Piece(word, action, paid, spaces, face(now, target, slot_of(now, target)))
