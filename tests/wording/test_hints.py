"""The hints of a first game are true, and short in every language."""

import re
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from games.catalogue import TITLES
from games.pages.learn import taught
from games.rules.hand import SeenReserved
from games.wording import lessons as words
from tests.factories import positions

LONGEST = 110
"""The maximum length of a hint, in characters: its place on the board is fixed."""
TO_BUY = {"points", "first", "bonus", "noble_now", "crowns"}
PARTS = {"splendor": "rows", "duel": "pyramid"}


def hints(slug: str) -> list[tuple[Any, Any]]:
    """The positions of many games in which the seat to act has a hint, each with its hint."""
    hint, ruleset = taught()[slug].hint, TITLES[slug].ruleset
    states = [state for batch in range(6) for state in positions(slug, batch)]
    found = [(state, hint(ruleset.observe(state, state.to_act))) for state in states]
    return [(state, each) for state, each in found if each]


@pytest.mark.parametrize("slug", PARTS)
def test_a_hint_names_a_card_that_can_be_bought(slug: str) -> None:
    ruleset, seen = TITLES[slug].ruleset, 0
    for state, hint in hints(slug):
        actions: list[Any] = ruleset.legal_actions(state)
        legal = {action.card for action in actions if action.word == "buy"}
        if hint.code not in TO_BUY or not legal:
            continue
        rows = getattr(state, PARTS[slug])
        slot = re.fullmatch(r"T(\d)-(\d)", hint.facts["slot"])
        cards = {rows[int(slot[1]) - 1][int(slot[2]) - 1]} if slot else {held.card for held in state.player.reserved}
        assert cards & legal, hint
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("slug", PARTS)
@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_every_hint_is_a_short_sentence(slug: str, language: str) -> None:
    with translation.override(language):
        for state, _hint in hints(slug):
            said = words.hint(slug, TITLES[slug].ruleset.observe(state, state.to_act))
            assert said[0].isupper()
            assert said[-1] == "."
            assert len(said) <= LONGEST, said


@pytest.mark.parametrize("slug", PARTS)
def test_every_hint_is_given_in_some_position(slug: str) -> None:
    said = {hint.code + (f" crowns={hint.facts['crowns']}" if hint.code == "crowns" else "") for _, hint in hints(slug)}
    rare = {"gold", "privilege", "crowns crowns=10", "crowns crowns=6", "begin"}
    assert import_module(TITLES[slug].lesson_words).HINTS.keys() - said <= rare


def test_no_hint_for_duel_says_that_a_joker_can_be_bought() -> None:
    """D51: a joker needs a card with a bonus to join."""
    hint, ruleset = taught()["duel"].hint, TITLES["duel"].ruleset
    state = ruleset.initial(2, bytes(32))
    seen = ruleset.observe(state, state.to_act)
    me = replace(
        seen.players[state.to_act], tokens=(4, 4, 4, 4, 4, 2, 3), reserved=(SeenReserved(1, "1-wild-02", blind=False),)
    )
    players = tuple(me if seat == state.to_act else player for seat, player in enumerate(seen.players))
    found = hint(replace(seen, players=players, pyramid=((None,) * 5, (None,) * 4, (None,) * 3)))
    assert found
    assert found.code == "full"
