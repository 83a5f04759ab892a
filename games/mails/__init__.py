"""What the site writes to people: one function for each mail, from facts to a `Letter`; `post.message` makes a message
of that. Written in the language, and with the times in the zone, that are active."""

from games.mails.tables import absence, closed, finished, invited, rematch, started, test
from games.mails.turns import reminder, turn, unfinished

__all__ = ["absence", "closed", "finished", "invited", "rematch", "reminder", "started", "test", "turn", "unfinished"]
