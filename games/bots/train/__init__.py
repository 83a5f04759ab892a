"""How the networks are trained: `python -m games.bots.train --help`."""
