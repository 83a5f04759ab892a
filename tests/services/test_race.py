"""Eight processes decide at the same number, on a real database file and on PostgreSQL."""

import json
import os
import subprocess
import sys
from pathlib import Path
from secrets import token_hex

import psycopg
import pytest
from environ import Env
from psycopg.sql import SQL, Identifier


def race(mode: str, database: str, program: str = "race") -> dict[str, int]:
    result = subprocess.run(
        [sys.executable, "-m", f"tests.services.{program}", mode],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "splendor_site.settings"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    found: dict[str, int] = json.loads(result.stdout.splitlines()[-1])
    return found


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/race.sqlite3"
    url: str = request.getfixturevalue("postgres_url")
    name = f"race_{token_hex(4)}"
    server = Env.db_url_config(url)
    with psycopg.connect(host=server["HOST"], user=server["USER"], autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    return url.removesuffix("postgres") + name


@pytest.mark.slow
def test_of_different_decisions_one_wins(database: str) -> None:
    assert race("different", database) == {"success": 1, "stale": 7, "moves": 1, "number": 1}


@pytest.mark.slow
def test_equal_decisions_are_one_move_and_eight_successes(database: str) -> None:
    assert race("equal", database) == {"success": 8, "stale": 0, "moves": 1, "number": 1}
