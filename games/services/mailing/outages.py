"""A mail server that does not answer: all mails wait, and after each pause one of them tries whether it does again.
Kept in the database, where every worker on every machine reads it."""

import logging
from datetime import timedelta

from games.models import Outage
from games.services.clocks.moment import now

log = logging.getLogger(__name__)

PAUSE = timedelta(minutes=1)
"""How long nobody tries after a mail server has not answered."""
THE_ONE = 1


def waiting() -> bool:
    """Whether mails wait for the end of a pause."""
    return Outage.objects.filter(until__gt=now()).exists()


def may_try() -> bool:
    """Whether a mail may go to the server now: any if it answers; the first to ask, when a pause is over."""
    outage = Outage.objects.first()
    if outage is None:
        return True
    over = Outage.objects.filter(until=outage.until, until__lte=now())
    return bool(over.update(until=now() + PAUSE))


def begin() -> None:
    """The server has not answered; whether it did before, or not."""
    until = now() + PAUSE
    Outage.objects.update_or_create(
        pk=THE_ONE, defaults={"until": until}, create_defaults={"since": now(), "until": until}
    )
    log.warning("The mail server does not answer: mails wait until %s.", until)


def end() -> bool:
    """The server answers, whatever it says; whether it did not before."""
    deleted, _of_which = Outage.objects.all().delete()
    return bool(deleted)
