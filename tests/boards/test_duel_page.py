import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from games.boards.duel import build
from games.rules.duel.cards import CARDS
from games.rules.duel.state import Phase
from tests.boards.duel import RULES, ask, drawn, positions
from tests.rules.positions.duel import position


@pytest.mark.parametrize("phase", Phase)
def test_every_action_can_be_reached_on_the_page(phase):
    """The links and forms of the templates reach every legal action."""
    state = next(state for state in positions() if state.phases[0] == phase)
    confirmable, drafts, seen = set(), [""], {""}
    while drafts:
        page = drawn(ask(state, drafts.pop()))
        moves = set(re.findall(r'name="moves"\s+value="([^"]*)"', page))
        assert len(moves) <= 1
        confirmable |= moves
        targets = [parse_qs(urlsplit(unescape(link)).query) for link in re.findall(r'href="(\?[^"]*)"', page)]
        # Staged decisions lead to other positions, and refused spaces lead nowhere.
        news = {draft for target in targets if "card" not in target for draft in target.get("draft", [])}
        news = {draft for draft in news - seen if ";" not in draft or draft.endswith(";")}
        seen |= news
        drafts += [draft for draft in news if not ask(state, draft).decision.refused]
    assert confirmable == {str(action) for action in RULES.all_actions(state)}


@pytest.mark.parametrize("reader", ["opponent", "spectator"])
def test_pages_of_others_have_no_hidden_card_and_no_form(reader):
    for state in positions()[::5]:
        board = build(RULES.observe(state, 1 - state.seat if reader == "opponent" else None), (), (), "")
        page = drawn(board)
        assert "<form" not in page
        assert "draft=" not in page
        mine = state.opponent.reserved if reader == "opponent" else ()
        hands = (*state.player.reserved, *state.opponent.reserved)
        hidden = {held.card for held in hands if held.blind and held not in mine}
        hidden |= {card for deck in state.decks for card in deck}
        assert not set(re.findall("|".join(CARDS), page)) & hidden


def test_the_sheet_of_a_card_explains_it():
    for state in positions()[::10]:
        board = ask(state, "")
        for card in [card for row in state.pyramid for card in row if card]:
            page = drawn(board, sheet=board.card(card))
            assert "<dialog" in page
            assert ("Buy it for" in page) == bool(board.card(card).buy and board.card(card).payment)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ({"board": "w" + "." * 24}, "Take up to three tokens in a line, or choose a card."),
        ({"board": "*" + "." * 24}, "No gem or pearl is left on the board: choose a card."),
        ({"board": "." * 25}, "You can’t take, reserve or buy anything yet: replenish the board."),
    ],
    ids=["a gem", "only gold", "nothing"],
)
def test_the_hint_offers_only_what_is_possible(lines, sentence):
    assert sentence in drawn(ask(position(2, bytes(32), dict(lines)), ""))
