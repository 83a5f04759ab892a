"""Measures how long the tests take. Tests that wait for real processes come first, the longest before the others. The
run ends with the seconds of each folder beside its ceiling in docs/testing.md. A folder's seconds are divided by the
number of workers, so their sum is about the duration of the run."""

import gc
import re
from collections import Counter
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[1] / "docs" / "testing.md"
LONGEST = "test_soak.py"
ROW = re.compile(r"^\| `(tests(?:/\w+)?)` \| (\d+) \|$", re.MULTILINE)


def ceilings() -> dict[str, int]:
    """Seconds that each folder may take on two idle cores; `tests` stands for the modules outside of folders."""
    return {folder: int(seconds) for folder, seconds in ROW.findall(GUIDE.read_text(encoding="utf-8"))}


@pytest.hookimpl(trylast=True)  # after pytest-django has sorted the tests by what they do to the database
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the tests so that no worker ends with a long one while the other is idle."""
    if not config.option.shuffle:
        items.sort(key=_rank)


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and skip what lives until the end: it takes a fourteenth of the processor's time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _rank(item: pytest.Item) -> int:
    if item.path.name == LONGEST:
        return 0
    marks = {mark.name for mark in item.iter_markers()}
    return 1 if "slow" in marks and marks.isdisjoint({"browser", "django_db"}) else 2


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    workers = getattr(config.option, "numprocesses", None) or 1
    taken: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                folder, _, module = report.nodeid.partition("::")[0].removeprefix("tests/").partition("/")
                taken[f"tests/{folder}" if module else "tests"] += report.duration / workers  # type: ignore[assignment]
    if not taken:
        return
    terminalreporter.section("seconds")
    allowed = ceilings()
    for folder, seconds in taken.most_common():
        ceiling = allowed.get(folder)
        beside = f" of {ceiling}" if ceiling else ""
        over = " - over its ceiling" if ceiling and seconds > ceiling else ""
        terminalreporter.write_line(f"{folder:16} {seconds:6.0f}{beside}{over}")
    terminalreporter.write_line(f"{'all':16} {sum(taken.values()):6.0f}")
