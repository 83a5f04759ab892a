"""The bots of Splendor Duel that use its core."""

from games.bots.players import Players
from games.bots.search import Engine
from games.rules.duel.ruleset import Duel

PLAYERS = Players(Engine(Duel.slug, Duel()), shares=(0.3, 0.8), sims=(30, 400))
