"""Measures what each page, post and task of a site costs: processor time, rows read, and the slowest statement."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any

from celery import current_app
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from tests.factories import NEW
from tests.outputs import ADDRESSES, SWAP, TASKS, path

TIMES = 7
"""How often each row is measured; the median counts."""
STEP = 100
"""SQLite reports its work after so many instructions."""
Act = Callable[[], object]


@dataclass(frozen=True)
class Cost:
    milliseconds: float
    """Processor time of Python and of the database together."""
    work: int
    """Rows that PostgreSQL read, or hundreds of instructions that SQLite executed."""
    queries: int
    slowest: str
    """The statement that took longest, of those that the row executes."""
    plan: list[str]


def costs(
    readers: Sequence[str], only: str, my_turn: Callable[[], AbstractContextManager[object]]
) -> list[dict[str, Cost]]:
    """The costs for each reader of every row whose name the pattern finds. `my_turn` waits for the other site."""
    Session.objects.all().delete()  # those of earlier runs
    found: list[dict[str, Cost]] = [{} for _reader in readers]
    for each in zip(*(rows(User.objects.get(username=reader)) for reader in readers), strict=True):
        name = each[0][0]
        if re.search(only, name):
            watches: list[list[Watch]] = [[] for _reader in readers]
            for _time in range(1 + TIMES):
                with my_turn():
                    # So no reader pays for what the other site has put into the processor's caches.
                    _watched(each[0][1])
                    for (_name, act), mine in zip(each, watches, strict=True):
                        mine.append(_watched(act))
            for costs_of, mine in zip(found, watches, strict=True):
                costs_of[name] = _cost(mine)
    return found


def rows(user: User) -> Iterator[tuple[str, Act]]:
    """Every page, post and task with what it does for the user. Adding an address or a task to the registry of outputs
    adds it here."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    cookies = client.cookies

    def ask(method: str, address: str, data: Mapping[str, Any] | None, headers: Mapping[str, str]) -> None:
        client.cookies = copy(cookies)  # without those of an earlier answer, such as that of a log-out
        response = getattr(client, method)(address, data, headers=headers, secure=True)
        assert response.status_code < 500, response

    def get(address: str, headers: Mapping[str, str] = MappingProxyType({})) -> Act:
        return partial(ask, "get", address, None, headers)

    def post(address: str, data: dict[str, Any]) -> Act:
        return partial(ask, "post", address, data, {})

    running = Game.objects.filter(status=Game.Status.ACTIVE).of(user).order_by("pk")
    mine = running.waiting_for(user).first()
    others = running.exclude(pk__in=Game.objects.waiting_for(user)).first()
    over = Game.objects.filter(status=Game.Status.FINISHED).of(user).order_by("pk").first()
    open_ = Game.objects.listed().exclude(pk__in=Game.objects.of(user)).order_by("pk").first()
    assert mine and others  # noqa: PT018
    assert over and open_  # noqa: PT018
    for name, output in ADDRESSES.items():
        if output.page:
            for query, headers in output.ways:
                yield f"{name}{query}{' swap' if headers else ''}", get(path(name, mine) + query, headers)
        yield f"POST {name}, empty", post(path(name, mine), {})
    at = {"not my turn": others, "finished": over, "open": open_}
    for name in ("table", "clock", "preview", "next"):
        for what, game in at.items():
            yield f"{name}, {what}", get(path(name, game))
    yield "table, look back", get(path("table", mine) + "?at=10")
    yield "poll, cached", get(path("poll", mine) + f"?version={mine.version}")
    yield "poll, news, not my turn", get(path("poll", others) + "?version=0", SWAP)
    far = Seat.objects.filter(user=user, ended_at__isnull=False).earliest("ended_at").ended_at
    yield "history, the oldest page", get(path("history", mine) + f"?newer={far:%Y-%m-%dT%H:%M:%SZ}.0")
    yield "history, one filter", get(path("history", mine) + "?ending=played")
    yield "history, nothing found", get(path("history", mine) + "?against=player12&result=shared")
    yield "POST join", post(path("join", open_), {})
    yield "POST new", post(path("new", mine), NEW | {"seats": "2"})
    decision = str(play.look(mine, user).legal[0])
    yield "POST table, a move", post(path("table", mine), {"number": mine.number, "moves": decision})
    current_app.loader.import_default_modules()
    # A backup reads everything.
    for task in sorted(TASKS - {"splendor_site.tasks.back_up"}):
        arguments = {"tend": [mine.pk], "think": [mine.pk], "deliver": [0], "make_archive": [user.pk]}.get(
            task.rpartition(".")[2], []
        )
        yield f"task {task}", partial(current_app.tasks[task], *arguments)


def statements(act: Act) -> list["Statement"]:
    """The statements that it sends."""
    return _watched(act).statements


def _watched(act: Act) -> "Watch":
    with _undone():
        watch = Watch()
        with watch:
            act()
    return watch


def _cost(watches: Sequence["Watch"]) -> Cost:
    last = watches[-1]
    taken: dict[str, float] = {}
    for statement in last.statements:
        taken[statement.sql] = taken.get(statement.sql, 0) + statement.seconds
    slowest = max(last.statements, key=lambda statement: taken[statement.sql], default=None)
    # The first time fills caches.
    milliseconds = 1000 * median(watch.seconds for watch in watches[1:])
    return Cost(
        milliseconds, last.work, len(last.statements), slowest.sql if slowest else "", slowest.plan() if slowest else []
    )


@contextmanager
def _undone() -> Iterator[None]:
    """Undo everything that is written."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@dataclass(frozen=True)
class Statement:
    sql: str
    parameters: Any
    seconds: float

    def plan(self) -> list[str]:
        """The lines of the database's plan."""
        if not self.sql.startswith(("SELECT", "UPDATE", "DELETE")):
            return []
        explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
        with connection.cursor() as cursor:
            cursor.execute(f"{explain} {self.sql}", self.parameters)
            return [str(row[-1]) for row in cursor.fetchall()]


class Watch:
    """Counts the work of this process and of its database connection, within a transaction."""

    seconds = 0.0
    work = 0

    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self._is_sqlite = connection.vendor == "sqlite"
        self._watching = connection.execute_wrapper(self._execute)

    def __enter__(self) -> None:
        if self._is_sqlite:
            connection.connection.set_progress_handler(self._worked, STEP)
        else:
            self.work = -self._rows_read()
        self._watching.__enter__()
        self.seconds = -self._spent()

    def __exit__(self, *_error: object) -> None:
        self.seconds += self._spent()
        self._watching.__exit__(None, None, None)
        if self._is_sqlite:
            connection.connection.set_progress_handler(None, 0)
        else:
            self.work += self._rows_read()

    @staticmethod
    def _rows_read() -> int:
        """The rows that PostgreSQL has read in this transaction, and in earlier ones that it has not reported yet."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables")
            return int(cursor.fetchone()[0] or 0)

    def _worked(self) -> int:
        self.work += 1
        return 0

    def _spent(self) -> float:
        if self._is_sqlite:
            return time.process_time()
        backend = connection.connection.info.backend_pid
        return time.process_time() + int(Path(f"/proc/{backend}/schedstat").read_text().split()[0]) / 1e9

    def _execute(self, execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(sql, parameters, many, context)
        finally:
            self.statements.append(Statement(sql, parameters, time.perf_counter() - began))
