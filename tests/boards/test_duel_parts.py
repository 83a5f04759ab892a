import dataclasses

import pytest

from games.boards.duel import build
from games.boards.gems import Trace
from games.rules import tokens
from games.rules.base import Event
from games.rules.duel.cards import CARDS, KINDS, SPACES
from games.rules.duel.state import Phase, price
from tests.boards.duel import RULES, ask, cell, cells, links, lying, positions, purchases, walk


def test_states_and_prices_are_right():
    states = set()
    for state in positions():
        if state.phases[0] != Phase.TURN:
            continue
        board, affordable = ask(state, ""), purchases(state)
        hand = [held.card for held in state.player.reserved]
        for card in [*(card for row in state.pyramid for card in row if card), *hand]:
            face = board.card(card)
            states.add(face.means.state)
            assert (face.means.state in ("buy", "gold")) == (card in affordable)
            due = price(CARDS[card], state.player.bonuses)
            assert {price.kind: price.due for price in face.prices} == {
                kind: number for kind, number, printed in zip(KINDS, due, CARDS[card].cost, strict=False) if printed
            }
            assert face.free == (not any(due))
            assert face.slot == "" if card in hand else face.slot.startswith(f"T{card[0]}-")
            if card in affordable:
                assert face.means.gold == affordable[card][0].paid[-1]
            if face.means.state == "short":
                assert 0 < face.means.short <= sum(due)
            if face.means.state == "joker":
                assert CARDS[card].joker
                assert not state.player.colours
    assert states == {"buy", "gold", "short", "joker"}


def test_only_its_holder_can_buy_a_reserved_card():
    seen = set()
    for state in positions():
        for seat, player in enumerate(RULES.observe(state, state.seat).players):
            for card in (held.card for held in player.reserved if held.card):
                face = ask(state, "").card(card)
                assert face.yours == (seat == state.seat)
                assert [means.seat for means in face.rivals] == [seat] * (seat != state.seat)
                seen.add(face.yours)
    assert seen == {True, False}


def test_one_token_short_is_named():
    state = lying("w...." + "....." * 4)
    card = "1-white-04"  # three blue
    held = tokens.parse("uu", KINDS)
    player = dataclasses.replace(state.player, tokens=held)
    state = dataclasses.replace(state, players=(player, state.opponent), pyramid=((card,), (), ()))
    mine = ask(state, "").card(card).means
    assert (mine.state, mine.short, mine.kind, mine.gem) == ("short", 1, "u", "blue")


def test_the_board_shows_every_token():
    for state in positions():
        board = ask(state, "")
        assert "".join(cell.kind or "." for cell in cells(board)) == state.board
        assert [cell.name for cell in cells(board)] == list(SPACES)
        assert sorted(cell.order for cell in cells(board)) == list(range(1, 26))
        assert {amount.kind: amount.number for amount in board.bag} == {
            kind: number for kind, number in zip(KINDS, state.bag, strict=True) if number
        }
        assert len(board.privileges) + sum(seat.privileges for seat in board.seats) == 3
        assert board.seats[0].me
        for seat in board.seats:
            player = state.players[seat.index]
            assert [(meter.value, meter.goal) for meter in seat.meters] == [
                (player.points, 20),
                (player.crowns, 10),
                (max(player.colour_points), 10),
            ]
            assert tuple(holding.tokens for holding in seat.holdings) == player.tokens
            assert tuple(amount.number for amount in seat.colour_points) == player.colour_points
            assert tuple(royal.id for royal in seat.royals) == player.royals


def test_tokens_that_the_draft_takes_leave_their_mark():
    state = next(state for state in positions() if state.phases[0] == Phase.TURN and state.player.privileges)
    board = ask(state, "privilege")
    space = next(cell for cell in cells(board) if cell.act == "privilege")
    board = ask(state, space.draft)
    assert cell(board, space.name).gem == ""
    assert cell(board, space.name).gone == space.gem
    holding = next(holding for holding in board.seats[0].holdings if holding.kind == space.kind)
    assert holding.tokens == holding.before + 1


@pytest.mark.parametrize("reader", ["opponent", "spectator"])
def test_others_see_no_hidden_card_and_no_control(reader):
    hidden_somewhere = False
    for state in positions():
        seat = 1 - state.seat if reader == "opponent" else None
        board = build(RULES.observe(state, seat), (), (), "")
        hidden = {held.card for held in state.player.reserved if held.blind}
        hidden |= {card for deck in state.decks for card in deck}
        if seat is None:
            hidden |= {held.card for held in state.opponent.reserved if held.blind}
        hidden_somewhere |= any(held.blind for held in state.player.reserved)
        assert not set(texts(board)) & hidden
        assert links(board) == {board.draft} == {""}
        assert board.decision.doing == ("wait" if reader == "opponent" else "look")
        assert not board.mine
    assert hidden_somewhere


def test_moves_of_the_other_seat_leave_traces():
    state = lying("wugrkpwugrkpwugrk*.......")
    seat, card = state.seat, state.pyramid[0][2]
    events = [
        Event("took", seat=1 - seat, tokens="wu", spaces="e4 e5"),
        Event("reserved", seat=1 - seat, card="2-blue-02"),
        Event("revealed", card=card),
        Event("took", seat=seat, tokens="w", spaces="e3"),
    ]
    board = build(RULES.observe(state, seat), RULES.all_actions(state), (), "", since=events)
    assert [cell.name for cell in cells(board) if cell.taker is not None] == ["e4", "e5"]
    traces = {face.id: face.trace for level in board.levels for face in level.places if face and face.trace}
    assert traces == {card: Trace(1 - seat, "reserved", 1, "blue")}


def texts(board):
    return (value for _, value in walk(board) if isinstance(value, str))
