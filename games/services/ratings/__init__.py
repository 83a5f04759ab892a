"""The ratings of people, by title and number of seats."""
