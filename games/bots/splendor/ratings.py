"""The measured ratings of the strengths in Splendor, by number of seats."""

from games.bots.strengths import Rating

RATINGS = {
    "beginner": {2: Rating(1147, 52), 3: Rating(1116, 55), 4: Rating(1027, 75)},
    "easy": {2: Rating(1391, 90), 3: Rating(1329, 79), 4: Rating(1190, 101)},
    "medium": {2: Rating(1656, 116), 3: Rating(1527, 98), 4: Rating(1296, 123)},
    "hard": {2: Rating(1944, 133), 3: Rating(1742, 113), 4: Rating(1405, 142)},
}
