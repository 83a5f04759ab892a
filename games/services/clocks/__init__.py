"""Time: the current instant, the arithmetic of clocks, the running clock of a game."""
