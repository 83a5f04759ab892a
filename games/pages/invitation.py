"""The page of an invitation by mail."""

from dataclasses import dataclass
from functools import cached_property

from accounts import services as accounts
from accounts.models import User
from games.models import Game, Invitation, Seat
from games.services.tables import tables

Answer = Invitation.Answer


@dataclass(frozen=True)
class InvitationPage:
    """An invitation to an address, as the holder of its link sees it."""

    invitation: Invitation
    game: Game
    reader: User | None
    """The user who is logged in."""
    visitor: User | None = None
    """The guest whom the reader has played as in this browser."""

    @cached_property
    def owner(self) -> User | None:
        """The account with the invitation's address."""
        return accounts.owner(self.invitation.address)

    @cached_property
    def seats(self) -> list[Seat]:
        return list(self.game.seat_set.all())

    @property
    def is_mine(self) -> bool:
        """Whether the invitation was sent to the user who is logged in."""
        return self.reader is not None and self.reader == self.owner

    @property
    def shows_people(self) -> bool:
        """Whether the user who is logged in can report and block the people at the table."""
        return self.reader is not None and self.game.is_visible_to(self.reader)

    @property
    def free(self) -> int:
        return self.game.seats - len(self.seats)

    @cached_property
    def state(self) -> str:
        """The state of the invitation: `closed`, `here`, `seated` (the owner of the address has a seat), `revoked`,
        `begun`, `answered`, or `offer`."""
        if self.game.status == Game.Status.CANCELLED:
            return "closed"
        there = {seat.user_id for seat in self.seats if seat.user_id}
        if self.reader and self.reader.pk in there:
            return "here"
        if self.visitor and self.visitor.pk in there and self.game.status != Game.Status.OPEN:
            return "here"
        if self.owner and self.owner.pk in there:
            return "seated"
        if self.invitation.answer == Answer.REVOKED:
            return "revoked"
        if self.game.status != Game.Status.OPEN:
            return "begun"
        person = self.reader or self.owner
        if person and not tables.is_welcome(self.game, person):
            return "revoked"
        return "answered" if self.invitation.answer == Answer.ACCEPTED else "offer"
