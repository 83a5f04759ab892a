"""The queues of the workers."""

import redis
from django.conf import settings

from games.services.work.bot_queues import GENERAL, QUICK, SLOW

PATIENCE = 2.0
"""Seconds to wait for the broker."""
SERVED_BY = {GENERAL: "WORKER_PROCESSES", QUICK: "BOT_PROCESSES", SLOW: "BOT_PROCESSES", "mail": "MAIL_PROCESSES"}
"""The queues, each with the setting that starts its worker."""


def broker() -> redis.Redis:
    """A connection to the server that keeps the queues."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)


def lengths() -> dict[str, int]:
    """How many requests wait in each queue. Raises `redis.RedisError`."""
    with broker() as connected:
        return {queue: int(str(connected.llen(queue))) for queue in SERVED_BY}


def told(found: dict[str, int]) -> str:
    """The lengths in words."""
    return ", ".join(f"{length} in {queue}" for queue, length in found.items())
