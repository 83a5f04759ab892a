"""All numbers of all statistics, to compare them."""

from typing import Any

from games.models import HeadToHead, Tally


def everything() -> list[dict[str, Any]]:
    """The rows without their numbers, in an order of their own."""
    rows: list[dict[str, Any]] = []
    for table, order in ((Tally, ()), (HeadToHead, ("opponent", "bot"))):
        names = [field.attname for field in table._meta.concrete_fields if field.name != "id"]
        rows += table._default_manager.order_by("user", "title", "seats", "bots", *order).values(*names)
    return rows
