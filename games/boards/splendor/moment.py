"""The moment that a board shows, from which its parts are built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.boards.common import Drafting, Link, Option, Payer
from games.boards.gems import GEMS, holder_of, payer_of, traces
from games.boards.splendor.choice import NONE, InHand, Options, read, spelled, tapped, undone, without
from games.boards.splendor.parts import Piece
from games.rules import tokens
from games.rules.base import Action, Event
from games.rules.hand import DECKS
from games.rules.splendor.actions import Buy, ChooseNoble, Reserve, Return, Take
from games.rules.splendor.cards import CARDS, COLOURS, GOLD, KINDS
from games.rules.splendor.ruleset import Splendor
from games.rules.splendor.state import Observation
from games.rules.tokens import Tokens
from games.rules.trade import LIMIT

RULES = Splendor()


class Moment:
    """The knowledge of one reader, their legal actions, and their choices so far."""

    def __init__(
        self,
        seen: Observation,
        legal: Sequence[Action[Any]],
        staged: Sequence[str],
        prefix: str,
        before: Observation,
        since: Sequence[Event],
        payer: Payer,
    ) -> None:
        self.seen, self.before, self.reader = seen, before, seen.seat
        self.me = None if seen.seat is None else seen.players[seen.seat]
        self.bonuses = [player.bonuses for player in seen.players]
        first = seen.seat or 0
        self.order = [(first + turn) % len(seen.players) for turn in range(len(seen.players))]
        """The seats, the reader's first."""
        self.traces, self.takers = dict(traces(since, seen.seat, _looks)), _takers(since, seen.seat)
        self.may_act, self.payer = bool(legal), payer_of(payer, seen.seat)
        self.drafting, self.options = Drafting(tuple(staged)), Options(legal if payer == "me" else ())
        self.staged = tuple(RULES.parse(notation) for notation in staged)
        self.choice = read(prefix, self.options)
        self.text = self.drafting.to(self.choice.text)
        self.undo = undone(self.drafting, self.staged, self.choice)
        self.actions = self.staged if self.choice.action is None else (*self.staged, self.choice.action)
        """The complete decisions of the draft."""
        self.taken, self.given = self._chosen(Take.word), self._chosen(Return.word)
        self.moved = _moved(self.choice, seen)
        """The tokens that the piece in hand, which is not tried out, moves from the bank to the reader."""
        self.held = tokens.add(self.me.tokens, self.moved) if self.me else None
        """The tokens that the reader holds after the draft."""
        self.targets = {target_of(action): action for action in reversed(self.actions)}
        """The decisions of the draft by the card, deck or noble they name."""

    def _chosen(self, word: str) -> Tokens:
        """The tokens that the draft takes or returns, with those of the piece in hand, complete or not."""
        every = [tokens_of(action) for action in self.staged if action.word == word]
        if self.choice.word == word:
            every.append(self.choice.tokens)
        return tuple(map(sum, zip(NONE, *every, strict=True)))

    def pays_for(self, card: str) -> int | None:
        """The seat whose price for the card is shown. Nobody but its holder can buy a reserved card."""
        return self.payer if self.payer is None else holder_of(card, self.seen.players, self.payer)

    # --- where clicks lead ---

    def link(self, action: Action[Any] | None) -> Link:
        """The draft with that action in hand."""
        return None if action is None else self.drafting.to(str(action))

    def tap(self, word: str, kind: int) -> Link:
        """The draft after a click on a token. A complete choice is staged if another decision follows in the same
        turn."""
        chosen = tapped(word, kind, self.choice, self.options)
        if chosen is None:
            return None
        whole = self.options.tokens[word].get(chosen)
        follows = None if whole is None or self.options.grows(word, chosen) else self.onward(whole)
        return follows or self.drafting.to(spelled(word, chosen))

    def onward(self, action: Action[Any] | None) -> Link:
        """The draft with that action staged, if another decision follows it."""
        if action is None or self.me is None:
            return None
        excess = isinstance(action, Take) and sum(self.me.tokens) + sum(action.taken) > LIMIT
        return self.drafting.on(str(action)) if excess or len(self.seen.phases) > 1 else None

    def untake(self, kind: int) -> Link:
        """The draft without that gem, if the take is already staged; later decisions are dropped too."""
        for index, action in enumerate(self.staged):
            if isinstance(action, Take):
                return self.drafting.instead(index, spelled(Take.word, without(action.taken, kind)))
        return None

    # --- what can be confirmed ---

    @property
    def confirmed(self) -> tuple[Action[Any], ...]:
        """The draft, if its last piece is complete and the seat has nothing else to decide."""
        unfinished = self.choice.action is None and (self.choice.word or self.options.all)
        return () if unfinished else self.actions

    def option(self, action: Action[Any]) -> Option:
        """A legal action as the page offers it."""
        payment = tokens.spell(action.paid, KINDS) if isinstance(action, Buy) else ""
        pieces, moves = tuple(map(self.piece, (*self.staged, action))), self.drafting.to(str(action))
        onward = self.onward(action)
        return Option(moves, _touches(action), payment, pieces, onward or moves, follows=onward is not None)

    @property
    def touched(self) -> tuple[str, ...]:
        """The controls touched for the piece in hand."""
        choice = self.choice
        if choice.action is not None:
            return _touches(choice.action)
        return (choice.target,) if choice.target else tuple(_spread(choice.tokens))

    def piece(self, action: Action[Any]) -> Piece:
        match action:
            case Take() | Return():
                return Piece(action.word, tokens.spell(tokens_of(action), KINDS))
            case Buy(card=card, paid=paid):
                return Piece(action.word, tokens.spell(paid, KINDS), card, self._slot(card))
            case Reserve(target=target):
                return Piece(action.word, "", target, self._slot(target), DECKS.get(target, 0))
        return Piece(action.word, target=target_of(action))

    def _slot(self, card: str) -> str:
        """The place of the card before the draft."""
        rows = enumerate(self.before.rows, 1)
        return next((f"T{level}-{row.index(card) + 1}" for level, row in rows if card in row), "")


def _moved(choice: InHand, seen: Observation) -> Tokens:
    match choice:
        case InHand(action=Buy(paid=paid)):
            return tokens.subtract(NONE, paid)
        case InHand(action=Reserve()) if seen.bank[GOLD]:
            return tokens.single(GOLD, KINDS)
        case InHand(word=Take.word, tokens=taken):
            return taken
        case InHand(word=Return.word, tokens=given):
            return tokens.subtract(NONE, given)
    return NONE


def target_of(action: Action[Any]) -> str:
    """The card, deck or noble that the action names."""
    match action:
        case Buy(card=target) | Reserve(target=target) | ChooseNoble(noble=target):
            return target
    return ""


def _touches(action: Action[Any]) -> tuple[str, ...]:
    moved = tokens_of(action)
    return tuple(_spread(moved)) if any(moved) else (target_of(action) or action.word,)


def _spread(chosen: Tokens) -> str:
    """The kinds of the tokens, one letter for each; empty for none."""
    return tokens.spell(chosen, KINDS) if any(chosen) else ""


def tokens_of(action: Action[Any]) -> Tokens:
    """The tokens that the action takes or returns."""
    match action:
        case Take(taken=moved) | Return(returned=moved):
            return moved
    return NONE


def _looks(name: str) -> tuple[int, str]:
    card = CARDS[name]
    return card.prestige, GEMS[COLOURS[card.bonus]]


def _takers(since: Sequence[Event], reader: int | None) -> dict[str, tuple[int, ...]]:
    """The other seats that took some, by kind of token, the latest last."""
    takers: dict[str, tuple[int, ...]] = {}
    for event in since:
        if event.code == "took" and event.facts["seat"] != reader:
            seat = int(event.facts["seat"])
            for kind in set(str(event.facts["tokens"])):
                takers[kind] = (*(other for other in takers.get(kind, ()) if other != seat), seat)
    return takers
