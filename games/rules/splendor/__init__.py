"""Splendor, 2 to 4 seats: the 2014 and 2024 rulebooks as decided in `docs/rules/splendor.md` (R1-R63)."""
