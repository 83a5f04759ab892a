"""The user or bot that decides for a seat."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import User
from games.models import Move, Seat
from games.services.clocks.arithmetic import NOTHING


@dataclass(frozen=True)
class Actor:
    """The user who decides, or if there is none, the bot in the seat."""

    user: User | None
    turn: int | None = None
    """For the holder of a link from a mail: the only turn they may decide in, by the number at which it began."""
    asked: datetime | None = None
    began: datetime | None = None
    """When a bot's turn to decide began, and when the bot started to think."""

    def acts_for(self, seat: Seat) -> bool:
        """Whether this actor may decide for the seat now."""
        if self.user is None:
            return bool(seat.acting_bot)
        return seat.user_id == self.user.pk and not seat.acting_bot and not self.user.is_suspended

    def kind(self, seat: Seat) -> Move.ActorKind:
        """The kind of actor for the ledger."""
        if self.turn is not None:
            return Move.ActorKind.LINK
        if self.user is not None:
            return Move.ActorKind.USER
        return Move.ActorKind.CARETAKER if seat.caretaker else Move.ActorKind.BOT

    def took(self, at: datetime) -> dict[str, timedelta]:
        """The fields of a bot's move that say how long it waited for a worker and how long it thought."""
        if self.asked is None or self.began is None:
            return {}
        # The clocks of two machines may differ a little.
        return {"waited": max(self.began - self.asked, NOTHING), "thought": max(at - self.began, NOTHING)}
