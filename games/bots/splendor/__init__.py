"""The code of the bots for Splendor."""
