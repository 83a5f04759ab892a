"""The training of the networks: `python -m games.bots.train --help`."""
