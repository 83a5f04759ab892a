"""`views` holds exactly the views that `urls.py` names; everything else that pages need is in `pages`."""

from collections.abc import Iterator
from importlib import import_module
from inspect import unwrap
from pkgutil import iter_modules
from types import ModuleType

import pytest
from django.urls import URLPattern

from accounts import urls as accounts_urls
from accounts import views as accounts_views
from games import urls as games_urls
from games import views as games_views


def defined(package: ModuleType) -> Iterator[str]:
    """The public functions and classes of all modules of a package."""
    for found in iter_modules(package.__path__, f"{package.__name__}."):
        for name, thing in vars(import_module(found.name)).items():
            if getattr(thing, "__module__", "") == found.name and not name.startswith("_"):
                yield f"{found.name}.{name}"


def named(patterns: list[URLPattern]) -> set[str]:
    views = {unwrap(pattern.callback) for pattern in patterns}
    return {f"{view.__module__}.{view.__name__}" for view in views}


@pytest.mark.parametrize(
    ("package", "patterns"),
    [(games_views, games_urls.urlpatterns), (accounts_views, accounts_urls.own)],
    ids=["games", "accounts"],
)
def test_views_hold_what_urls_name_and_nothing_else(package: ModuleType, patterns: list[URLPattern]) -> None:
    assert set(defined(package)) == named(patterns)
