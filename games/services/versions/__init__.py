"""Versions of games: how changes are written, and how open pages learn of them."""
