"""Runs the commands of docs/operating.md and the steps of the image in bare Debian roots; see `__main__`."""
