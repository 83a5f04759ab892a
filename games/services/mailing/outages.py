"""Outages of the mail server: while it is out of reach or silent, all mails wait, and after each pause one mail is
tried. The outage is a row, so every worker on every machine knows of it."""

import logging
from datetime import timedelta

from games.models import Outage
from games.services.clocks.moment import now

log = logging.getLogger(__name__)

OUTAGE_PAUSE = timedelta(minutes=1)
"""How long all mails wait after the mail server fails to answer."""
OUTAGE_PK = 1


def current() -> Outage | None:
    """The outage, or `None` while the server answers."""
    return Outage.objects.first()


def waiting(outage: Outage | None) -> bool:
    """Whether mails must wait for the end of a pause."""
    return outage is not None and outage.until > now()


def may_try(outage: Outage) -> bool:
    """Whether a mail may be tried now that a pause is over: only the first that asks may."""
    over = Outage.objects.filter(until=outage.until, until__lte=now())
    return bool(over.update(until=now() + OUTAGE_PAUSE))


def begin(why: str) -> None:
    """Record that the server has not answered, during an outage or at its beginning, which the log tells."""
    until = now() + OUTAGE_PAUSE
    _outage, is_new = Outage.objects.update_or_create(
        pk=OUTAGE_PK, defaults={"until": until}, create_defaults={"since": now(), "until": until}
    )
    if is_new:
        log.warning("The mail server fails (%s). All mails wait, and one is tried every minute.", why)


def end() -> bool:
    """Record that the server answers; return whether this ends an outage."""
    deleted, _of_which = Outage.objects.all().delete()
    if deleted:
        log.warning("The mail server answers again.")
    return bool(deleted)
