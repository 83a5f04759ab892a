"""Values passed between rules and services are immutable, and a title cannot leave out a method."""

import importlib
import pkgutil
from abc import ABC
from collections.abc import Iterator
from dataclasses import is_dataclass
from types import ModuleType

import pytest

import accounts
import games.rules
import games.services
from games.rules.base import Action, Ruleset
from games.rules.trade import Purchase, ReturnExcess


def classes(package: ModuleType) -> Iterator[type]:
    """The classes that a package defines."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if ".migrations" not in found.name:
            module = importlib.import_module(found.name)
            yield from (each for each in vars(module).values() if getattr(each, "__module__", "") == found.name)


VALUES = {
    package: [each for each in classes(package) if isinstance(each, type) and is_dataclass(each)]
    for package in (games.rules, games.services, accounts)
}


@pytest.mark.parametrize("package", VALUES, ids=lambda package: package.__name__)
def test_values_are_frozen(package: ModuleType) -> None:
    """Dataclasses are frozen. Those of the rules, which are numerous, also have slots."""
    assert VALUES[package]
    for each in VALUES[package]:
        assert each.__dataclass_params__.frozen, each  # type: ignore[attr-defined]
        assert package is not games.rules or "__slots__" in vars(each), each


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (Action, {"parse", "options", "check", "play", "__str__"}),
        (Ruleset, {"initial", "observe", "show", "determinize", "outcome", "faults"}),
        (Purchase, {"prices", "play"}),
        (ReturnExcess, {"play"}),
    ],
)
def test_a_title_must_define_these_methods(kind: type[ABC], names: set[str]) -> None:
    assert kind.__abstractmethods__ == names
