"""The board of Splendor: clicks reach every legal action, and the board shows the right values."""

import dataclasses
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import unquote_plus

import pytest
from django.template.loader import render_to_string

from games.boards.splendor import Board, build
from games.rules.base import Event
from games.rules.splendor.actions import Buy
from games.rules.splendor.cards import CARDS, COLOURS, NOBLES
from games.rules.splendor.state import Phase, State
from tests.boards.splendor import PEOPLE, RULES, look, positions, walk

CONTROLS = {
    *("buy", "pay", "reserve", "take", "choose", "tap", "less", "more", "undo", "passing", "onward"),
}
"""The fields that contain drafts."""


def links(value: Any) -> Iterator[str]:
    """Every draft that a control of the board leads to."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            part = getattr(value, field.name)
            if field.name in CONTROLS and isinstance(part, str):
                yield part
            else:
                yield from links(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from links(part)


def reachable(state: State) -> set[str]:
    """The drafts that can be confirmed after any number of clicks."""
    seen, waiting, confirmed = {""}, [""], set()
    while waiting:
        board = look(state, waiting.pop())
        if board.decision.confirm:
            confirmed.add(board.decision.confirm)
        for draft in set(links(board)) - seen:
            seen.add(draft)
            waiting.append(draft)
    return confirmed


@pytest.mark.parametrize(
    "state",
    [pytest.param(state, marks=pytest.mark.long if number % 3 else ()) for number, state in enumerate(positions())],
    ids=repr,
)
def test_clicks_reach_exactly_the_legal_actions(state: State) -> None:
    confirmed = reachable(state)
    assert {notations.split(";")[0] for notations in confirmed} == set(map(str, RULES.all_actions(state)))
    for notations in confirmed:
        after = state
        for notation in notations.split(";"):
            assert notation in map(str, RULES.all_actions(after))
            after = RULES.apply(after, RULES.parse(notation)).state


def test_the_positions_are_many_and_cover_every_phase() -> None:
    states = positions()
    assert len(states) >= 60
    assert {state.phases[0] for state in states} == set(Phase)


def readers(state: State) -> list[int | None]:
    return [None, *range(len(state.players))]


def seen_by(state: State, reader: int | None, draft: str = "") -> Board:
    if reader == state.to_act:
        return look(state, draft)
    return build(RULES.observe(state, reader), [], [], "")


def ids(value: Any) -> set[str]:
    """All card ids in a value or a page."""
    return set(re.findall(r"\b[123]-(?:white|blue|green|red|black)-\d\d\b", str(value)))


@pytest.mark.parametrize("seats", RULES.seats)
def test_a_board_names_the_visible_cards_and_no_other(seats: int) -> None:
    for state in walk(seats, 1)[::6]:
        for reader in readers(state):
            seen = RULES.observe(state, reader)
            visible = {card for row in seen.rows for card in row if card}
            visible |= {held.card for player in seen.players for held in player.reserved if held.card}
            assert ids(seen_by(state, reader)) == visible


def test_some_cards_were_hidden_in_these_games() -> None:
    assert any(held.blind for state in walk(3, 1) for player in state.players for held in player.reserved)


def test_only_its_holder_can_buy_a_reserved_card() -> None:
    seen = set()
    for state in walk(3, 1):
        for reader in readers(state):
            board = seen_by(state, reader)
            for seat, player in enumerate(RULES.observe(state, reader).players):
                for card in (board.card(held.card) for held in player.reserved if held.card):
                    assert card is not None
                    assert card.yours == (seat == reader)
                    assert [means.seat for means in card.rivals] == [seat] * (seat != reader)
                    seen.add(card.yours)
    assert seen == {True, False}


def test_cards_shown_as_within_reach_can_be_bought() -> None:
    for state in positions():
        if state.phases[0] is not Phase.MAIN:
            continue
        board = look(state)
        cards = [card for level in board.levels for card in level.places if card]
        cards += [kept.card for kept in board.seats[0].reserved if kept.card]
        options = {action.card: action for action in RULES.legal_actions(state) if isinstance(action, Buy)}
        assert {card.id for card in cards if card.buy} == set(options)
        for card in cards:
            assert card.means is not None
            due = Buy(card.id).due(state)
            assert sum(price.due for price in card.prices) == sum(due)
            assert (card.means.short == 0) == (card.id in options)
            if card.id in options:
                assert card.means.gold == options[card.id].paid[-1] == sum(price.gold for price in card.prices)
                assert str(options[card.id]) == card.buy


def test_a_spectator_reads_printed_prices_and_can_do_nothing() -> None:
    for state in positions():
        board = seen_by(state, None)
        assert list(links(board)) == []
        assert board.decision.confirm is None
        assert board.decision.doing == "look"
        for level in board.levels:
            for card in filter(None, level.places):
                assert card.means is None
                assert [price.due for price in card.prices] == [cost for cost in CARDS[card.id].cost if cost]


def test_a_waiting_seat_can_do_nothing() -> None:
    state = walk(3, 0)[20]
    for reader in range(3):
        if reader != state.to_act:
            assert list(links(seen_by(state, reader))) == []


def test_seats_and_needs_start_with_the_reader() -> None:
    state = walk(4, 2)[60]
    for reader in range(4):
        board = seen_by(state, reader)
        order = [(reader + turn) % 4 for turn in range(4)]
        assert [seat.index for seat in board.seats] == order
        for noble in board.nobles:
            for need in noble.needs:
                colour = COLOURS.index(need.kind)
                assert need.lacking == tuple(
                    max(NOBLES[noble.id].needs[colour] - state.players[seat].bonuses[colour], 0) for seat in order
                )


def test_gems_are_chosen_and_cleared_by_clicks() -> None:
    state = RULES.initial(2, bytes(32))

    def click(draft: str, kind: str) -> str | None:
        return next(pile.take for pile in look(state, draft).bank if pile.kind == kind)

    assert click("", "g") == "take g"
    assert click("take g", "w") == "take wg"
    assert click("take wg", "u") == "take wug"
    assert click("take wug", "k") is None
    assert click("take wug", "u") == "take wg"
    assert click("take g", "g") == "take gg"
    assert click("take gg", "g") == ""
    assert click("take gg", "w") is None
    assert click("", "*") is None
    assert look(state, "take wg").decision.undo == "take w"
    assert look(state, "take w").decision.undo == ""
    assert look(state).decision.undo is None
    assert [(pile.number, pile.left) for pile in look(state, "take wug").bank[:3]] == [(4, 3)] * 3


def test_a_draft_that_leads_nowhere_is_ignored() -> None:
    state = RULES.initial(2, bytes(32))
    for draft in (
        "take wwu",
        "take *",
        "take",
        "steal w",
        "buy 1-white-01 =",
        "return w",
        "noble 4w4u",
        "\0",
        "take ü",
        "reserve w",
        "buy w",
        "noble w",
        "pass w",
    ):
        assert look(state, draft) == look(state)
    assert look(state, "take guw") == look(state, "take wug")


def test_a_gem_taken_before_a_return_can_be_put_back() -> None:
    state = next(state for state in walk(4, 0, 200) if sum(state.players[state.to_act or 0].tokens) == 10)
    take = next(str(action) for action in RULES.legal_actions(state) if re.fullmatch(r"take \w{3}", str(action)))
    start = look(state, take[:-1])
    assert next(pile.take for pile in start.bank if pile.kind == take[-1]) == f"{take};"
    board = look(state, f"{take};")
    assert board.phase == "return"
    assert (board.decision.total, board.decision.excess, board.decision.missing) == (13, 3, 3)
    assert board.decision.confirm is None
    assert next(pile.take for pile in board.bank if pile.kind == take[-1]) == take[:-1]
    assert board.decision.undo == take[:-1]


def test_marks_show_moves_of_others() -> None:
    state = RULES.initial(3, bytes(32))
    new = state.rows[0][1]
    since = [
        Event("took", seat=1, tokens="ww"),
        Event("bought", seat=2, card="1-white-01", payment="-"),
        Event("revealed", card=str(new)),
        Event("took", seat=0, tokens="k"),
    ]
    board = build(RULES.observe(state, 0), RULES.all_actions(state), [], "", since=since)
    marked = [card for level in board.levels for card in level.places if card and card.trace]
    assert [(card.id, card.trace.seat, card.trace.verb) for card in marked if card.trace] == [(new, 2, "bought")]
    assert {pile.kind: pile.takers for pile in board.bank if pile.takers} == {"w": (1,)}


@pytest.mark.parametrize("seats", RULES.seats)
def test_equal_points_do_not_overlap_in_the_race(seats: int) -> None:
    board = look(RULES.initial(seats, bytes(32)))
    assert {runner.x for runner in board.race} == {0}
    assert [runner.seat for runner in board.race] == [seat.index for seat in reversed(board.seats)]
    heights = [runner.y for runner in board.race]
    assert all(low - high >= 12 for low, high in pairwise(heights))
    assert min(heights) > -board.race_height - 2


def test_a_card_opened_while_looking_back_keeps_the_moment() -> None:
    board = seen_by(walk(3, 1)[40], 0)
    card = next(card for level in board.levels for card in level.places if card)
    for sheet in (None, card):
        facts = {"board": board, "people": PEOPLE, "sheet": sheet, "at": 40, "here": "?at=40"}
        page = render_to_string("games/splendor/board.jinja", facts, using="jinja")
        assert re.findall(r'href="\?(?!at=40(?:&amp;card=[^"]+)?")[^"]*"', page) == []
        assert page.count("?at=40&amp;card=") >= len(ids(board))


@pytest.mark.parametrize("seats", RULES.seats)
def test_the_page_shows_each_visible_card_and_no_other(seats: int) -> None:
    for state in walk(seats, 1)[::15]:
        for reader in readers(state):
            board = seen_by(state, reader)
            sheet = next(card for level in board.levels for card in level.places if card)
            for card in (None, sheet):
                page = render_to_string(
                    "games/splendor/board.jinja", {"board": board, "people": PEOPLE, "sheet": card}, using="jinja"
                )
                assert ids(page) == ids(board)
                assert ("<dialog" in page) == (card is not None)
                assert "style=" not in page


def test_every_link_of_the_board_is_on_the_page() -> None:
    for state in positions()[::11]:
        for draft in {"", *links(look(state))}:
            board = look(state, draft)
            cards = [card for level in board.levels for card in level.places if card]
            cards += [kept.card for kept in board.seats[0].reserved if kept.card]
            pages = [
                render_to_string(
                    "games/splendor/board.jinja", {"board": board, "people": PEOPLE, "sheet": sheet}, using="jinja"
                )
                for sheet in (None, *(card for card in cards if card.pay))
            ]
            hrefs = {unquote_plus(href) for page in pages for href in re.findall(r'href="\?draft=([^"&]*)', page)}
            assert set(links(board)) - {""} <= hrefs | {board.draft}
            assert (f'value="{board.decision.confirm}"' in pages[0]) == (board.decision.confirm is not None)
