"""The measured ratings of the strengths in Splendor, by number of seats."""

from games.bots.strengths import Rating

RATINGS = {
    "beginner": {2: Rating(800, 79), 3: Rating(789, 69), 4: Rating(816, 68)},
    "medium": {2: Rating(1191, 78), 3: Rating(1076, 68), 4: Rating(1022, 76)},
    "strongest": {2: Rating(1707, 147), 3: Rating(1491, 119), 4: Rating(1354, 129)},
}
