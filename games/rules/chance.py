"""All randomness of a game, derived from its seed: the same for ever, on every Python. See `docs/chance.md`."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32


def words(seed: bytes, purpose: str, draw: int) -> Iterator[int]:
    """The endless stream of 32-bit numbers for this purpose and draw."""
    for block in count():
        message = f"cabochon chance 1|{purpose}|{draw}|{block}".encode("ascii")
        digest = hmac.digest(seed, message, "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def shuffle(seed: bytes, purpose: str, draw: int, items: Sequence[T]) -> tuple[T, ...]:
    """The items in random order: Fisher-Yates from the end, each index drawn without bias by rejection."""
    stream = words(seed, purpose, draw)
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        size = last + 1
        fair = 2**32 - 2**32 % size
        word = next(word for word in stream if word < fair)
        other = word % size
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return tuple(shuffled)


def commitment(title: str, version: int, seed: bytes) -> str:
    """The 64 hex digits published when a table is created: they fix the seed without revealing it."""
    return hashlib.sha256(f"cabochon commitment 1|{title}|{version}|".encode("ascii") + seed).hexdigest()
