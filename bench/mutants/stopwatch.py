"""A plug-in with which pytest notes how long each test works that passes, whatever else the machine does."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=Path)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Stopwatch(config.getoption("--seconds")))


class Stopwatch:
    def __init__(self, path: Path) -> None:
        self.path, self.seconds, self.failed = path, dict[str, float](), set[str]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        begun = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - begun
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        passed = {test: round(time, 3) for test, time in self.seconds.items() if test not in self.failed}
        self.path.write_text(json.dumps(passed))
