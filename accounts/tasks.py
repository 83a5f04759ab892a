"""Celery tasks; each calls a service."""

from celery import shared_task

from accounts import services


@shared_task
def forget() -> None:
    services.forget()
