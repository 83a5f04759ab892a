"""The fast cores against the rules: the same decisions in every position, the same states after them, the same results.

`differential` plays the games; as a command it plays any number of them.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.bots.engines import ENGINES
from games.rules.chance import SEED_BYTES
from games.rules.duel.cards import GOLD, KINDS, SPACES
from games.rules.duel.state import EMPTY, Phase
from games.rules.tokens import single
from tests.bots.core import differential
from tests.rules import transcripts

FEW, CHUNK = 27, 20
"""Every kind of decision occurs in this number of games at each table; the last one has a pass."""
SCENARIOS = [
    path
    for path in sorted((Path(__file__).parents[2] / "rules" / "scenarios").rglob("*.txt"))
    if "version" not in path.stem
]
every_table = pytest.mark.parametrize(("slug", "seats"), differential.TABLES)


@every_table
def test_rules_and_core_agree_on_every_kind_of_decision(slug, seats):
    tally = differential.series(slug, seats, range(FEW))
    assert tally.games == FEW
    words = {kind.word for kinds in ENGINES[slug].ruleset.actions.values() for kind in kinds}
    assert {word.strip("()") for word in tally.words} == words


@pytest.mark.slow
@pytest.mark.repeated(100)
@every_table
def test_rules_and_core_agree_in_many_games(request, slug, seats, seed):
    """The long form plays all games of a chunk, the short form a quarter of them."""
    first, number = FEW + seed * CHUNK, CHUNK if request.config.option.long else CHUNK // 4
    assert differential.series(slug, seats, range(first, first + number)).games == number


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_rules_and_core_agree_in_rare_positions(path):
    """The first positions of the transcripts that use the present rules."""
    ruleset, state = transcripts.start(path)
    assert differential.play_on(ruleset.slug, state, Random(path.stem)).decisions


def test_rules_and_core_agree_on_privileges_for_the_last_token():
    """D17: a position that random games hardly ever reach. One gem or pearl is on the board, and the mover has
    privileges."""
    engine, rng = ENGINES["duel"], Random(17)
    ruleset = engine.ruleset
    stranding = 0
    for _ in range(400):
        state = ruleset.initial(2, rng.randbytes(SEED_BYTES))
        for _ in range(rng.randrange(100)):
            after = ruleset.apply(state, rng.choice(ruleset.legal_actions(state))).state
            if after.to_act is None:
                break
            state = after
        golds = rng.choice([0, 0, 1, 2])
        board = [rng.choice(KINDS[:GOLD]), *KINDS[GOLD] * golds, *EMPTY * (len(SPACES) - 1 - golds)]
        rng.shuffle(board)
        bag = rng.choice([(0,) * len(KINDS), single(GOLD, KINDS), single(rng.randrange(GOLD), KINDS)])
        tokens = tuple(rng.choice([0, 0, held]) for held in state.player.tokens)
        player = replace(state.player, tokens=tokens, privileges=rng.randint(1, 3))
        players = state.players_with(state.seat, player)
        state = replace(state, phases=(Phase.TURN,), board="".join(board), bag=bag, players=players)
        seen, legal = ruleset.observe(state, state.to_act), ruleset.legal_actions(state)
        differential.decisions(engine, seen, legal, differential.revealed(engine, seen, state))
        stranding += not any(action.word == "privilege" for action in legal)
    assert 20 < stranding < 380
