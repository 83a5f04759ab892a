"""Limits on the mails that people can cause others to receive within a day. Mails above a limit are not sent. Their
recipient can see this in the list of mails; the person who caused them is not told."""

from django.db.models import Q

from games.models import Notice
from games.services.clocks.arithmetic import DAY
from games.services.clocks.moment import now

Kind = Notice.Kind
OFFERS = (Kind.INVITED, Kind.REMATCH)
MAX_OFFERS_FROM_ONE_TO_ONE = 5
"""The maximum number of offers of a seat within a day, from one person to one reader."""
MAX_OFFERS_TO_ONE = 20
"""The same from all people to one reader."""
MAX_OFFERS_BY_ONE = 40
"""The same from one person to all readers."""
MAX_ACCOUNT_MAILS = 20
"""The maximum number of codes and similar mails to one address within a day; anybody can request them."""


def reached(notice: Notice) -> bool:
    """Whether a limit for this notice's kind of mail is reached. The notice must have been read with its game."""
    sent = Notice.objects.filter(outcome=Notice.Outcome.SENT, closed_at__gt=now() - DAY)
    if notice.expires_at:  # a code
        asked_for = sent.filter(address=notice.address, expires_at__isnull=False)
        return asked_for.count() >= MAX_ACCOUNT_MAILS
    if notice.kind in OFFERS and notice.game:
        offers = sent.filter(kind__in=OFFERS)
        same = Q(recipient=notice.recipient_id, address=notice.address)
        mine = Q(game__host=notice.game.host_id)
        caps = ((same & mine, MAX_OFFERS_FROM_ONE_TO_ONE), (same, MAX_OFFERS_TO_ONE), (mine, MAX_OFFERS_BY_ONE))
        return any(offers.filter(whose).count() >= cap for whose, cap in caps)
    return False
