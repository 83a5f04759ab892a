"""A whole site for tests: started like a real one, used over HTTP, with processes that tests kill."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, build_opener

from celery import Celery
from django.conf import settings

from tests.compiled import compile_beside
from tests.live.people import Stay
from tests.shared import PROJECT, empty_database, made_once


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until the condition holds; the limit is generous, because a busy machine is slow."""
    last = monotonic() + seconds
    while not condition():
        assert monotonic() < last, "waited in vain"
        sleep(0.1)


def _lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def used() -> Path:
    """The database of a site that Alice and Bob use, made by `tests.live.table`. A site without one would first create
    the demo, which takes many seconds."""
    return made_once("used.sqlite3", _use)


def _use(database: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="site-") as folder:
        site = Site(Path(folder) / "var")
        site.var.mkdir()
        shutil.copy(empty_database(), site.database)
        made = site.python("-m", "tests.live.table")
        assert made.returncode == 0, made.stderr
        shutil.copy(site.database, database)


PRODUCTION = {"DEBUG": "0", "ALLOWED_HOSTS": "games.example.org", "EMAIL_URL": "smtp://127.0.0.1:9"}
"""The settings that a production site must have."""
WITHOUT_BOTS_AND_MAILS = {"BOT_PROCESSES": "0", "MAIL_PROCESSES": "0"}


class Site:
    """A site in `var`, with an almost empty environment plus `environment`."""

    def __init__(self, var: Path, **environment: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.var = var
        self.database = var / "db.sqlite3"
        self.log = var.parent / "log"
        self.environment = {
            "PATH": os.environ["PATH"],
            "PORT": str(self.port),
            "VAR_DIR": str(var),
            "DEBUG": "1",
            "DJANGO_SETTINGS_MODULE": "tests.runall_settings",
            # All sites share the compiled bots.
            "NUMBA_CACHE_DIR": "",
            **environment,
        }
        broker = environment.get("REDIS_URL") or f"unix://{quote(str(var))}/valkey.sock"
        self.celery = Celery(broker=broker.replace("unix://", "redis+socket://"), set_as_current=False)
        self.celery.conf.task_routes = settings.CELERY_TASK_ROUTES
        self.celery.conf.task_ignore_result = True

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    @contextmanager
    def beside(self, module: str) -> Iterator[subprocess.Popen[str]]:
        """A program that runs during the block."""
        command = [sys.executable, "-m", module]
        with subprocess.Popen(command, cwd=PROJECT, env=self.environment, stdout=subprocess.PIPE, text=True) as program:
            try:
                yield program
            finally:
                program.kill()

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.python("manage.py", *arguments)

    def prepare(self) -> None:
        """Give the site a used database if it has none."""
        if "DATABASE_URL" not in self.environment and not self.database.exists():
            self.var.mkdir(parents=True, exist_ok=True)
            shutil.copy(used(), self.database)

    @contextmanager
    def running(self, stop: signal.Signals = signal.SIGTERM, *, new: bool = False) -> Iterator[subprocess.Popen[bytes]]:
        """The running site, in a session of its own, as in a terminal; it is shut down properly at the end. A `new`
        site starts with an empty `var`."""
        if not new:
            self.prepare()
        if self.environment.get("BOT_PROCESSES") != "0":
            compile_beside()
        with (
            self.log.open("ab") as log,
            subprocess.Popen(
                [sys.executable, "manage.py", "runall"],
                cwd=PROJECT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as supervisor,
        ):
            try:
                until(lambda: supervisor.poll() is not None or self.answers())
                yield supervisor
                if supervisor.poll() is None:
                    supervisor.send_signal(stop)
                    assert supervisor.wait(60) == 0, self.log.read_text()
            finally:
                print(self.log.read_text())
                for process in self.processes():
                    os.kill(process, signal.SIGKILL)

    def get(self, path: str = "/", **headers: str) -> tuple[int, dict[str, str], str]:
        request = Request(self.address + path, headers=headers)
        try:
            with build_opener(Stay).open(request, timeout=30) as answer:
                return answer.status, _lower(answer.headers), answer.read().decode(errors="replace")
        except HTTPError as error:
            return error.code, _lower(error.headers), ""

    def answers(self) -> bool:
        try:
            return bool(self.get())
        except OSError:
            return False

    def processes(self, word: str = "") -> list[int]:
        """The processes of this `var` with that word in their names, oldest first."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                ours = f"\0VAR_DIR={self.var}\0" in (folder / "environ").read_text()
                # The broker overwrites its environment with its title.
                ours |= (folder / "cwd").readlink() == self.var / "valkey"
                if ours and word in (folder / "comm").read_text():
                    # Numbers start again from low ones, so only the start time tells the age.
                    start = int((folder / "stat").read_text().rpartition(") ")[2].split()[19])
                    found.append((start, int(folder.name)))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        return [process for _, process in sorted(found)]

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """The rows that a query finds in the site's database file."""
        connection = sqlite3.connect(self.database, timeout=20)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def lines(self, name: str) -> list[str]:
        path = self.var / name
        return path.read_text().splitlines() if path.exists() else []

    def send(self, task: str, name: str) -> None:
        self.celery.send_task(task, [str(self.var / name)])
