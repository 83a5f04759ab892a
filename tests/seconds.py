"""The seconds that each folder took, all workers together, beside the ceilings in docs/testing.md."""

import re
from collections import Counter
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[1] / "docs" / "testing.md"
ROW = re.compile(r"^\| `(tests(?:/\w+)?)`[^|]* \|.*\| (\d+) \|$", re.MULTILINE)


def ceilings() -> dict[str, int]:
    """Seconds that each folder may take on two quiet cores; `tests` are the modules that are in none."""
    return {folder: int(seconds) for folder, seconds in ROW.findall(GUIDE.read_text(encoding="utf-8"))}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    taken: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                folder, _, module = report.nodeid.partition("::")[0].removeprefix("tests/").partition("/")
                taken[f"tests/{folder}" if module else "tests"] += report.duration  # type: ignore[assignment]
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
