"""What Celery runs: each takes an id and calls a service."""

from celery import shared_task

from games.services import deliveries
from games.services import tend as service


@shared_task
def tend(game_id: int) -> None:
    service.tend(game_id)


@shared_task(soft_time_limit=service.PATIENCE, time_limit=service.LEASE.seconds)
def think(game_id: int) -> None:
    service.think(game_id)


@shared_task
def sweep() -> None:
    service.sweep()


@shared_task
def dispatch() -> None:
    deliveries.dispatch()


@shared_task(soft_time_limit=deliveries.PATIENCE, time_limit=2 * deliveries.PATIENCE)
def deliver(notice_id: int) -> None:
    deliveries.deliver(notice_id)
