"""A whole game as text that people read and tests replay; `docs/notation.md` describes the format."""

from collections.abc import Iterable
from typing import Any

from games.rules.base import Outcome, Ruleset, Step


def write(ruleset: Ruleset[Any, Any], seats: int, seed: bytes, steps: Iterable[Step[Any]]) -> str:
    """The transcript of a game, secrets included; `steps` come from `Ruleset.replay`, beginning with the set-up."""
    lines = [f"title: {ruleset.slug}", f"seats: {seats}", f"seed: {seed.hex()}", ""]
    for step in steps:
        if step.played:
            lines.append(str(step.played[0]))
            lines += [f"  event: {event}" for event in step.events]
        lines.append(f"  options: {len(ruleset.legal_actions(step.state))}")
        outcome = ruleset.outcome(step.state)
        if outcome:
            lines.append(f"end: {spell(outcome)}")
    return "\n".join(lines) + "\n"


def spell(outcome: Outcome) -> str:
    """An outcome as text, `winners=0 scores=16,12 reason=prestige`."""
    return (
        f"winners={','.join(map(str, outcome.winners))} "
        f"scores={','.join(map(str, outcome.scores))} reason={outcome.reason}"
    )
