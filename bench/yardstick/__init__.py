"""Matches against the strongest public program, and what they came to: docs/yardstick.md."""
