"""Celery tasks; each calls a service."""

from celery import shared_task

from games.services.mailing import deliveries
from games.services.privacy import archives
from games.services.work import sweep as sweeping
from games.services.work import thinking


@shared_task
def tend(game_id: int) -> None:
    sweeping.tend(game_id)


@shared_task(soft_time_limit=thinking.THINKING_SECONDS, time_limit=thinking.BOT_LEASE.seconds)
def think(game_id: int, queue: str | None = None) -> None:
    thinking.think(game_id, queue)


@shared_task
def sweep() -> None:
    sweeping.take_turn()


@shared_task
def forget() -> None:
    sweeping.forget()


@shared_task
def forget_guests(after: int = 0) -> None:
    if last := sweeping.forget_guests(after):
        forget_guests.delay(last)


@shared_task(soft_time_limit=archives.LEASE.seconds - 60, time_limit=archives.LEASE.seconds)
def make_archive(user_id: int) -> None:
    archives.make_archive(user_id)


@shared_task
def dispatch() -> None:
    deliveries.dispatch()


@shared_task(
    soft_time_limit=deliveries.BATCH_TIME.seconds + deliveries.SENDING_SECONDS,
    time_limit=deliveries.BATCH_TIME.seconds + 2 * deliveries.SENDING_SECONDS,
)
def deliver(*notice_ids: int) -> None:
    deliveries.deliver(*notice_ids)
