"""Reading the packaged card data."""

import csv
from pathlib import Path

COLUMNS = ("white", "blue", "green", "red", "black")
"""The gem colours as the data files name them, in the order of notation."""


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file by column name."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
