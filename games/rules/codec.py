"""Frozen values as JSON and back, for the states and observations of all titles."""

from threading import Lock
from typing import Any, TypeVar

import msgspec

BadShape = msgspec.ValidationError
Json = dict[str, Any]
T = TypeVar("T")
_alone = Lock()


def dump(value: object) -> Json:
    """A frozen dataclass as values that `json` can write: bytes become base64, enums their values."""
    data: Json = msgspec.to_builtins(value)
    return data


def load(data: Json, kind: type[T]) -> T:
    """The dataclass that `dump` turned into this data; raises `BadShape` on anything else."""
    # At the first use of a dataclass msgspec looks at its fields, and it crashes if two threads do this at once.
    with _alone:
        return msgspec.convert(data, kind)
