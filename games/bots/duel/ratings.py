"""The measured ratings of the strengths in Splendor Duel, by number of seats."""

from games.bots.strengths import Rating

RATINGS = {
    "beginner": {2: Rating(827, 76)},
    "medium": {2: Rating(1275, 90)},
    "strongest": {2: Rating(2133, 204)},
}
