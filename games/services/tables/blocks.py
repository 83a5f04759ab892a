"""Blocks between people. Every service that gives a seat or makes an offer asks `Block`. Nothing tells a blocked
person: they get the answers of a table that they are not invited to."""

from contextlib import suppress

from django.db import transaction

from accounts.models import User
from games.models import Block, Game
from games.services.clocks.moment import now
from games.services.tables import invitations
from games.services.tables.tables import TableRefusal


def block(user: User, person: User) -> None:
    """Block the person, and withdraw the user's invitations to them by name. Games that have begun go on. An invitation
    to their address stays, because the host must not learn whose address it is; it has become void."""
    Block.objects.get_or_create(by=user, blocked=person, defaults={"at": now()})
    asked = Game.objects.filter(status=Game.Status.OPEN, host=user, invited=person).exclude(seat_set__user=person)
    for game in asked:
        with suppress(TableRefusal):  # it may have filled or closed meanwhile
            invitations.revoke(game, user, person.username)


def unblock(user: User, person: User) -> None:
    """Allow the person everything again. Invitations that were withdrawn stay so."""
    Block.objects.filter(by=user, blocked=person).delete()


@transaction.atomic
def take_along(guest: User, user: User) -> None:
    """Copy the blocks of a guest, and those against them, to the user that the guest turned out to be."""
    mine = Block.objects.filter(by=guest).exclude(blocked=user)
    theirs = Block.objects.filter(blocked=guest).exclude(by=user)
    copies = [Block(by=user, blocked_id=each.blocked_id, at=each.at) for each in mine]
    copies += [Block(by_id=each.by_id, blocked=user, at=each.at) for each in theirs]
    Block.objects.bulk_create(copies, ignore_conflicts=True)
