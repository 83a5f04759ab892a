"""Finds statements that read a whole table of games, seats, moves or notices."""

import re
from collections.abc import Iterator
from itertools import chain

from django.db import connection

from accounts.models import User
from bench.scale.measure import Act, Statement, rows, statements
from games.models import Game, Move, Notice, Seat

LARGE = tuple(model._meta.db_table for model in (Game, Seat, Move, Notice))
ROWS_A_GAME = {"games_game": 1, "games_seat": 3, "games_move": 60, "games_notice": 150}
PRETENDED = 100_000
"""The games that SQLite is told of, so that it plans as on a large site."""
SMALL = {
    "notice_due",
    "notice_expires",
    "seat_asks",
    "seat_away",
    "game_deadline",
    "game_bot_to_act",
    "game_expires",
    "game_listed",
    "game_now",
}
"""Indexes that hold few of the rows of a large site, so they may be read whole."""
SCAN = re.compile(rf"^(?:SCAN|Seq Scan on) ({'|'.join(LARGE)})(?: (?!USING)\w+)?(?: USING (?:COVERING )?INDEX (\w+))?")


def prepare() -> None:
    """Make the database plan as on a large site."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE")
            cursor.execute("SET enable_seqscan = off")
            return
        cursor.execute("ANALYZE")
        cursor.execute("SELECT tbl, idx, stat FROM sqlite_stat1")
        for table, index, stat in cursor.fetchall():
            if table in ROWS_A_GAME:
                _count, *each = stat.split()
                rows = PRETENDED * ROWS_A_GAME[table]
                words = " ".join([str(rows), *each])
                cursor.execute("UPDATE sqlite_stat1 SET stat = %s WHERE tbl = %s AND idx IS %s", [words, table, index])
        cursor.execute("ANALYZE sqlite_schema")


def scans(statement: Statement) -> list[str]:
    """The steps of the statement's plan that read a whole table."""
    matches = ((step, SCAN.match(_named(step.lstrip(" ->"), statement.sql))) for step in statement.plan())
    return [step for step, match in matches if match and match[2] not in SMALL]


def _named(step: str, sql: str) -> str:
    """The step with the name of its table, if SQLite calls the table by its alias in a subquery."""
    alias = re.match(r"SCAN (\w+)", step)
    table = re.search(rf'"(\w+)" {alias[1]}\b', sql) if alias else None
    return f"SCAN {table[1]}{step[alias.end() :]}" if alias and table else step


def planted() -> Iterator[tuple[str, Act]]:
    """Rows that read each large table whole, one of them in a subquery."""
    yield "planted game", Game.objects.filter(name="none").count
    yield "planted seat", Seat.objects.filter(note="none").count
    yield "planted move", Move.objects.filter(notation="none").count
    yield "planted subquery", Seat.objects.filter(pk=1, game__in=Game.objects.filter(name="none")).count
    yield "planted notice", Notice.objects.filter(outcome="none").count


def crawl(reader: str) -> dict[str, list[str]]:
    """The statements of each page, post and task, and of the planted rows, that read a whole table, with those steps of
    their plans."""
    prepare()
    found: dict[str, list[str]] = {}
    planned: dict[str, list[str]] = {}
    for name, act in chain(rows(User.objects.get(username=reader)), planted()):
        for statement in statements(act):
            if statement.sql not in planned:
                planned[statement.sql] = scans(statement)
            if planned[statement.sql]:
                found.setdefault(name, []).append("\n  ".join([statement.sql, *planned[statement.sql]]))
    return found
