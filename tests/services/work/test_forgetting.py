"""Old data is deleted every day; no duty stops another one. Guests are in tests/views/test_guests.py."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError, connection

from games import tasks

pytestmark = pytest.mark.django_db


def test_a_failed_deletion_of_old_data_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    asked: list[str] = []

    def fail(_execute: Any, sql: str, *_question: Any) -> None:
        asked.append(sql)
        raise DatabaseError

    with connection.execute_wrapper(fail):
        tasks.forget()
    tables_ = ["games_archive", "games_invitation", "games_report", "games_notice"]
    assert [name for sql in asked for name in re.findall(r'FROM "(\w+)"', sql)[:1]] == tables_
    assert caplog.messages == ["A duty of the sweep failed."] * 4


def test_old_data_is_deleted_every_day() -> None:
    scheduled = {(entry["task"], entry["schedule"]) for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled >= {(task.name, 24 * 3600.0) for task in (tasks.forget, tasks.forget_guests)}
