"""Splendor Duel, 2 seats: the rulebook as decided in `docs/rules/duel.md` (D1-D75)."""
