"""The measured ratings of the strengths in Splendor, by number of seats."""

from games.bots.strengths import Rating

RATINGS = {
    "beginner": {2: Rating(1147, 52), 3: Rating(1118, 55), 4: Rating(1114, 56)},
    "easy": {2: Rating(1391, 90), 3: Rating(1365, 105), 4: Rating(1326, 100)},
    "medium": {2: Rating(1656, 116), 3: Rating(1638, 131), 4: Rating(1468, 130)},
    "hard": {2: Rating(1944, 133), 3: Rating(1798, 142), 4: Rating(1615, 142)},
    "strongest": {2: Rating(2119, 144), 3: Rating(1956, 153), 4: Rating(1695, 153)},
}
