"""Answers whether an open page is out of date. Every open page asks every few seconds, so the cache answers.

A page carries a seal signed by the site: the game, the version and number that it shows, and the reader's seat. Its
holder has seen that page, so the answer “nothing new” needs no look-up of the user. Notes in the cache expire; without
one, the database answers. Pages ask only while they are visible, so asking also shows who is looking at which position.
That user needs no mail about it.
"""

from django.core.cache import cache
from django.core.signing import BadSignature, Signer

from games.models import Game, Seat

VERSION_SECONDS = 60
"""Seconds for which a version is remembered."""
LOOKING_SECONDS = 120
"""Seconds for which a reader whose page has asked counts as looking."""
_signer = Signer(salt="games.polls")


def seal(game: Game, seat: int | None) -> str:
    """The seal for a page that shows the present game to that seat."""
    return _signer.sign(f"{game.key}:{game.version}:{game.number}:{'' if seat is None else seat}")


def is_current(seal: str) -> bool:
    """Whether the cache knows that the game has not changed since the seal was made."""
    try:
        key, version, number, seat = _signer.unsign(seal).split(":")
    except (BadSignature, ValueError):
        return False
    if cache.get(f"version:{key}") != version:
        return False
    if seat:
        cache.set(f"looking:{key}:{seat}", number, LOOKING_SECONDS)
    return True


def looks(game: Game, seat: int | None) -> None:
    """Remember that the page of that seat shows the present game."""
    if seat is not None:
        cache.set(f"looking:{game.key}:{seat}", str(game.number), LOOKING_SECONDS)


def is_looking(game: Game, seat: Seat) -> bool:
    """Whether the page of that seat has recently shown the present game."""
    return bool(cache.get(f"looking:{game.key}:{seat.index}") == str(game.number))


def changed(game: Game) -> None:
    """Remember the version that has just been written."""
    cache.set(f"version:{game.key}", str(game.version), VERSION_SECONDS)


def read(game: Game) -> None:
    """Remember the version that has just been read, unless a newer one was written meanwhile."""
    cache.add(f"version:{game.key}", str(game.version), VERSION_SECONDS)
