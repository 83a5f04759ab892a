"""Time: the present instant, the arithmetic of clocks, the running clock of a game."""
