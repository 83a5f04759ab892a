"""Random games, with every sentence about them worded for every reader."""

import re
from random import Random
from typing import Any

import pytest
from django.utils import translation

from games import wording
from games.rules.base import Action, IllegalAction, Step
from games.wording import duel, splendor
from tests.wording.collect import RULESETS

NAMES = ("Ana", "Ben", "50 %(tokens)s", "Dan")
"""Names that look like placeholders must not be treated as such."""
CARD = re.compile(r"\d-[a-z]+-\d\d")
NAMES_OF_CARDS = {
    slug: {card: title.card(card) for card in title.CARDS}
    for slug, title in {"splendor": splendor, "duel": duel}.items()
}
GAMES = [(slug, seats) for slug, ruleset in RULESETS.items() for seats in ruleset.seats]


def readable(sentence: str) -> str:
    """The sentence, which must have no placeholder left except in a name."""
    assert "%(" not in sentence.replace(NAMES[2], "")
    return sentence


class Reader:
    """Plays one random game and words everything in it."""

    def __init__(self, slug: str, seats: int, seed: int) -> None:
        self.slug, self.names, self.ruleset = slug, NAMES[:seats], RULESETS[slug]
        self.readers = (None, *range(seats))
        self.random = Random(f"{slug} {seats} {seed}")
        self.state = self.ruleset.initial(seats, self.random.randbytes(32))
        self.tried: list[Action[Any]] = []
        self.refused: set[str] = set()

    def play(self, decisions: int = 400) -> None:
        for _ in range(decisions):
            if self.state.to_act is None:
                break
            actions = self.ruleset.all_actions(self.state)
            self.read_actions(actions)
            self.provoke()
            step = self.ruleset.apply(self.state, self.random.choice(actions))
            self.state = step.state
            self.read_events(step)
        self.provoke()
        outcome = self.ruleset.outcome(self.state)
        if outcome:
            readable(wording.outcome(self.slug, outcome, self.names))

    def read_actions(self, actions: list[Action[Any]]) -> None:
        sentences = [readable(wording.action(self.slug, action)) for action in actions]
        assert len(set(sentences)) == len(actions), "two choices read alike"
        self.tried.append(self.random.choice(actions))

    def read_events(self, step: Step[Any]) -> None:
        for reader in self.readers:
            known = CARD.findall(repr(self.ruleset.observe(step.state, reader)))
            hidden = [name for card, name in NAMES_OF_CARDS[self.slug].items() if card not in known]
            for event in step.events:
                shown = self.ruleset.show(event, reader)
                if shown is not None:
                    sentence = readable(wording.event(self.slug, shown, self.names))
                    assert not [
                        name
                        for name in hidden
                        if name in sentence and re.search(rf"{re.escape(name)}(?! \()", sentence)
                    ]

    def provoke(self) -> None:
        """Try an action that was legal at another time."""
        for action in self.random.sample(self.tried, min(5, len(self.tried))):
            try:
                self.ruleset.apply(self.state, action)
            except IllegalAction as error:
                readable(wording.refusal(self.slug, error))
                self.refused.add(error.code)


@pytest.mark.parametrize(("slug", "seats"), GAMES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_random_games_can_be_read(slug: str, seats: int, language: str) -> None:
    refused: set[str] = set()
    with translation.override(language):
        for seed in range(3):
            reader = Reader(slug, seats, seed)
            reader.play()
            refused |= reader.refused
    assert {"not_now", "cannot_afford", "card_not_on_table", "card_not_for_sale", "tokens_not_held"} <= refused


def test_a_blind_reserve_names_its_card_to_the_owner_only() -> None:
    ruleset = RULESETS["splendor"]
    state = ruleset.initial(2, bytes(32))
    step = ruleset.apply(state, ruleset.parse("reserve L2"))
    card = NAMES_OF_CARDS["splendor"][step.state.players[0].reserved[0].card]
    told = {
        reader: [
            wording.event("splendor", shown, NAMES[:2])
            for event in step.events
            if (shown := ruleset.show(event, reader)) is not None
        ]
        for reader in (0, 1, None)
    }
    others = ["Ana reserved the top card of the level 2 deck.", "Ana took 1 gold token."]
    assert told == {0: [others[0], f"Ana drew {card}.", others[1]], 1: others, None: others}
