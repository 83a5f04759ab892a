"""A dump of every table, to search for a person."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.contrib.sessions.models import Session


def found(*words: str) -> list[str]:
    """The columns of all tables in which one of the words occurs, in any case: `games.Seat.note: Rosalind was here`."""
    return sorted(line for line in _lines() if any(word.lower() in line.lower() for word in words))


def _lines() -> Iterator[str]:
    for table in apps.get_models(include_auto_created=True):
        for row in table._base_manager.all():
            for column in table._meta.concrete_fields:
                yield f"{table._meta.label}.{column.name}: {_shown(getattr(row, column.attname))}"
            if isinstance(row, Session):
                yield f"{table._meta.label}: {row.get_decoded()}"


def _shown(value: Any) -> str:
    return bytes(value).decode(errors="replace") if isinstance(value, (bytes, memoryview)) else str(value)
