"""`docs/limits.md` names every limit and period of the services and of accounts, and the limits on numbers of requests,
with their values."""

import re
from collections.abc import Iterator
from dataclasses import astuple
from datetime import timedelta
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import accounts
import games.services
from games.services.clocks.arithmetic import Pace
from splendor_site import settings as site
from tests.tree import ROOT

UNITS = {"MINUTE", "HOUR", "DAY", "QUARTER", "NOTHING", "TWELFTHS", "COLOURS", "Z"}
FIXED = {"OK", "REFUSED", "LEASE_PK", "OUTAGE_PK", "LEAP"}
"""Numbers with a meaning of their own: of protocols, and keys of rows."""
EXPLAINED = "games.services.ratings.model"
"""`docs/ratings.md` explains its numbers."""
MODULES = [
    import_module(found.name)
    for package in (accounts, games.services)
    for found in walk_packages(package.__path__, f"{package.__name__}.")
    if ".migrations" not in found.name
]


def is_limit(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(map(is_limit, value))
    return isinstance(value, int | float | timedelta) and not isinstance(value, bool)


def spelled(value: Any) -> str:
    """The value as the table has it: “20”, “2 days”, “1 minute, 5 minutes”."""
    if isinstance(value, tuple):
        return ", ".join(map(spelled, value))
    if not isinstance(value, timedelta):
        return f"{value:g}" if isinstance(value, float) else str(value)
    for unit, seconds in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        number, rest = divmod(value.total_seconds(), seconds)
        if number and not rest:
            return f"{number:g} {unit}{'s' * (number != 1)}"
    raise ValueError(value)


def limits_of(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The limits that the module defines itself."""
    source = ROOT / f"{module.__name__.replace('.', '/')}.py"
    text = source.read_text() if source.exists() else ""
    for name, value in vars(module).items():
        is_own = re.search(rf"^[A-Z_, ]*\b{name}\b[A-Z_, ]*(:[^=]*)? = ", text, re.MULTILINE)
        if name.isupper() and is_own and name not in UNITS | FIXED:
            parts = {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
            for part, limit in parts.items():
                limit = astuple(limit) if isinstance(limit, Pace) else limit
                if is_limit(limit):
                    yield f"{module.__name__}.{part}", spelled(limit)


def test_every_limit_is_in_the_docs_with_its_value() -> None:
    limits = [limit for module in MODULES if module.__name__ != EXPLAINED for limit in limits_of(module)]
    rows = re.findall(r"^\| `([\w.]+)` \| ([^|]+) \|", (ROOT / "docs/limits.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted([*limits, *site.ACCOUNT_RATE_LIMITS.items()])
