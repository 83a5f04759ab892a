"""The lease of sweeps. Each machine asks for sweeps, and the lease, a row, lets one at a time do the work."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from games.models import SweepLease
from games.services.clocks.moment import now

LEASE = timedelta(seconds=30)
"""How long a lease holds if its holder dies."""
LEASE_PK = 1


def take() -> datetime | None:
    """Take the lease; return its end, or `None` if another sweep has it."""
    at = now()
    until = at + LEASE
    _lease, made = SweepLease.objects.get_or_create(pk=LEASE_PK, defaults={"until": until})
    # A lease that ends much later than any that could be taken now was taken by a clock that is ahead.
    free = Q(until__lte=at) | Q(until__gt=until + LEASE)
    return until if made or SweepLease.objects.filter(free, pk=LEASE_PK).update(until=until) else None


def give_back(until: datetime) -> None:
    """End the lease with that end, but let no other sweep begin until the next one is due."""
    pause = timedelta(seconds=0.8 * settings.CELERY_BEAT_SCHEDULE["sweep"]["schedule"])
    SweepLease.objects.filter(until=until).update(until=until - LEASE + pause)
