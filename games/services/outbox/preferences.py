"""How people want their mails: kept for each of them; from their page, or from the links in the mails."""

from typing import Any, Final

from django.db import transaction

from accounts.models import User
from games.models import Notice, Preferences, Seat

ALL: Final = "all"
"""In the place of a kind: none at all."""
ASKED_FOR = (Notice.Kind.TEST, Notice.Kind.ACCOUNT)
"""The kinds of notice that nobody can switch off: a test, and what concerns the account."""
KINDS = tuple(kind for kind in Notice.Kind if kind not in ASKED_FOR)
"""The kinds that can be switched off."""


def change(user: User, **wishes: Any) -> None:
    """Keep those wishes; what is not named stays."""
    Preferences.objects.update_or_create(user=user, defaults=wishes)


def switch(user: User, kind: str, *, on: bool) -> None:
    """No more notices of that kind, or of `ALL`; or those again."""
    with transaction.atomic():
        kept, _made = Preferences.objects.select_for_update().get_or_create(user=user)
        off = set(kept.off)
        if not on:
            off.add(kind)
        elif kind != ALL and ALL in off:
            # Of all that was switched off, one comes back.
            off = set(KINDS) - {kind}
        else:
            off.discard(kind)
        kept.off = sorted(off)
        kept.save(update_fields=["off"])


def mute(seat: Seat, *, on: bool) -> None:
    """No more mails about the game of that seat to who sits there; or those again."""
    Seat.objects.filter(pk=seat.pk).update(muted=on)
