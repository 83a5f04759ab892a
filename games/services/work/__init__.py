"""The workers' own duties: the sweep, and the bots' decisions."""
