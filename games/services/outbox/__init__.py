"""Notices owed to people, their mail preferences, and their ways to opt out."""
