"""Whether a page has missed anything: asked every few seconds by every open page, so the cache answers.

A page carries a seal, signed by the site: the table, the version and number that it was drawn at, and the reader's
seat. Whoever has one has seen that page, so nobody is looked up to be told that nothing is new. What the cache forgot,
or could not be told, is asked of the database: every note in it expires. Pages ask only while they can be seen, so
asking also tells who is looking at which position; who is needs no mail about it."""

from django.core.cache import cache
from django.core.signing import BadSignature, Signer

from games.models import Game, Seat

SECONDS = 60
"""How long a version is remembered."""
LOOKING = 120
"""Seconds for which somebody who asked counts as looking."""
_signer = Signer(salt="games.polls")


def seal(game: Game, seat: int | None) -> str:
    """For a page of the game as it is now, drawn for that seat."""
    return _signer.sign(f"{game.key}:{game.version}:{game.number}:{'' if seat is None else seat}")


def nothing_new(seal: str) -> bool:
    """Whether the game is known to be as it was when the seal was made."""
    try:
        key, version, number, seat = _signer.unsign(seal).split(":")
    except (BadSignature, ValueError):
        return False
    if cache.get(f"version:{key}") != version:
        return False
    if seat:
        cache.set(f"looking:{key}:{seat}", number, LOOKING)
    return True


def looks(game: Game, seat: int | None) -> None:
    """Remember that the page of that seat shows the game as it is now."""
    if seat is not None:
        cache.set(f"looking:{game.key}:{seat}", str(game.number), LOOKING)


def is_looking(game: Game, seat: Seat) -> bool:
    """Whether the page of that seat has just shown the game as it is now."""
    return bool(cache.get(f"looking:{game.key}:{seat.index}") == str(game.number))


def changed(game: Game) -> None:
    """Remember the version that has just been written."""
    cache.set(f"version:{game.key}", str(game.version), SECONDS)


def read(game: Game) -> None:
    """Remember the version that has just been read, unless a newer one was written meanwhile."""
    cache.add(f"version:{game.key}", str(game.version), SECONDS)
