"""Files that are made once in a test run and used by all its processes."""

import atexit
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
NAME = "TEST_RUN"


def folder() -> Path:
    """The folder of this test run, which the first process makes for those that it starts."""
    if not os.environ.get(NAME):
        os.environ[NAME] = tempfile.mkdtemp(prefix="test-run-")
        atexit.register(shutil.rmtree, os.environ[NAME])
    return Path(os.environ[NAME])


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The file or folder of that name, made by the first process that asks for it."""
    path = folder() / name
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            draft = path.with_suffix(".draft")
            make(draft)
            draft.rename(path)
    return path


def empty_database() -> Path:
    """A database file with empty tables."""
    return made_once("empty.sqlite3", lambda path: migrate(f"sqlite:///{path}"))


def migrate(url: str) -> None:
    """Create the tables of a database in a separate process, so that no test holds a lock on it."""
    words = [sys.executable, "manage.py", "migrate", "--settings", "splendor_site.settings", "--verbosity", "0"]
    subprocess.run(words, cwd=PROJECT, env=os.environ | {"DATABASE_URL": url}, check=True)
