"""Bots that know Splendor Duel."""
