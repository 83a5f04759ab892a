"""The optional actions before the mandatory one: use privileges, then replenish the board."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from games.rules import chance, tokens
from games.rules.base import Action, BadNotation, Event, IllegalAction, Step
from games.rules.duel.actions.mandatory import Buy, Reserve, Take
from games.rules.duel.actions.spaces import TAKEABLE, check_takeable, fill, lift, richer, space_named
from games.rules.duel.cards import KINDS, SPACES
from games.rules.duel.state import Phase, State


def _can_act(state: State) -> bool:
    """Whether a mandatory action is possible (D13)."""
    return any(True for kind in (Take, Reserve, Buy) for _ in kind.options(state))


@dataclass(frozen=True, slots=True)
class UsePrivilege(Action[State]):
    """Give back a privilege for a gem or pearl from any space, never gold (D18, D19). A player may use several, one by
    one, before replenishing (D9-D11); the opponent gains no privilege from it (D20). A mandatory action must be
    possible afterwards, at once or after replenishing (D15, D17)."""

    space: int
    word = "privilege"

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(space_named(text))

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        if state.player.privileges:
            for space, token in enumerate(state.board):
                if token in TAKEABLE and not cls(space)._strands(state):
                    yield cls(space)

    def _strands(self, state: State) -> bool:
        """Whether no mandatory action would be left; one always is while another gem or pearl lies on the board."""
        if sum(token in TAKEABLE for token in state.board) > 1:
            return False
        after = self._spend(state)
        return not _can_act(after) and not (any(after.bag) and _can_act(Replenish.refill(after)))

    def _spend(self, state: State) -> State:
        board, gained = lift(state.board, (self.space,))
        player = replace(richer(state.player, gained), privileges=state.player.privileges - 1)
        players = state.players_with(state.seat, player)
        return replace(state, board=board, privileges=state.privileges + 1, players=players)

    def check(self, state: State) -> None:
        if not state.player.privileges:
            raise IllegalAction("no_privilege")
        check_takeable(state, self.space)
        if self._strands(state):
            raise IllegalAction("privilege_strands")

    def play(self, state: State) -> Step[State]:
        return self._spend(state).step(
            Event(
                "privilege_used",
                seat=state.seat,
                token=state.board[self.space],
                space=SPACES[self.space],
            )
        )

    def __str__(self) -> str:
        return f"privilege {SPACES[self.space]}"


@dataclass(frozen=True, slots=True)
class Replenish(Action[State]):
    """Put all tokens of the bag on the board, in random order along the spiral (D23-D25); the opponent takes a
    privilege. A player may replenish before the mandatory action (D26), and must if none is possible (D14)."""

    word = "replenish"

    @classmethod
    def parse(cls, text: str) -> Self:
        if text:
            raise BadNotation("nothing_follows", text=text[:40])
        return cls()

    @classmethod
    def options(cls, state: State) -> Iterator[Self]:
        if any(state.bag):
            yield cls()

    def check(self, state: State) -> None:
        if not any(state.bag):
            raise IllegalAction("bag_empty")

    @staticmethod
    def refill(state: State) -> State:
        """The board with the tokens of the bag."""
        drawn = chance.shuffle(state.seed, "bag", state.draws, tokens.spell(state.bag, KINDS))
        return replace(state, board=fill(state.board, drawn), bag=(0,) * len(KINDS), draws=state.draws + 1)

    def play(self, state: State) -> Step[State]:
        drawn = sum(state.bag)
        after, gained = self.refill(state).gain_privilege(1 - state.seat)
        after = replace(after, phases=(Phase.MANDATORY,))
        return after.step(Event("replenished", seat=state.seat, drawn=drawn), *gained, reveals=True)

    def __str__(self) -> str:
        return "replenish"
