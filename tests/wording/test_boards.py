"""Both titles use the same language: the same words for the same decisions, and one name for each ability."""

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from games import rendering, wording
from games.rules.base import Event
from games.rules.duel.cards import CARDS, ROYALS, Ability
from games.rules.splendor import cards as splendor_cards
from games.wording import duel, duel_board, splendor
from tests.boards import duel as duels
from tests.boards import splendor as splendors

BOARDS: dict[str, tuple[Any, Any]] = {
    "splendor": (splendors.look, splendors.positions()),
    "duel": (duels.ask, duels.positions()),
}
TOKENS = r"\d (?:diamond|sapphire|emerald|ruby|rubies|onyx|pearl|gold token).*"
CARD = r"(?:T[123]-[1-5]|your reserved card)"
DECISIONS = {
    "take": rf"Take {TOKENS}",
    "return": rf"Return {TOKENS}",
    "buy": rf"Buy {CARD} for (?:free|{TOKENS})",
    "reserve": rf"Reserve (?:from level [123]|{CARD})",
}
NAMED = sorted(set(Ability) - {Ability.NONE})


@pytest.mark.parametrize("slug", BOARDS)
def test_decisions_have_the_same_words_in_both_titles(slug: str) -> None:
    ask, states = BOARDS[slug]
    confirm_words, found = wording.board_words(slug).confirm_words, set()
    for state in states[::3]:
        for option in ask(state, "").options:
            word = option.moves.partition(" ")[0]
            if word in DECISIONS:
                assert re.fullmatch(DECISIONS[word], confirm_words(option.pieces)), option.moves
                found.add(word)
    assert found == DECISIONS.keys()


def test_a_second_decision_follows_an_arrow_in_both_titles() -> None:
    state = splendors.RULES.initial(2, bytes(32))
    pieces = [splendors.look(state, draft).decision.pieces[0] for draft in ("take wug", "take rr")]
    words = wording.board_words("splendor").confirm_words(pieces)
    assert words == "Take 1 diamond, 1 sapphire and 1 emerald → Take 2 rubies"
    lying = duels.lying("wugrk" + "....." * 4)
    drafts = [duels.ask(lying, draft).decision.pieces[0] for draft in ("take a1 a2", "take a5")]
    assert wording.board_words("duel").confirm_words(drafts) == "Take 1 diamond and 1 sapphire → Take 1 onyx"


@pytest.mark.parametrize("ability", NAMED)
def test_an_ability_has_one_name(ability: Ability) -> None:
    name = str(duel.ABILITIES[ability])
    card = next(card for card in CARDS.values() if ability in card.abilities)
    state = replace(duels.lying("wugrk" + "....." * 4), pyramid=((card.id,), (), ()))
    board = duels.ask(state, "")
    face = board.card(card.id)
    assert face
    assert name in duel_board.face_name(face)
    assert name in duel.card(card.id)
    page = str(duels.drawn(board, face))
    faces = re.findall(r'<span class="ability">\s*<svg.*?</svg>\s*(.*?)\s*</span>', page, re.DOTALL)
    assert faces.count(name.capitalize()) == 2
    assert page.count(f"<b>{name.capitalize()}</b>") == 1
    assert all(name in duel.royal(royal.id) for royal in ROYALS.values() if royal.ability == ability)


@pytest.mark.parametrize(("slug", "cards"), [("splendor", splendor_cards.CARDS), ("duel", CARDS)])
def test_events_draw_cards_as_tiles_with_words_for_screen_readers(slug: str, cards: Any) -> None:
    words = {"splendor": splendor.card, "duel": duel.card}[slug]
    for card in cards:
        line = rendering.event_line(slug, Event("reserved", seat=0, card=card), ["Ana", "Ben"])
        tile = re.search(r'reserved <span class="mini card-(\w+)"><span class="visually-hidden">(.*?)</span>', line)
        assert tile, line
        assert tile[1] in ("white", "blue", "green", "red", "black", "wild", "none")
        assert unescape(tile[2]) == words(card)
        assert ("#gem-" in line) == (tile[1] not in ("wild", "none"))
