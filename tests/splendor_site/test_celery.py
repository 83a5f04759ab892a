"""The start of the bots' worker."""

import os
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from games.bots import jit
from splendor_site import celery

ERROR = "The bots' code cannot be compiled or loaded, so a simple bot plays in their place."


def raises() -> None:
    raise ImportError("numba")


def crashes() -> None:
    os.kill(os.getpid(), SIGKILL)


@pytest.fixture(autouse=True)
def cache(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for compiled code, which holds that of this version and of an older one."""
    settings.VAR_DIR = tmp_path
    folder = tmp_path / "numba"
    (folder / "old").mkdir(parents=True)
    (folder / "now").mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(jit, "FOLDER", folder / "now")
    return folder


@pytest.mark.parametrize("fault", [raises, crashes])
def test_the_worker_starts_even_if_the_bots_cannot_be_loaded(
    fault: Callable[[], None], cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(celery, "_load_bots", fault)
    celery.warm_up()
    assert caplog.messages == [ERROR]
    assert {folder.name for folder in cache.iterdir()} == {"now", "old"}


@pytest.mark.parametrize("shared", [False, True])
def test_code_compiled_for_an_older_version_is_deleted_unless_the_folder_is_not_the_sites(
    shared: bool, cache: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shared:
        settings.VAR_DIR = cache.parent / "other"
    loaded: list[int] = []
    monkeypatch.setattr(celery, "_load_bots", lambda: loaded.append(os.getpid()))
    celery.warm_up()
    assert loaded == [os.getpid()]
    assert {folder.name for folder in cache.iterdir()} == ({"now", "old"} if shared else {"now"})
