import dataclasses
import re

import pytest

from games.boards.duel.parts import Line
from games.rules import tokens
from games.rules.duel.actions import Replenish, Take
from games.rules.duel.cards import KINDS, SPACES
from games.rules.duel.state import Phase
from tests.boards.duel import RULES, ask, cell, cells, chosen, drawn, links, lying, positions, purchases, step


def test_links_reach_every_legal_action_and_no_other():
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


def test_the_positions_cover_every_phase():
    assert {state.phases[0] for state in positions()} == set(Phase)


def test_a_whole_turn_fits_in_one_draft():
    """Privilege, take, return: the links lead to a draft of the whole turn, which can be confirmed at once."""
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
    while not (board.decision.piece and board.decision.piece.action):
        board = ask(state, next(give.tap for give in board.decision.gives if give.left))
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


def test_another_click_drops_a_space():
    board = ask(lying("wug.." + "....." * 4), "take a1 a2 a3")
    assert {name: cell(board, name).draft for name in ("a1", "a2", "a3")} == {
        "a1": "take a2 a3",
        "a2": "take a1",
        "a3": "take a1 a2",
    }
    assert cell(ask(lying("w...." + "....." * 4), "take a1"), "a1").draft == ""


def test_a_started_line_shows_which_tokens_can_join_it():
    state = lying("wug*." + "wu..." + "..r.." + "....." * 2)
    joins = {
        "": set(),
        "take a1": {"a2", "a3", "b1", "b2", "c3"},
        "take a1 a2": {"a3"},
        "take a1 a2 a3": set(),
        "privilege a2": set(),
    }
    state = dataclasses.replace(state, players=(dataclasses.replace(state.player, privileges=1), state.opponent))
    for draft, names in joins.items():
        board = ask(state, draft)
        page = drawn(board)
        assert {cell.name for cell in cells(board) if cell.joins} == names
        assert set(re.findall(r'act-take can-join"\s+data-touch="(..)"', page)) == names
        assert ("is-line" in page) == draft.startswith("take")
        lines = [set(action.spaces) for action in RULES.all_actions(state) if isinstance(action, Take)]
        begun = {SPACES.index(name) for name in chosen(board)} if draft.startswith("take") else set()
        assert {SPACES[space] for line in lines if begun and begun < line for space in line - begun} == names


def test_gold_says_that_it_comes_only_with_a_reserved_card():
    page = drawn(ask(lying("wug*." + "....." * 4), "take a1"))
    assert "a4, gold, comes only with a reserved card" in page
    assert "a4, gold, can’t join" not in page
    card = lying("wug**" + "....." * 4).pyramid[0][0]
    assert "a4, gold, take with the reserved card" in drawn(ask(lying("wug**" + "....." * 4), f"reserve {card}"))


def test_undo_takes_back_the_space_touched_last_or_the_last_decision():
    state = lying("wug.*" + "....." * 3 + "....*")
    state = dataclasses.replace(state, players=(dataclasses.replace(state.player, privileges=1), state.opponent))
    card = state.pyramid[0][0]
    undone = {
        "": None,
        "take a1 a2 a3": "take a1 a2",
        "take a1 a3": "take a1 a2",
        "take a1": "",
        "privilege a2": "privilege",
        "privilege": "",
        "privilege a2;": "privilege",
        "privilege a2;take a1": "privilege a2;",
        f"reserve {card} a5": f"reserve {card}",
        f"reserve {card}": "",
        "replenish": "",
    }
    assert {draft: ask(state, draft).decision.undo for draft in undone} == undone
    one = lying("wug.*" + "....." * 4)
    assert ask(one, f"reserve {one.pyramid[0][0]} a5").decision.undo == ""
    rich = dataclasses.replace(state.player, tokens=tokens.parse("wwuuggrrk", KINDS))
    state = dataclasses.replace(state, players=(rich, state.opponent))
    assert ask(state, "take a1 a2 a3;").decision.undo == "take a1 a2"
    assert ask(state, "take a1 a2 a3;return wu").decision.undo == "take a1 a2 a3;return w"
    assert ask(state, "take a1 a2 a3;return w").decision.undo == "take a1 a2 a3;"


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
def test_a_refused_space_is_explained(board, taking, space, code, by):
    state = lying(board)
    before = ask(state, f"take {taking}")
    assert cell(before, space).act == "refuse"
    after = ask(state, cell(before, space).draft)
    refused = after.decision.refused
    assert (refused.code, refused.space, refused.by) == (code, space, by)
    assert chosen(after) == taking.split()
    assert refused.instead == (None if code == "gold" else f"take {space}")


def test_gold_is_chosen_if_there_is_a_choice():
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
    assert {level.deck.reserve for level in board.levels} == {"reserve L1", "reserve L2", "reserve L3"}


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


@pytest.mark.parametrize(("above", "mine", "gift"), [(1, 1, "board"), (0, 1, "mine"), (0, 0, "")])
def test_the_warning_stays_while_tokens_are_returned(above, mine, gift):
    state = lying("www.." + "....." * 4)
    player = dataclasses.replace(state.player, tokens=tokens.parse("uuggrrkk*", KINDS), privileges=mine)
    rich = dataclasses.replace(state.opponent, privileges=3 - above - mine)
    state = dataclasses.replace(state, players=(player, rich), privileges=above)
    for draft in ("take a1 a2 a3;", "take a1 a2 a3;return ww"):
        board = ask(state, draft)
        assert board.decision.gift == gift
        assert ("Three of one kind:" in drawn(board)) == bool(gift)


def test_only_steps_that_the_rules_allow_are_open():
    for state in positions():
        steps = {step.name: step for step in ask(state, "").decision.steps}
        words = {action.word for action in RULES.legal_actions(state)}
        if state.phases[0] in (Phase.TURN, Phase.MANDATORY):
            assert bool(steps["privilege"].draft) == ("privilege" in words)
            assert bool(steps["replenish"].draft) == ("replenish" in words)
            assert (steps["replenish"].state == "done") == (state.phases[0] == Phase.MANDATORY)
        else:
            assert steps == {}


def test_nonsense_is_an_empty_draft():
    for state in positions():
        for text in ("", "x", "take", "take z9", "buy", "buy x", "reserve L9", "return q", "royal x", "match ;"):
            assert not ask(state, text.replace(";", "")).decision.confirm
