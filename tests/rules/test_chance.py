"""The test vectors of `docs/chance.md`, checked against the code and against code written from that page alone."""

import hashlib
import hmac
import re
from collections import Counter
from pathlib import Path

import pytest

from games.rules import chance

DOCUMENT = Path(__file__).parents[2] / "docs" / "chance.md"
SEED = bytes(range(32))


def test_the_document_states_the_true_vectors() -> None:
    """R6, D4, D5: this function shuffles every deck and the bag."""
    text = DOCUMENT.read_text(encoding="utf-8")
    vectors = dict(re.findall(r"^\| ([^|]+) \| `([^|`]+)` \|$", text, re.MULTILINE))
    words = chance.words(SEED, "level-1", 0)
    assert vectors == {
        "first three numbers for `level-1`, draw 0": " ".join(str(next(words)) for _ in range(3)),
        "ninth number, the first of block 1": str([next(words) for _ in range(6)][-1]),
        "`ABCDEFGHIJ` shuffled for `nobles`, draw 0": "".join(chance.shuffle(SEED, "nobles", 0, "ABCDEFGHIJ")),
        "`ABCDEFGHIJ` shuffled for `bag`, draw 3": "".join(chance.shuffle(SEED, "bag", 3, "ABCDEFGHIJ")),
        "seal of `splendor`, version 1": chance.commitment("splendor", 1, SEED),
        "seal of `splendor`, version 2": chance.commitment("splendor", 2, SEED),
    }


def test_code_written_from_the_document_agrees() -> None:
    def shuffled(purpose: str, draw: int, items: list[int]) -> list[int]:
        block = position = 0
        for i in range(len(items) - 1, 0, -1):
            while True:
                mac = hmac.new(SEED, f"cabochon chance 1|{purpose}|{draw}|{block}".encode(), hashlib.sha256).digest()
                number = int.from_bytes(mac[4 * position : 4 * position + 4], "big")
                position += 1
                if position == 8:
                    block, position = block + 1, 0
                if number < (2**32 // (i + 1)) * (i + 1):
                    break
            j = number % (i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    for draw in range(20):
        assert list(chance.shuffle(SEED, "level-2", draw, range(40))) == shuffled("level-2", draw, list(range(40)))


def test_every_order_is_equally_likely() -> None:
    orders = Counter(chance.shuffle(SEED, "fair", draw, "abcd") for draw in range(24_000))
    assert len(orders) == 24
    statistic = sum((count - 1000) ** 2 / 1000 for count in orders.values())
    assert statistic < 70  # 23 degrees of freedom: exceeded once in a million

    firsts = Counter(chance.shuffle(SEED, "first", draw, range(25))[0] for draw in range(25_000))
    assert sum((firsts[item] - 1000) ** 2 / 1000 for item in range(25)) < 75


def test_purposes_draws_and_seeds_are_separate() -> None:
    items = range(30)
    orders = {
        chance.shuffle(SEED, "level-1", 0, items),
        chance.shuffle(SEED, "level-2", 0, items),
        chance.shuffle(SEED, "level-1", 1, items),
        chance.shuffle(SEED[::-1], "level-1", 0, items),
    }
    assert len(orders) == 4


def test_the_commitment_depends_on_title_version_and_seed() -> None:
    commitments = {
        chance.commitment("splendor", 1, SEED),
        chance.commitment("duel", 1, SEED),
        chance.commitment("splendor", 2, SEED),
        chance.commitment("splendor", 1, SEED[::-1]),
    }
    assert len(commitments) == 4


@pytest.mark.parametrize("size", [3, 5, 6, 7, 90])
def test_random_words_that_would_bias_a_draw_are_skipped(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Of the 2**32 numbers, only as many count as can be divided evenly."""
    fair = 2**32 // size * size
    drawn = iter([2**32 - 1, fair, fair - 1, *[0] * size])
    monkeypatch.setattr(chance, "words", lambda *_of: drawn)
    items = list(range(size))
    # The first word that counts leaves the last item where it is; after that the first item is swapped to the end.
    assert chance.shuffle(bytes(32), "test", 0, items)[-1] == size - 1
    assert len(list(drawn)) == 2
