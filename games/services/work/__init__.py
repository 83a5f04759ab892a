"""Work that no player asks for: the sweep, the bots' decisions, previews, the stock of first moves, and restoration."""
