"""Frozen values as JSON and back, for the states and observations of all titles."""

from typing import Any, TypeVar

import msgspec

BadShape = msgspec.ValidationError
Json = dict[str, Any]
T = TypeVar("T")


def dump(value: object) -> Json:
    """A frozen dataclass as values that `json` can write: bytes become base64, enums their values."""
    data: Json = msgspec.to_builtins(value)
    return data


def load(data: Json, kind: type[T]) -> T:
    """The dataclass that `dump` turned into this data; raises `BadShape` on anything else."""
    return msgspec.convert(data, kind)
