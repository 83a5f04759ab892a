"""Answers whether an open page is out of date, and when it should ask again. Every open page asks often while something
happens at its table, so the cache answers.

A page carries a seal signed by the site: the game, the version and number that it shows, the reader's seat, and what
decides how soon the next news can come. Its holder has seen that page, so the answer “nothing new” needs no look-up of
the user. Notes in the cache expire; without one, the database answers. Pages ask only while they are visible, so asking
also shows who is looking at which position. Those users need no mail about it.
"""

from django.core.cache import cache
from django.core.signing import BadSignature, Signer

from games.models import Game, Seat
from games.services.clocks.moment import now

VERSION_SECONDS = 60
"""Seconds for which a version is remembered."""
LOOKING_SECONDS = 120
"""Seconds for which a reader whose page has asked counts as looking."""
NOTED_SECONDS = 10
"""Seconds for which a process does not note again that a reader is looking."""
MAX_NOTED = 10_000
"""How many readers a process remembers as noted."""
WAITS = {
    "bot": ((10, 0.4), (60, 0.7), (300, 2.0), (float("inf"), 10.0)),
    "person": ((120, 1.5), (600, 10.0), (float("inf"), 30.0)),
}
"""Seconds that a page waits before it asks again, by the kind of player to act. Each pair is an age of the last
decision in seconds, and the wait up to that age."""
_signer = Signer(salt="games.polls")
_noted: dict[tuple[str, str], tuple[str, float]] = {}
"""By game and seat: the number that the reader was last noted as looking at, and when."""


def seal(game: Game, seat: int | None) -> str:
    """The seal for a page that shows the game as it is now to that seat."""
    facts = (game.key, game.version, game.number, "" if seat is None else seat, _actor(game), _seconds(game))
    return _signer.sign(":".join(map(str, facts)))


def is_of_player(seal: str) -> bool:
    """Whether the page with that seal was drawn for a player with a seat."""
    try:
        return _signer.unsign(seal).split(":")[3] != ""
    except (BadSignature, IndexError):
        return False


def wait(game: Game) -> float:
    """Seconds that a page showing the game as it is now waits before it asks again."""
    return _wait(_actor(game), now().timestamp() - _seconds(game))


def unchanged(seal: str) -> float | None:
    """If the cache knows that the game has not changed since the seal was made, the seconds to wait before the next
    poll."""
    try:
        key, version, number, seat, actor, changed = _signer.unsign(seal).split(":")
    except (BadSignature, ValueError):
        return None
    if cache.get(f"version:{key}") != int(version):
        return None
    at = now().timestamp()
    if seat and _is_to_note(key, seat, number, at):
        cache.set(f"looking:{key}:{seat}", int(number), LOOKING_SECONDS)
    return _wait(actor, at - int(changed))


def _actor(game: Game) -> str:
    return "bot" if game.is_turn_of_bot else "person"


def _seconds(game: Game) -> int:
    return int(game.changed_at.timestamp())


def _wait(actor: str, age: float) -> float:
    return next(wait for most, wait in WAITS[actor] if age < most)


def _is_to_note(key: str, seat: str, number: str, at: float) -> bool:
    """Whether to note that the reader in that seat looks at that number. Noting it at every poll
    would make polls cost a fifth more."""
    known, since = _noted.get((key, seat), ("", 0.0))
    if known == number and at - since < NOTED_SECONDS:
        return False
    if len(_noted) >= MAX_NOTED:
        _noted.clear()
    _noted[key, seat] = number, at
    return True


def remember_looking(game: Game, seat: int | None) -> None:
    """Remember that the page of that seat shows the game as it is now."""
    if seat is not None:
        cache.set(f"looking:{game.key}:{seat}", game.number, LOOKING_SECONDS)


def is_looking(game: Game, seat: Seat) -> bool:
    """Whether the page of that seat has recently shown the game as it is now."""
    return bool(cache.get(f"looking:{game.key}:{seat.index}") == game.number)


def remember_written(game: Game) -> None:
    """Remember the version that has just been written."""
    cache.set(f"version:{game.key}", game.version, VERSION_SECONDS)


def remember_read(game: Game) -> None:
    """Remember the version that has just been read, unless a newer one was written meanwhile."""
    cache.add(f"version:{game.key}", game.version, VERSION_SECONDS)
