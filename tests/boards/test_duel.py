import dataclasses
import re
from functools import cache
from html import unescape
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from django.template.loader import render_to_string

from games.boards.duel import build
from games.boards.duel.parts import Line, Trace
from games.rules import tokens
from games.rules.base import Event
from games.rules.duel.actions import Buy, Replenish, Take
from games.rules.duel.cards import CARDS, KINDS, SPACES
from games.rules.duel.ruleset import Duel
from games.rules.duel.state import Phase, State, price

RULES = Duel()
LINKS = {"draft", "buy", "reserve", "more", "less", "instead", "change", "onward", "undo", "clear", "replenish"}
"""The fields that hold drafts."""
A_PHASE = 10


def test_every_action_is_reached_by_links_and_nothing_else():
    assert len(positions()) >= 60
    for state in positions():
        confirmable, drafts, seen = set(), [""], {""}
        while drafts:
            board = ask(state, drafts.pop())
            if board.decision.confirm:
                confirmable.add(board.decision.confirm)
            if not board.decision.staged:
                news = links(board) - seen
                seen |= news
                drafts += news
        assert confirmable == {str(action) for action in RULES.all_actions(state)}


def test_positions_meet_every_phase():
    assert {state.phases[0] for state in positions()} == set(Phase)


def test_a_turn_in_one_draft():
    """Privilege, take, return: each link leads on until the whole turn can be confirmed at once."""
    state = lying("wugrkpwugrkpwugrk........")
    rich = dataclasses.replace(state.player, tokens=tokens.parse("wwuuggrrkk", KINDS), privileges=1)
    state = dataclasses.replace(state, players=(rich, state.opponent))
    board = ask(state, "")
    board = ask(state, step(board, "privilege").draft)
    board = ask(state, next(cell.draft for cell in cells(board) if cell.act == "privilege"))
    assert [piece.word for piece in board.decision.staged] == ["privilege"]
    assert step(board, "privilege").state == "done"
    board = ask(state, next(cell.draft for cell in cells(board) if cell.act == "take"))
    assert (board.decision.effect.next, board.decision.effect.excess) == ("return", 2)
    board = ask(state, board.decision.onward)
    assert (board.decision.doing, board.decision.to_give) == ("return", 2)
    while board.decision.to_give:
        board = ask(state, next(give.more for give in board.decision.gives if give.more))
    moves = board.decision.confirm.split(";")
    assert [move.partition(" ")[0] for move in moves] == ["privilege", "take", "return"]
    assert board.number == state.number
    for move in moves:
        state = RULES.apply(state, RULES.parse(move)).state


def test_two_ends_choose_the_line_between_them():
    state = lying("wug.." + "....." * 4)
    assert chosen(ask(state, "take a1")) == ["a1"]
    assert cell(ask(state, "take a1"), "a3").draft == "take a1 a2 a3"
    assert chosen(ask(state, "take a3 a1")) == ["a1", "a2", "a3"]
    assert ask(state, "take a3 a1").line == Line(10, 10, 50, 10)


def test_a_further_click_gives_a_space_up():
    board = ask(lying("wug.." + "....." * 4), "take a1 a2 a3")
    assert {name: cell(board, name).draft for name in ("a1", "a2", "a3")} == {
        "a1": "take a2 a3",
        "a2": "take a1",
        "a3": "take a1 a2",
    }
    assert cell(ask(lying("w...." + "....." * 4), "take a1"), "a1").draft == ""


@pytest.mark.parametrize(
    ("board", "taking", "space", "code", "by"),
    [
        ("wugw." + "....." * 4, "a1 a2 a3", "a4", "full", ""),
        ("w.g.." + "....." * 4, "a1", "a3", "gap", "a2"),
        ("w*g.." + "....." * 4, "a1", "a3", "gap", "a2"),
        ("wu..." + "..r.." + "....." * 3, "a1 a2", "b3", "crooked", ""),
        ("wu..." + "....." * 3 + "....r", "a1", "e5", "crooked", ""),
        ("wu*.." + "....." * 4, "a1 a2", "a3", "gold", ""),
        ("wu*.." + "....." * 4, "", "a3", "gold", ""),
    ],
)
def test_why_a_space_is_refused(board, taking, space, code, by):
    state = lying(board)
    before = ask(state, f"take {taking}")
    assert cell(before, space).act == "refuse"
    after = ask(state, cell(before, space).draft)
    refused = after.decision.refused
    assert (refused.code, refused.space, refused.by) == (code, space, by)
    assert chosen(after) == taking.split()
    assert refused.instead == (None if code == "gold" else f"take {space}")


def test_gold_is_chosen_where_there_is_a_choice():
    one, two = lying("*wu.." + "....." * 4), lying("*wu*." + "....." * 4)
    card = one.pyramid[1][0]
    assert ask(one, "").card(card).reserve == f"reserve {card} a1"
    board = ask(two, ask(two, "").card(card).reserve)
    assert board.card(card).staged
    assert not board.decision.confirm
    assert {cell.name: cell.draft for cell in cells(board) if cell.act} == {
        "a1": f"reserve {card} a1",
        "a4": f"reserve {card} a4",
    }
    assert ask(two, f"reserve {card} a4").decision.confirm == f"reserve {card} a4"
    assert {level.deck.draft for level in board.levels} == {"reserve L1", "reserve L2", "reserve L3"}


def test_payments_are_all_the_ways_to_pay():
    state = max(positions(), key=lambda state: max((len(ways) for ways in purchases(state).values()), default=0))
    card, ways = max(purchases(state).items(), key=lambda item: len(item[1]))
    board = ask(state, ask(state, "").card(card).buy)
    assert board.decision.confirm == str(ways[0])
    board = ask(state, board.decision.change)
    assert board.decision.choosing
    assert not board.decision.confirm
    assert [payment.draft for payment in board.decision.payments] == [str(way) for way in ways]
    assert [payment.default for payment in board.decision.payments] == [True] + [False] * (len(ways) - 1)


def test_a_warning_is_given_exactly_when_the_opponent_gains_a_privilege():
    seen = set()
    for state in positions():
        for action in RULES.legal_actions(state):
            if isinstance(action, Take | Replenish):
                effect = ask(state, str(action)).decision.effect
                gained = RULES.apply(state, action).state.players[1 - state.seat].privileges
                assert bool(effect.gift) == (gained > state.opponent.privileges)
                seen.add((action.word, effect.gift))
    assert {("take", ""), ("take", "board"), ("replenish", "board")} <= seen


@pytest.mark.parametrize(("above", "mine", "gift"), [(1, 1, "board"), (0, 1, "mine"), (0, 0, "")])
def test_where_the_opponent_gains_a_privilege_from(above, mine, gift):
    state = lying("www.." + "....." * 4)
    players = (
        dataclasses.replace(state.player, privileges=mine),
        dataclasses.replace(state.opponent, privileges=3 - above - mine),
    )
    state = dataclasses.replace(state, players=players, privileges=above)
    assert step(ask(state, ""), "replenish").gift == gift
    assert ask(state, "take a1 a2 a3").decision.effect.gift == gift


def test_steps_open_as_the_rules_allow():
    for state in positions():
        steps = {step.name: step for step in ask(state, "").decision.steps}
        words = {action.word for action in RULES.legal_actions(state)}
        if state.phases[0] in (Phase.TURN, Phase.MANDATORY):
            assert bool(steps["privilege"].draft) == ("privilege" in words)
            assert bool(steps["replenish"].draft) == ("replenish" in words)
            assert (steps["replenish"].state == "done") == (state.phases[0] == Phase.MANDATORY)
        else:
            assert steps == {}


def test_states_and_prices_are_right():
    states = set()
    for state in positions():
        if state.phases[0] != Phase.TURN:
            continue
        board, affordable = ask(state, ""), purchases(state)
        hand = [held.card for held in state.player.reserved]
        for card in [*(card for row in state.pyramid for card in row if card), *hand]:
            face = board.card(card)
            states.add(face.mine.state)
            assert (face.mine.state in ("buy", "gold")) == (card in affordable)
            due = price(CARDS[card], state.player.bonuses)
            assert {price.kind: price.mine for price in face.cost} == {
                kind: number for kind, number, printed in zip(KINDS, due, CARDS[card].cost, strict=False) if printed
            }
            assert face.free == (not any(due))
            assert face.slot == "" if card in hand else face.slot.startswith(f"T{card[0]}-")
            if card in affordable:
                assert face.mine.gold == affordable[card][0].paid[-1]
            if face.mine.state == "short":
                assert 0 < face.mine.short <= sum(due)
            if face.mine.state == "joker":
                assert CARDS[card].joker
                assert not state.player.colours
    assert states == {"buy", "gold", "short", "joker"}


def test_one_token_short_is_named():
    state = lying("w...." + "....." * 4)
    card = "1-white-04"  # three blue
    held = tokens.parse("uu", KINDS)
    player = dataclasses.replace(state.player, tokens=held)
    state = dataclasses.replace(state, players=(player, state.opponent), pyramid=((card,), (), ()))
    mine = ask(state, "").card(card).mine
    assert (mine.state, mine.short, mine.kind, mine.gem) == ("short", 1, "u", "blue")


def test_the_board_shows_what_lies_there():
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


def test_what_the_other_seat_did_leaves_traces():
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


@pytest.mark.parametrize("phase", Phase)
def test_every_action_is_reached_in_the_page(phase):
    """As above, through the links and forms of the templates."""
    state = next(state for state in positions() if state.phases[0] == phase)
    confirmable, drafts, seen = set(), [""], {""}
    while drafts:
        page = drawn(ask(state, drafts.pop()))
        moves = set(re.findall(r'name="moves"\s+value="([^"]*)"', page))
        assert len(moves) <= 1
        confirmable |= moves
        targets = [parse_qs(urlsplit(unescape(link)).query) for link in re.findall(r'href="/t([^"]*)"', page)]
        # Staged decisions are another position; why a space is refused leads nowhere.
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


def test_the_sheet_of_a_card():
    for state in positions()[::10]:
        board = ask(state, "")
        for card in [card for row in state.pyramid for card in row if card]:
            page = drawn(board, sheet=board.card(card))
            assert 'role="dialog"' in page
            assert ("Buy for" in page) == bool(board.card(card).buy and board.card(card).payment)


def test_nonsense_is_an_empty_draft():
    for state in positions():
        for text in ("", "x", "take", "take z9", "buy", "buy x", "reserve L9", "return q", "royal x", "match ;"):
            assert not ask(state, text.replace(";", "")).decision.confirm


# --- what the tests are made with ---


def ask(state, draft):
    """The board of the seat to act for that draft: what stands before the last `;` is tried out."""
    *staged, piece = draft.split(";")
    before = RULES.observe(state, state.seat)
    seat = state.seat
    for notation in staged:
        step = RULES.apply(state, RULES.parse(notation))
        assert not step.reveals
        state = step.state
    legal = RULES.all_actions(state) if state.to_act == seat else []
    return build(RULES.observe(state, seat), legal, staged, piece, before)


def drawn(board, sheet=None):
    people = [{"name": "Ana"}, {"name": "Ben"}]
    context = {"board": board, "people": people, "table_url": "/t", "post_url": "/p", "sheet": sheet, "at": None}
    return render_to_string("games/duel/board.jinja", {**context, "csrf_token": "x"}, using="jinja")


def walk(value):
    """The fields of dataclasses within dataclasses, by name; without spaces that only tell why they are refused."""
    if dataclasses.is_dataclass(value) and getattr(value, "act", "") != "refuse":
        for field in dataclasses.fields(value):
            yield field.name, getattr(value, field.name)
            yield from walk(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield "", item
            yield from walk(item)


def links(board):
    return {value for name, value in walk(board) if name in LINKS and isinstance(value, str)}


def texts(board):
    return (value for _, value in walk(board) if isinstance(value, str))


def cells(board):
    return [cell for row in board.rows for cell in row]


def cell(board, name):
    return next(cell for cell in cells(board) if cell.name == name)


def chosen(board):
    return [cell.name for cell in cells(board) if cell.chosen]


def step(board, name):
    return next(step for step in board.decision.steps if step.name == name)


def purchases(state):
    """The legal purchases by card, the default payment first."""
    ways: dict[str, list[Buy]] = {}
    for action in RULES.all_actions(state):
        if isinstance(action, Buy):
            ways.setdefault(action.card, []).append(action)
    return ways


def lying(board):
    """An opening position with other tokens on the board, and some in the bag."""
    return dataclasses.replace(RULES.initial(2, bytes(32)), board=board, bag=tokens.parse("wugrk", KINDS))


@cache
def positions():
    """Positions of random games in which cards are bought when they can be, of each phase alike many."""
    found: dict[Phase, list[State]] = {phase: [] for phase in Phase}
    rng, game = Random(5), 0
    while any(len(states) < A_PHASE for states in found.values()):
        game += 1
        assert game < 400, {phase: len(states) for phase, states in found.items()}
        state = RULES.initial(2, game.to_bytes(32, "big"))
        while state.to_act is not None and state.number < 150:
            pool = found[state.phases[0]]
            if len(pool) < A_PHASE and rng.random() < (0.1 if state.phases[0] == Phase.TURN else 0.6):
                pool.append(state)
            options = RULES.legal_actions(state)
            buys = [action for action in options if isinstance(action, Buy)]
            state = RULES.apply(state, rng.choice(buys if buys and rng.random() < 0.7 else options)).state
    return tuple(state for states in found.values() for state in states)
