"""Bots that know Splendor."""
