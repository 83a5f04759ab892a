"""Every change of a game is a new version: how it is written, and how open pages learn of it."""
