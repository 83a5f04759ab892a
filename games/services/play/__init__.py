"""A game in play: what a reader may see, the one door for decisions, how games end, looking back."""

from games.services.play.actor import Actor
from games.services.play.ends import CARETAKER, change_as_decided, decided, ended, outcome, resign
from games.services.play.look import Look, NotYours, look, offer, try_out
from games.services.play.record import stored_events
from games.services.play.submit import BOT, submit

__all__ = [
    "BOT",
    "CARETAKER",
    "Actor",
    "Look",
    "NotYours",
    "change_as_decided",
    "decided",
    "ended",
    "look",
    "offer",
    "outcome",
    "resign",
    "stored_events",
    "submit",
    "try_out",
]
