"""The command lines of benches that play series: their numbers, refusals and exit statuses."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager

from games.bots.arena import INTERRUPTED, Record, ending_cleanly
from games.bots.ledger import OtherSeries


def positive(text: str) -> int:
    """The number that an option gives."""
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("must be at least 1")
    return number


def checked(record: Record) -> Record:
    """The game, if it was played to its end; otherwise ends the program and says why."""
    if record.violation:
        raise SystemExit(record.reproduction)
    if record.forfeit:
        raise SystemExit(f"Game {record.number} does not count: {record.forfeit}")
    return record


@contextmanager
def ending_in_a_sentence() -> Iterator[None]:
    """End the program in one sentence if a log is refused, a file cannot be written or a process dies, and without one
    after Ctrl-C or SIGTERM; its processes end in any case."""
    try:
        with ending_cleanly():
            yield
    except (OtherSeries, OSError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
