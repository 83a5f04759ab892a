"""Every write, and the one look at a position; the layers above hold observations only."""
