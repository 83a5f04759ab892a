"""Time: the present instant, the arithmetic of clocks, the clock that runs at a table."""
