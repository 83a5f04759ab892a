"""The measured ratings of the strengths in Splendor Duel, by number of seats."""

from games.bots.strengths import Rating

RATINGS = {
    "beginner": {2: Rating(986, 68)},
    "easy": {2: Rating(1117, 99)},
    "medium": {2: Rating(1369, 131)},
    "hard": {2: Rating(1699, 165)},
}
