"""Checks of the whole site for its operator: each finds it well, or says what is wrong and what to do."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from pathlib import Path

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from accounts import security_log
from games.management.numbers import numbered
from games.models import Game
from games.services.clocks.moment import now
from games.services.work import queues, sweep, waits
from splendor_site import backups, mail_checks
from splendor_site.celery import app

PATIENCE = 2.0
"""Seconds to wait for the workers."""
MAX_QUEUE_LENGTH = 1000
SWEEP_IS_LATE = timedelta(minutes=1)
CLOCKS_DIFFER = timedelta(seconds=5)
CLOCK_IS_LATE = timedelta(minutes=5)
BOT_IS_SLOW, BOT_IS_LOST = timedelta(minutes=2), timedelta(minutes=15)
BACKUP_IS_OLD = timedelta(hours=36)
BACK_UP = "A worker makes one a day unless DAILY_BACKUP is 0. Run manage.py backup to see what goes wrong."
DISK_IS_LOW, DISK_IS_FULL = 2**30, 2**27
"""Bytes that are free."""


class Level(IntEnum):
    """How bad a finding is; the command exits with the worst, as monitors expect it."""

    OK = 0
    WARNING = 1
    PROBLEM = 2


@dataclass(frozen=True)
class Finding:
    about: str
    level: Level
    sentence: str


class Doubt(Exception):
    """Something that the operator should look at soon, and what to do about it."""


Problem = mail_checks.Problem
Check = Callable[[], str]


def examine(*, connect: bool = True) -> Iterator[Finding]:
    """All findings, in an order in which the first problem often explains the others. Without `connect` the mail server
    is not asked."""
    yield _finding("Disk", _disk)
    yield _finding("Permissions", _permissions)
    yield _finding("Backup", _backup)
    database = _finding("Database", _database)
    yield database
    if database.level == Level.OK:
        migrations = _finding("Migrations", _migrations)
        yield migrations
        if migrations.level == Level.OK:
            yield _finding("Bots", _bots)
            yield _finding("Clocks", _clocks)
    broker = _finding("Broker", _broker)
    yield broker
    if broker.level < Level.PROBLEM:
        yield _finding("Refusals", _refusals)
        yield _finding("Queues", _queues)
        yield _finding("Workers", _workers)
        yield _finding("Sweep", _sweep)
    for name, check in mail_checks.checks(None, connect=connect):
        yield _finding(f"Mail, {name.lower()}", check)


def _finding(about: str, check: Check) -> Finding:
    try:
        return Finding(about, Level.OK, check())
    except Doubt as doubt:
        return Finding(about, Level.WARNING, str(doubt))
    except Problem as problem:
        return Finding(about, Level.PROBLEM, str(problem))


def _database() -> str:
    path = Path(connection.settings_dict["NAME"])
    # A connection would create the file.
    if connection.vendor == "sqlite" and path.is_absolute() and not path.exists():
        raise Problem(f"There is no database at {path} yet. Start the site once.")
    try:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            connection.introspection.table_names(cursor)
    except DatabaseError as error:
        said = " ".join(str(error).split())
        raise Problem(
            f"The database does not answer ({said}). Check whether its server runs, and DATABASE_URL."
        ) from None
    return f"{connection.display_name} answers."


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    known, applied = set(executor.loader.disk_migrations), set(executor.loader.applied_migrations)
    # Libraries may drop migrations that they have replaced.
    if newer := sorted(f"{app} {name}" for app, name in applied - known if app in ("accounts", "games")):
        raise Problem(
            f"A newer version has changed the database ({', '.join(newer)}). Install that version, or restore a backup "
            "from before it."
        )
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if missing:
        lacking = numbered(missing, "migration has", "migrations have")
        raise Problem(f"{lacking} not been applied. Restart the site: every start applies them.")
    return f"all {len(known)} are applied."


def _bots() -> str:
    times = waits.waiting()
    longest = max(times, default=timedelta())
    waiting = f"{numbered(len(times), 'game waits', 'games wait')} for a bot, the longest for {_rounded(longest)}"
    if longest > BOT_IS_LOST:
        raise Problem(f"{waiting}. Check that the site runs, and its log for errors of the bots’ worker.")
    if longest > BOT_IS_SLOW:
        raise Doubt(f"{waiting}. If this lasts, raise BOT_PROCESSES; manage.py bots_status shows figures.")
    return f"{waiting}." if times else "no game waits for a bot."


def _clocks() -> str:
    at = now()
    late = Game.objects.filter(status=Game.Status.ACTIVE, deadline__lt=at - CLOCK_IS_LATE).order_by("deadline")
    deadline = late.values_list("deadline", flat=True).first()
    if deadline is not None:
        raise Problem(
            f"{numbered(late.count(), 'game waits', 'games wait')} for the clock to run out, the longest for "
            f"{_rounded(at - deadline)}. Check that WORKER_PROCESSES is above 0 on some machine, and the log of that "
            "worker."
        )
    return "no clock is overdue."


def _broker() -> str:
    try:
        with queues.broker() as broker:
            info = broker.info()
    except redis.RedisError as error:
        where = "Start the site" if settings.PRIVATE_BROKER else "Check whether its server runs, and REDIS_URL"
        raise Problem(f"The broker does not answer ({error}). {where}.") from None
    if info.get("maxmemory_policy") != "noeviction" and info.get("maxmemory"):
        raise Doubt("The broker may throw tasks away when its memory is full. Set maxmemory-policy noeviction.")
    if not info.get("aof_enabled"):
        raise Doubt("The broker forgets the queues when it stops. Set appendonly yes.")
    return f"the broker answers, and uses {info['used_memory_human']}B."


def _queues() -> str:
    lengths = queues.lengths()
    said = queues.told(lengths)
    if full := [queue for queue, length in lengths.items() if length > MAX_QUEUE_LENGTH]:
        raised = sorted({queues.SERVED_BY[each] for each in full})
        raise Doubt(f"Tasks wait: {said}. If this lasts, raise {' and '.join(raised)}.")
    return f"{said}."


def _workers() -> str:
    taken = app.control.inspect(timeout=PATIENCE).active_queues() or {}
    served = {queue["name"] for worker in taken.values() for queue in worker}
    if unserved := [queue for queue in queues.SERVED_BY if queue not in served]:
        missing = sorted({queues.SERVED_BY[queue] for queue in unserved})
        raise Problem(
            f"No worker takes the queues {', '.join(unserved)}. Check that the site runs with {' and '.join(missing)} "
            "above 0 on one of its machines; after a start, the bots’ worker needs up to a minute."
        )
    return f"{numbered(len(taken), 'worker answers', 'workers answer')}: {', '.join(sorted(taken))}."


def _sweep() -> str:
    last = cache.get(sweep.LAST)
    if last is None:
        raise Problem("There was no sweep lately. Check that WORKER_PROCESSES is above 0 on some machine.")
    age = now() - datetime.fromisoformat(last)
    if age > SWEEP_IS_LATE:
        raise Problem(
            f"The last sweep was {_rounded(age)} ago, and there should be one every ten seconds. Check that "
            "WORKER_PROCESSES is above 0 on some machine, and the log of its worker; then restart the site."
        )
    if age < -CLOCKS_DIFFER:
        raise Doubt("The clock of this machine is behind that of the worker’s. Let both keep time with NTP.")
    return f"the last one was {_rounded(max(age, timedelta()))} ago."


def _refusals() -> str:
    refused = security_log.refusals()
    said = f"{numbered(refused, 'request was', 'requests were')} refused in this hour and the last one"
    if refused > settings.MANY_REFUSALS:
        raise Doubt(f"{said}. Somebody may be attacking the site: its log names the networks in lines with “refused”.")
    return f"{said}."


def _disk() -> str:
    free = shutil.disk_usage(settings.VAR_DIR).free
    said = f"{free / 2**30:.1f} GiB are free in {settings.VAR_DIR}"
    if free < DISK_IS_FULL:
        raise Problem(f"{said}. Make room now: without it, nobody can move.")
    if free < max(DISK_IS_LOW, 2 * sum(path.stat().st_size for path in _database_files())):
        raise Doubt(f"{said}. Make room: a backup needs twice the size of the database.")
    return f"{said}."


def _database_files() -> list[Path]:
    """The files of SQLite; PostgreSQL looks after its own."""
    if connection.vendor != "sqlite":
        return []
    path = Path(connection.settings_dict["NAME"])
    return [each for each in path.parent.glob(f"{path.name}*") if each.is_file()]


def _permissions() -> str:
    var: Path = settings.VAR_DIR
    if os.geteuid() != var.stat().st_uid:
        raise Doubt(
            f"This user does not own {var}. Run commands as its owner, or the site cannot read what they write."
        )
    folder = backups.folder()
    private = [var, var / "secret_key", *_database_files(), folder, *backups.finished(folder)]
    open_to_others = [path for path in private if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]
    if open_to_others:
        raise Problem(
            f"Other users of this machine can read {', '.join(map(str, open_to_others))}. Run chmod -R go= {var}."
        )
    return f"only the site’s user can read {var}."


def _backup() -> str:
    if not settings.WORKER_PROCESSES:
        return "another machine, or another container, makes the backups."
    folder = backups.folder()
    made = backups.finished(folder)
    if not made:
        raise Doubt(f"There is no backup in {folder}. {BACK_UP}")
    age = now() - datetime.fromtimestamp(made[-1].stat().st_mtime, UTC)
    if age > BACKUP_IS_OLD:
        raise Doubt(f"The newest backup in {folder} is {_rounded(age)} old. {BACK_UP}")
    return f"the newest is {_rounded(age)} old."


def _rounded(time: timedelta) -> str:
    """The time in its largest fitting unit."""
    seconds = time.total_seconds()
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length:.0f} {unit}"
    return numbered(round(seconds), "second", "seconds")
