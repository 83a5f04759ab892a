"""The bots of Splendor that use its core."""

from games.bots.players import Players
from games.bots.search import Engine
from games.rules.splendor.ruleset import Splendor

PLAYERS = Players(Engine(Splendor.slug, Splendor()), shares=(0.3, 0.25), sims=(10, 300))
