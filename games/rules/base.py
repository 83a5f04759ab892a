"""The contract between a title and whatever plays it: pages, bots, commands, tests.

A *state* is everything about a position, secrets included. The seat to act chooses an *action*; `Ruleset.apply`
checks it, plays it and returns a *step*: the next state, the events, and whether something hidden was revealed.
A turn is the queue `state.phases`: an action removes its first phase and puts the phases that it causes in front.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from games.rules import codec

Fact = str | int
"""A number or a notation: tokens (`wug`), a card's id, a space (`c3`). Never prose."""


class CodeAndFacts:
    """A code with its facts, equal to another with the same code and facts. As text: `took seat=0 tokens=wug`."""

    def __init__(self, code: str, /, **facts: Fact) -> None:
        self.code = code
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{name}={fact}" for name, fact in self.facts.items())])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class Event(CodeAndFacts):
    """A fact that an action brought about, secrets included; a reader gets `Ruleset.show(event, seat)`."""


TURN_ENDS = frozenset({"passed", "extra_turn"})
"""The events that end a turn although the same seat may decide next."""


class Refusal(CodeAndFacts, ValueError):
    """The reason why a text or an action is not accepted."""


class BadNotation(Refusal):
    """The text is not the notation of any action."""


class IllegalAction(Refusal):
    """The action is well formed, but the rules do not allow it now."""


class InvariantError(Exception):
    """The rules reached a position that should be impossible: our defect, never a player's."""


class DamagedState(ValueError):
    """The data is not a position that these rules could have dumped."""


class State(Protocol):
    """The fields that every title's state must have; it is a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def number(self) -> int:
        """Decisions made so far; settled ones do not count."""

    @property
    def to_act(self) -> int | None:
        """The seat that decides; `None` when the game is over."""

    @property
    def phases(self) -> tuple[Any, ...]:
        """The decisions left in this turn, next first; empty when the game is over."""


S = TypeVar("S", bound=State)
Seen = TypeVar("Seen")


class Action(ABC, Generic[S]):
    """One decision of the seat to act. `str(action)` is its notation: `word`, then the text that `parse` reads."""

    __slots__ = ()
    word: ClassVar[str]
    settles: ClassVar[bool] = False
    """May be played unasked when it is the only option."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self:
        """The action with this notation, `text` being the part after the word; raises `BadNotation`."""

    @classmethod
    @abstractmethod
    def options(cls, state: S) -> Iterator[Self]:
        """Every legal choice of this kind, once each; a purchase once per card, with the default payment."""

    def variants(self, state: S) -> Iterator[Self]:
        """The same choice with every other payment; none by default."""
        return iter(())

    def completed(self, state: S) -> Self:
        """This action, with defaults for the parts that a notation may omit."""
        return self

    @abstractmethod
    def check(self, state: S) -> None:
        """Raise `IllegalAction` unless the rules allow this now. Legality is decided here and nowhere else."""

    @abstractmethod
    def play(self, state: S) -> Step[S]:
        """Play this action, which must be legal."""

    @abstractmethod
    def __str__(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The result of a decision and of everything that was settled after it."""

    state: S
    events: tuple[Event, ...] = ()
    reveals: bool = False
    """Whether something hidden was revealed; the next decision must then wait until the player has seen it."""
    played: tuple[Action[S], ...] = ()
    """The decision, complete, then what was settled; filled in by `Ruleset.apply`."""

    @property
    def ends_turn(self) -> bool:
        """Whether this step ended the turn by an event of `TURN_ENDS`; other turns end when another seat is to act."""
        return any(event.code in TURN_ENDS for event in self.events)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning seats and the score of each seat. Several winning seats share the victory;
    nobody wins if every seat that could have won is out."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str = ""
    """The code of the title for the deciding condition; empty without winners."""


class Ruleset(ABC, Generic[S, Seen]):
    """Makes, changes, shows and ends the states `S` of a title; `Seen` is what one seat may know."""

    slug: ClassVar[str]
    name: ClassVar[str]
    version: int
    """The version of the rules. It must rise when any recorded game would replay differently."""
    seats: ClassVar[range]
    actions: ClassVar[Mapping[Any, tuple[type[Action[Any]], ...]]]
    """The kinds of action on offer, by the phase at the head of the queue."""
    state_type: ClassVar[type[Any]]

    # Written per title

    @abstractmethod
    def initial(self, seats: int, seed: bytes) -> S:
        """The position after set-up; seat 0 begins."""

    @abstractmethod
    def observe(self, state: S, seat: int | None) -> Seen:
        """The observation of that seat; seat `None` is a spectator."""

    @abstractmethod
    def show(self, event: Event, seat: int | None) -> Event | None:
        """The part of the event that the seat may know; `None` if it may know nothing."""

    @abstractmethod
    def determinize(self, seen: Seen, rng: Random) -> S:
        """A state that fits the observation, with a new seed of its own. Every fitting state is equally likely."""

    @abstractmethod
    def outcome(self, state: S, out: Collection[int] = ()) -> Outcome | None:
        """The result, or `None` while the game runs. Seats in `out` cannot win; if no other seat is left, nobody
        wins."""

    @abstractmethod
    def faults(self, state: S) -> list[str]:
        """The invariants that this state breaks. It must accept any field values. For developers, not for players."""

    # Written once

    def as_of(self, version: int) -> Self:
        """These rules at that version. A game is played and replayed under the version it began with."""
        ruleset = copy(self)
        ruleset.version = version
        return ruleset

    def options(self, state: S) -> Iterator[Action[S]]:
        """The legal actions, one by one."""
        if state.to_act is not None:
            for kind in self.actions[state.phases[0]]:
                yield from kind.options(state)

    def legal_actions(self, state: S) -> list[Action[S]]:
        """All options, each choice once."""
        return list(self.options(state))

    def all_actions(self, state: S) -> list[Action[S]]:
        """All options, each followed by its variants: everything that `apply` accepts now."""
        return [way for option in self.options(state) for way in (option, *option.variants(state))]

    def apply(self, state: S, action: Action[S]) -> Step[S]:
        """Check and play a decision, and settle what leaves no choice; raises `IllegalAction`."""
        if state.to_act is None:
            raise IllegalAction("game_over")
        if type(action) not in self.actions[state.phases[0]]:
            raise IllegalAction("not_now", action=action.word, phase=str(state.phases[0]))
        action = action.completed(state)
        action.check(state)
        return self._play(state, action)

    def apply_all(self, state: S, notations: Sequence[str]) -> list[Step[S]]:
        """Play several decisions of the seat to act, one step each; raises `IllegalAction` for all if one is illegal.
        Nothing may follow the end of the turn, or a decision that reveals something hidden."""
        if not notations:
            raise IllegalAction("nothing_chosen")
        seat, steps = state.to_act, list[Step[S]]()
        for notation in notations:
            if state.to_act != seat or (steps and steps[-1].ends_turn):
                raise IllegalAction("turn_is_over")
            if steps and steps[-1].reveals:
                raise IllegalAction("look_first")
            steps.append(self.apply(state, self.parse(notation)))
            state = steps[-1].state
        return steps

    def _play(self, state: S, action: Action[S]) -> Step[S]:
        number = state.number + 1
        step = action.play(state)
        events, reveals, played = step.events, step.reveals, [action]
        while (settled := self._settled(step.state)) is not None:
            step = settled.play(step.state)
            events += step.events
            reveals |= step.reveals
            played.append(settled)
        return Step(replace(step.state, number=number), events, reveals, tuple(played))

    def _settled(self, state: S) -> Action[S] | None:
        """The action to play unasked, if there is no choice and its kind allows it."""
        if state.to_act is None:
            return None
        options = self.options(state)
        first = next(options, None)
        if first is None:
            raise InvariantError(f"no option in {state!r}")
        return first if first.settles and next(options, None) is None else None

    def parse(self, text: str) -> Action[S]:
        """The action of a notation, legal or not; raises `BadNotation`."""
        word, _, rest = text.strip().partition(" ")
        for kinds in self.actions.values():
            for kind in kinds:
                if kind.word == word:
                    return kind.parse(rest.strip())
        raise BadNotation("unknown_action", text=text[:40])

    def replay(self, seats: int, seed: bytes, notations: Iterable[str], *, check: bool = True) -> Iterator[Step[S]]:
        """The set-up as a step, then one step per decision. `check=False` trusts the notations: recorded games were
        checked when they were played."""
        step = Step(self.initial(seats, seed))
        yield step
        advance = self.apply if check else self._play
        for notation in notations:
            step = advance(step.state, self.parse(notation))
            yield step

    def dump(self, state: S) -> codec.Json:
        """The state as JSON values."""
        return codec.dump(state)

    def load(self, data: codec.Json) -> S:
        """The state of a dump; raises `DamagedState`. Dumps of every older shape must load: a field that a title adds
        to its state has the default that suits them, or the title overrides this method."""
        try:
            state: S = codec.load(data, self.state_type)
        except codec.BadShape as error:
            raise DamagedState(str(error)) from error
        if faults := self.faults(state):
            raise DamagedState("; ".join(faults))
        return state
