"""Changes to users' mail preferences, made on the page or by links in mails."""

from typing import Any, Final

from django.db import transaction

from accounts.models import User
from games.models import Notice, Preferences, Seat

ALL: Final = "all"
"""Stands for all kinds of notice."""
ALWAYS_SENT = (Notice.Kind.DIGEST, Notice.Kind.RESTORED, Notice.Kind.TEST, Notice.Kind.ACCOUNT)
"""The kinds of notice that cannot be switched off: mails about a restoration of the site, about the account, and
tests; and digests, which tell only of kinds that are on."""
SWITCHABLE_KINDS = tuple(kind for kind in Notice.Kind if kind not in ALWAYS_SENT)
"""The kinds of notice that can be switched off."""


def change(user: User, **wishes: Any) -> None:
    """Store these preferences; others keep their values."""
    Preferences.objects.update_or_create(user=user, defaults=wishes)


def switch(user: User, kind: str, *, on: bool) -> None:
    """Switch mails of that kind, or `ALL`, on or off."""
    with transaction.atomic():
        kept, _made = Preferences.objects.select_for_update().get_or_create(user=user)
        off = set(kept.off)
        if not on:
            off.add(kind)
        elif kind != ALL and ALL in off:
            # All kinds were off, so switch the others off by name.
            off = set(SWITCHABLE_KINDS) - {kind}
        else:
            off.discard(kind)
        kept.off = sorted(off)
        kept.save(update_fields=["off"])


def mute(seat: Seat, *, on: bool) -> None:
    """Mute the game for the user in that seat, or unmute it (`on=False`)."""
    Seat.objects.filter(pk=seat.pk).update(muted=on)
