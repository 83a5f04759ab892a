"""Matches against the strongest public program, and their results: docs/yardstick.md."""
