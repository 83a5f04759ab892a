"""What workers do unasked: the sweep, and the bots’ decisions."""
