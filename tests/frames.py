"""Gives each test room for the frames of its calls in one piece of memory.

Up to Python 3.12, and in early releases of 3.13 and 3.14, the interpreter keeps frames in pieces of 16 KiB. A call that
needs the next piece maps it, and the return unmaps it, so a loop at the end of a piece can take twice the time
(https://github.com/python/cpython/issues/142183). The site's web server is too shallow for that; under pytest, requests
of the test client took up to a third more.
"""

from collections.abc import Callable
from typing import Any

import pytest
from _pytest import runner

ROOM = 40_000
"""Slots of 8 bytes. A piece is a power of two, so about 190 KiB of 512 remain free."""


def roomy(call: Callable[..., Any], *arguments: Any) -> Any:
    return call(*arguments)


roomy.__code__ = roomy.__code__.replace(co_stacksize=ROOM)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Any:
    return roomy(runner.pytest_runtest_protocol, item, nextitem)
