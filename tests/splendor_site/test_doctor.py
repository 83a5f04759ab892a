"""`manage.py doctor` prints a line for each part of the site; its exit status tells monitors how bad it is."""

import os
import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import redis
import time_machine
from django.core.cache import cache
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from games.models import Game
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.work import queues, sweep
from splendor_site import doctor
from splendor_site.doctor import Level
from tests.factories import START
from tests.live.site import PRODUCTION, Site, until
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var(settings, tmp_path) -> Iterator[Path]:
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir(mode=0o700)
    settings.REDIS_URL = f"unix://{tmp_path}/none"
    settings.PRIVATE_BROKER = True
    yield settings.VAR_DIR
    cache.delete(sweep.LAST)


def found(about: str) -> tuple[Level, str]:
    """What the examination says about one part of the site."""
    finding = next(each for each in doctor.examine() if each.about == about)
    return finding.level, finding.sentence


def test_migrations():
    level, said = found("Migrations")
    assert level == Level.OK
    assert re.fullmatch(r"all \d+ are applied\.", said)

    last = MigrationRecorder.Migration.objects.filter(app="games").latest("name")
    MigrationRecorder.Migration.objects.filter(pk=last.pk).update(name="9999_from_the_future")
    level, said = found("Migrations")
    assert level == Level.PROBLEM
    assert said.startswith("A newer version has changed the database (games 9999_from_the_future). ")

    MigrationRecorder.Migration.objects.filter(pk=last.pk).delete()
    assert found("Migrations") == (
        Level.PROBLEM,
        "1 migration has not been applied. Restart the site: every start applies them.",
    )
    # Their tables may be missing, so nothing reads them.
    assert {"Bots", "Clocks"}.isdisjoint(each.about for each in doctor.examine())


def test_games_that_wait_for_a_bot(alice):
    with time_machine.travel(START, tick=False) as clock:
        assert found("Bots") == (Level.OK, "no game waits for a bot.")
        while (game := tables.create(alice, tables.TableSpec("duel", 2, ("random",)))).seat_set.get(index=0).user:
            game.delete()
        clock.shift(timedelta(seconds=90))
        assert found("Bots") == (Level.OK, "1 game waits for a bot, the longest for 90 seconds.")
        clock.shift(timedelta(minutes=3))
        assert found("Bots")[0] == Level.WARNING
        clock.shift(timedelta(hours=3))
        level, said = found("Bots")
        assert (level, said[:55]) == (Level.PROBLEM, "1 game waits for a bot, the longest for 3 hours. Check ")
        assert game.key not in said


def test_clocks_that_should_have_run_out(alice, bob):
    with time_machine.travel(START, tick=False) as clock:
        game = tables.create(alice, tables.TableSpec("duel", 2, seated=[bob]))
        Game.objects.filter(pk=game.pk).update(deadline=now())
        clock.shift(timedelta(minutes=4))
        assert found("Clocks") == (Level.OK, "no clock is overdue.")
        clock.shift(timedelta(minutes=4))
        level, said = found("Clocks")
        assert (level, said[:75]) == (
            Level.PROBLEM,
            "1 game waits for the clock to run out, the longest for 8 minutes. Check tha",
        )
        sweep.tend(game.pk)
        assert found("Clocks")[0] == Level.OK


def test_the_sweep_leaves_a_trace(settings, valkey):
    settings.REDIS_URL = valkey
    with time_machine.travel(START, tick=False) as clock:
        assert found("Sweep")[0] == Level.PROBLEM
        sweep.sweep()
        clock.shift(timedelta(seconds=20))
        assert found("Sweep") == (Level.OK, "the last one was 20 seconds ago.")
        clock.shift(timedelta(minutes=5))
        level, said = found("Sweep")
        assert (level, said[:34]) == (Level.PROBLEM, "The last sweep was 5 minutes ago, ")
        clock.shift(timedelta(minutes=-10))
        assert found("Sweep")[0] == Level.WARNING


@pytest.mark.django_db
def test_many_refused_requests_are_noticed(settings, valkey):
    settings.MANY_REFUSALS, settings.REDIS_URL = 3, valkey
    cache.clear()
    for requests, level in (3, Level.OK), (1, Level.WARNING):
        for _ in range(requests):
            assert Client(enforce_csrf_checks=True).post("/account/login/").status_code == 403
        assert found("Refusals")[0] == level
    assert found("Refusals")[1].startswith("4 requests were refused in this hour and the last one. Somebody may be")
    cache.clear()


def test_only_the_owner_may_read(var):
    assert found("Permissions") == (Level.OK, f"only the site’s user can read {var}.")
    (var / "backups").mkdir(mode=0o700)
    (var / "secret_key").touch(mode=0o600)
    copy = var / "backups" / "cabochon-2026-05-01T04-00-03Z.tar"
    copy.touch(mode=0o640)
    assert found("Permissions") == (
        Level.PROBLEM,
        f"Other users of this machine can read {copy}. Run chmod -R go= {var}.",
    )
    copy.chmod(0o600)
    (var / "secret_key").chmod(0o604)
    var.chmod(0o750)
    level, said = found("Permissions")
    assert (level, said.partition(". ")[0]) == (
        Level.PROBLEM,
        f"Other users of this machine can read {var}, {var / 'secret_key'}",
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_command_of_another_user_is_noticed(var):
    os.chown(var, 12345, 12345)
    assert found("Permissions")[0] == Level.WARNING


def test_the_age_of_the_newest_backup(var):
    assert found("Backup")[0] == Level.WARNING
    (var / "backups").mkdir(mode=0o700)
    old, new = (var / "backups" / f"cabochon-2026-05-0{day}T04-00-03Z.tar" for day in (1, 2))
    for copy, age in (old, timedelta(days=9)), (new, timedelta(hours=30)):
        copy.touch(mode=0o600)
        made = (now() - age).timestamp()
        os.utime(copy, (made, made))
    assert found("Backup") == (Level.OK, "the newest is 30 hours old.")
    new.unlink()
    level, said = found("Backup")
    assert (level, said.partition(". ")[0]) == (
        Level.WARNING,
        f"The newest backup in {var / 'backups'} is 9 days old",
    )


def test_a_machine_without_a_general_worker_keeps_no_backups(var, settings):
    settings.WORKER_PROCESSES = 0
    assert found("Backup")[0] == Level.OK


def test_the_disk(monkeypatch, var):
    usage = shutil.disk_usage(var)
    for free, level in (2**31, Level.OK), (2**29, Level.WARNING), (2**20, Level.PROBLEM):
        monkeypatch.setattr(shutil, "disk_usage", lambda _path, free=free: usage._replace(free=free))
        assert found("Disk")[0] == level


def test_a_broker_that_may_lose_tasks(settings, valkey):
    settings.REDIS_URL = valkey
    assert found("Broker") == (Level.WARNING, "The broker forgets the queues when it stops. Set appendonly yes.")


def test_every_queue_needs_a_worker(settings, valkey):
    settings.REDIS_URL = valkey
    level, said = found("Workers")
    assert (level, said.partition(". ")[0]) == (
        Level.PROBLEM,
        "No worker takes the queues celery, quick, bots, mail",
    )


def test_long_queues(settings, valkey):
    settings.REDIS_URL = valkey
    with redis.Redis.from_url(valkey) as broker:
        assert found("Queues") == (Level.OK, "0 in celery, 0 in quick, 0 in bots, 0 in mail.")
        broker.rpush("mail", *range(1001))
        assert found("Queues") == (
            Level.WARNING,
            "Tasks wait: 0 in celery, 0 in quick, 0 in bots, 1001 in mail. If this lasts, raise MAIL_PROCESSES.",
        )
        broker.delete("mail")


@pytest.mark.slow
def test_the_exit_status_tells_how_bad_it_is(tmp_path):
    with MailServer() as server:
        site = Site(tmp_path / "site", **PRODUCTION | {"EMAIL_URL": f"smtp://127.0.0.1:{server.port}"})
        site.prepare()
        site.var.chmod(0o700)
        site.database.chmod(0o600)

        def examined() -> tuple[int, list[str]]:
            """The status, and what is not well."""
            told = site.manage("doctor")
            lines = told.stdout.splitlines()
            return told.returncode, [line.partition(".")[0] for line in lines if ": OK, " not in line]

        def served() -> set[str]:
            """The queues that workers take, which costs less than a whole examination."""
            workers = site.celery.control.inspect(timeout=2).active_queues() or {}
            return {queue["name"] for taken in workers.values() for queue in taken}

        with site.running():
            until(lambda: served() == {*queues.SERVED_BY}, seconds=200)
            until(lambda: examined() == (1, ["Backup: WARNING"]))
            assert site.manage("backup").returncode == 0
            assert examined() == (0, [])
    assert examined() == (2, ["Broker: PROBLEM", "Mail, connection: PROBLEM"])


def test_a_lost_database_is_one_finding(tmp_path):
    site = Site(tmp_path / "other", **PRODUCTION, DATABASE_URL="postgres://nobody@127.0.0.1:9/none")
    told = site.manage("doctor")
    assert told.returncode == 2
    wrong = [line for line in told.stdout.splitlines() if ": PROBLEM. " in line]
    assert wrong[0].startswith("Database: PROBLEM. The database does not answer (connection ")
    assert wrong[1].startswith("Broker: PROBLEM. The broker does not answer (")
