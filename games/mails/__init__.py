"""The mails of the site: one function for each, which turns facts into a `Letter`; `post.message` makes a message of
it. These functions use the active language and time zone."""

from games.mails.tables import (
    absence,
    closed,
    digest,
    finished,
    invited,
    rematch,
    restored,
    started,
    taken_out,
    test,
    vacation,
)
from games.mails.turns import reminder, turn, unfinished

__all__ = [
    "absence",
    "closed",
    "digest",
    "finished",
    "invited",
    "rematch",
    "reminder",
    "restored",
    "started",
    "taken_out",
    "test",
    "turn",
    "unfinished",
    "vacation",
]
