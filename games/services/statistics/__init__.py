"""Statistics: what the finished games of people add up to."""
