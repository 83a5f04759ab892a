"""Checks the shuffle of a finished game with only Python 3 and the data on its page:

    python3 check_shuffle.py splendor 4 SEAL SEED

Add the word `rematch` for a game whose turn order follows from an earlier game, or the word `unshuffled` for a game
against bots in which the host began. The script prints whether the seal fits the seed, and everything that was
dealt from that seed. docs/chance.md in the site's source describes the same in words, and how the bag of a Duel is
shuffled when the board is replenished."""

import hashlib
import hmac
import sys

VERSIONS = {"splendor": (2, 1), "duel": (1,)}
FACE_UP = {"splendor": (4, 4, 4), "duel": (5, 4, 3)}
NOBLES = "4w4u 4w4k 4u4g 4g4r 4r4k 3w3u3g 3w3u3k 3w3r3k 3u3g3r 3g3r3k"
BAG = "wwwwuuuuggggrrrrkkkkpp***"
TURN_ORDER = "Turn order, numbered in the order of joining"
ORDERS = {
    "": "",
    "rematch": "as in the previous game, except that everyone moves up one seat",
    "unshuffled": "the order of joining",
}
# The costs of each level's cards, by colour of their bonus: w diamond, u sapphire, g emerald, r ruby, k onyx, p pearl.
CARDS = {
    "splendor": (
        """white 2r1k 3u 1u1g1r1k 2u2k 1u2g1r1k 2u2g1k 3w1u1k 4g  blue 3k 1w2k 2g2k 1w1g1r1k 1u3g1r 1w1g2r1k 1w2g2r 4r
        green 3r 2w1u 2u2r 1w1u1r1k 1u2r2k 1w1u1r2k 1w3u1g 4k  red 2u1g 3w 1w1u1g1k 2w2r 1w1r3k 2w1g2k 2w1u1g1k 4w
        black 2g1r 3g 1w1u1g1r 2w2g 1g3r1k 1w2u1g1r 2w2u1r 4u""",
        """white 3g2r2k 2w3u3r 5r 1g4r2k 5r3k 6w  blue 2u2g3r 2u3g3k 5u 2w1r4k 5w3u 6u  green 2w3u2k 3w2g3r 5g 4w2u1k
        5u3g 6g  red 2w2r3k 3u2r3k 5k 1w4u2g 3w5k 6r  black 3w2u2g 3w3g2k 5w 1u4g2r 5g3r 6k""",
        """white 3u3g5r3k 7k 3w3r6k 3w7k  blue 3w3g3r5k 7w 6w3u3k 7w3u  green 5w3u3r3k 7u 3w6u3g 7u3g
        red 3w5u3g3k 7g 3u6g3r 7g3r  black 3w3u5g3r 7r 3g6r3k 7r3k""",
    ),
    "duel": (
        """white 2r2k 1u1g1r1k 2u2g1p 3u 2g3r  blue 1w1g1r1k 2w2k 2g2r1p 3g 2r3k  green 1w1u1r1k 2w2u 2r2k1p 3r 3w2k
        red 2u2g 1w1u1g1k 2w2k1p 3k 2w3u  black 2g2r 1w1u1g1r 2w2u1p 3w 2u3g  wild 4w1p 4k1p 2u2r1k1p 2w2g1k1p
        none 4r1p""",
        """white 4u3r 5u2g 4w2k1p 2g2r2k1p  blue 4g3k 5g2r 2w4u1p 2w2r2k1p  green 5r2k 3w4r 2u4g1p 2w2u2k1p
        red 3u4k 2w5k 2g4r1p 2w2u2g1p  black 4w3g 5w2u 2r4k1p 2u2g2r1p  wild 6g1p 6u1p 6g1p  none 6u1p""",
        """white 3u5r3k1p 6w2u2k  blue 3w3g5k1p 2w6u2g  green 5w3u3r1p 2u6g2r  red 5u3g3k1p 2g6r2k
        black 3w5g3r1p 2w2r6k  wild 8k 8r  none 8w""",
    ),
}


def seals(title: str, seed: bytes) -> list[str]:
    """The seals for the present and the older versions of the rules, under which older games began."""
    messages = (f"cabochon commitment 1|{title}|{version}|".encode() + seed for version in VERSIONS[title])
    return [hashlib.sha256(message).hexdigest() for message in messages]


def shuffle(seed: bytes, purpose: str, items: list[str]) -> list[str]:
    items, block, numbers = list(items), 0, list[int]()
    for last in range(len(items) - 1, 0, -1):
        number = 2**32
        while number >= 2**32 - 2**32 % (last + 1):
            if not numbers:
                digest = hmac.new(seed, f"cabochon chance 1|{purpose}|0|{block}".encode(), "sha256").digest()
                numbers = [int.from_bytes(digest[start : start + 4], "big") for start in range(0, 32, 4)]
                block += 1
            number = numbers.pop(0)
        other = number % (last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def deal(title: str, seats: int, seed: bytes) -> dict[str, list[str]]:
    dealt = {TURN_ORDER: shuffle(seed, "seats", [str(n + 1) for n in range(seats)])}
    if title == "splendor":
        dealt["Nobles, by the bonuses they need"] = shuffle(seed, "nobles", NOBLES.split())[: seats + 1]
    else:
        dealt["Tokens, along the spiral from the centre"] = shuffle(seed, "bag", list(BAG))
    for level, places in enumerate(FACE_UP[title], start=1):
        cards, colour = list[str](), ""
        for word in CARDS[title][level - 1].split():
            colour = word if word.isalpha() else colour
            cards += [] if word.isalpha() else [f"{colour} {word}"]
        cards = shuffle(seed, f"level-{level}", cards)
        dealt[f"Level {level}, face up"], dealt[f"Level {level}, deck"] = cards[:places], cards[places:]
    return dealt


if __name__ == "__main__":
    order_of_seats = ORDERS.get(" ".join(sys.argv[5:]))
    if len(sys.argv) < 5 or order_of_seats is None or sys.argv[1] not in CARDS:
        sys.exit(__doc__)
    title, seats, published, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3].lower(), bytes.fromhex(sys.argv[4])
    fits = published in seals(title, seed)
    print("The seal fits the seed." if fits else "THE SEAL DOES NOT FIT THE SEED.")
    dealt = deal(title, seats, seed)
    if order_of_seats:
        del dealt[TURN_ORDER]
        print(f"Turn order: {order_of_seats}.")
    for what, order in dealt.items():
        print(f"{what}: {', '.join(order)}")
    sys.exit(not fits)
