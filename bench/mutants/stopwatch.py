"""A plug-in for pytest that writes the processor time of each passed test to a file, and stops tests that take too
long."""

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

MAX_TEST_SECONDS = 20
"""The maximum processor time of a test in seconds. The few slower tests find little that others miss."""


class TooLong(BaseException):
    pass


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=Path)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Stopwatch(config.getoption("--seconds")))


class Stopwatch:
    def __init__(self, path: Path) -> None:
        self.path, self.seconds, self.failed = path, dict[str, float](), set[str]()
        signal.signal(signal.SIGPROF, _break_off)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        begun = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - begun
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        signal.setitimer(signal.ITIMER_PROF, MAX_TEST_SECONDS)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        passed = {test: round(time, 3) for test, time in self.seconds.items() if test not in self.failed}
        self.path.write_text(json.dumps(passed))


def _break_off(_number: int, _frame: FrameType | None) -> None:
    raise TooLong
