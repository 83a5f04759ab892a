"""The measured ratings of the strengths in Splendor Duel, by number of seats."""

from games.bots.strengths import Rating

RATINGS = {
    "beginner": {2: Rating(1081, 49)},
    "easy": {2: Rating(1404, 86)},
    "medium": {2: Rating(1817, 121)},
    "hard": {2: Rating(2199, 145)},
    "strongest": {2: Rating(2429, 156)},
}
