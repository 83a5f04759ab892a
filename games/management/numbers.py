"""Numbers in the output of commands, which is English."""


def numbered(number: int, one: str, many: str) -> str:
    """The number, with the words for one or for many."""
    return f"{number:,} {one if number == 1 else many}"
