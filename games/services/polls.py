"""Whether a page has missed anything: asked every few seconds by every open page, so the cache answers.

A page carries a seal, signed by the site: the table and the version that it was drawn at. Whoever has one has seen
that page, so nobody is looked up to be told that nothing is new. What the cache forgot, or could not be told, is asked
of the database: every note in it expires."""

from django.core.cache import cache
from django.core.signing import BadSignature, Signer

from games.models import Game

SECONDS = 60
"""How long a version is remembered."""
_signer = Signer(salt="games.polls")


def seal(game: Game) -> str:
    """For a page of the game as it is now."""
    return _signer.sign(f"{game.key}:{game.version}")


def nothing_new(seal: str) -> bool:
    """Whether the game is known to be as it was when the seal was made."""
    try:
        key, _, version = _signer.unsign(seal).rpartition(":")
    except BadSignature:
        return False
    return bool(cache.get(f"version:{key}") == version)


def changed(game: Game) -> None:
    """Remember the version that has just been written."""
    cache.set(f"version:{game.key}", str(game.version), SECONDS)


def read(game: Game) -> None:
    """Remember the version that has just been read, unless a newer one was written meanwhile."""
    cache.add(f"version:{game.key}", str(game.version), SECONDS)
