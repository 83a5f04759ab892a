"""Keeps leases as long as usual by the wall clock, because they cover the time that machines need."""

from bench.soak.settings import SPEED
from games.services.mailing import deliveries
from games.services.work import thinking

deliveries.DELIVERY_LEASE *= SPEED
thinking.BOT_LEASE *= SPEED
deliveries.RETRY_PAUSES = tuple(pause * max(SPEED // 60, 1) for pause in deliveries.RETRY_PAUSES)
