"""The mails of the site: one function for each, which turns facts into a `Letter`; `post.message` makes a message of
it. These functions use the active language and time zone."""

from games.mails.tables import absence, closed, finished, invited, rematch, started, test
from games.mails.turns import reminder, turn, unfinished

__all__ = ["absence", "closed", "finished", "invited", "rematch", "reminder", "started", "test", "turn", "unfinished"]
