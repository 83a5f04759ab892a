"""The choices as data: a browser can stage every legal decision from them, and they reveal no more than the page."""

import gzip
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import msgspec
import pytest

from games.boards.common import Board
from games.catalogue import TITLES
from games.rules import tokens
from games.rules.base import Action
from games.rules.splendor.cards import KINDS
from games.rules.splendor.state import Phase
from games.rules.trade import LIMIT
from games.wording import choices
from games.wording.choices import Choices
from tests.boards import duel
from tests.boards import splendor as splendors

Look = Callable[[Any, str], Board]

BOARDS: dict[str, tuple[Look, list[Any]]] = {
    "splendor": (splendors.look, splendors.positions()),
    "duel": (duel.ask, list(duel.positions())),
}
ID = re.compile(r"\b[123]-(?:white|blue|green|red|black|wild|none)-\d\d\b")
LARGEST = 4096
"""The maximum size in compressed bytes."""
parametrize = pytest.mark.parametrize("slug", BOARDS)


def read(slug: str, board: Board) -> Choices:
    return msgspec.json.decode(choices.dump(slug, board), type=Choices)


@cache
def drafts(slug: str) -> list[tuple[Any, str]]:
    """Positions with their empty draft, and with drafts that stage a first decision."""
    look, positions = BOARDS[slug]
    found = [(state, "") for state in positions[::2]]
    for state in positions[::3]:
        onward = (look(state, option.moves).decision.onward for option in look(state, "").options)  # type: ignore[attr-defined]
        found += [(state, draft) for draft in sorted(filter(None, onward))[:3]]
    return found


def legal(slug: str, state: Any, staged: str) -> list[Action[Any]]:
    ruleset = TITLES[slug].ruleset
    for notation in filter(None, staged.split(";")):
        state = ruleset.apply(state, ruleset.parse(notation)).state
    return ruleset.all_actions(state)


@parametrize
def test_choices_are_the_legal_actions_after_the_staged_ones(slug: str) -> None:
    look, _ = BOARDS[slug]
    staged = 0
    for state, draft in drafts(slug):
        said = read(slug, look(state, draft))
        assert (said.number, said.draft) == (state.number, draft)
        assert [choice.moves for choice in said.choices] == [f"{draft}{action}" for action in legal(slug, state, draft)]
        staged += bool(draft)
    assert staged > 5


@parametrize
def test_touched_controls_identify_a_choice(slug: str) -> None:
    look, _ = BOARDS[slug]
    for state, draft in drafts(slug):
        said = read(slug, look(state, draft)).choices
        assert len({(tuple(sorted(choice.touches)), choice.payment) for choice in said}) == len(said)
        default = {choice.touches: choice.payment for choice in reversed(said)}
        for choice in said:
            if choice.payment:
                assert default[choice.touches].count("*") <= choice.payment.count("*")


@parametrize
def test_choices_have_the_words_of_the_button(slug: str) -> None:
    look, _ = BOARDS[slug]
    say = import_module(f"games.wording.{slug}_board").confirm_words
    for state, draft in drafts(slug)[::4]:
        for choice in read(slug, look(state, draft)).choices:
            board = look(state, choice.moves)
            assert board.decision.confirm == choice.moves
            if choice.words:
                assert choice.words == say(board.decision.pieces)  # type: ignore[attr-defined]
                assert choice.words[0].isupper()
            else:
                assert look(state, choice.draft or choice.moves).decision.onward or choice.draft.endswith(";")  # type: ignore[attr-defined]


def test_a_decision_follows_in_duel_exactly_if_the_rules_say_so() -> None:
    """The board tries out only one of several equivalent actions."""
    counts = Counter[tuple[str, bool]]()
    for state, draft in drafts("duel"):
        board = duel.ask(state, draft)
        for notation in filter(None, draft.split(";")):
            state = duel.RULES.apply(state, duel.RULES.parse(notation)).state
        for action, option in zip(duel.RULES.all_actions(state), board.options, strict=True):
            step = duel.RULES.apply(state, action)
            follows = step.state.to_act == board.seat and not step.reveals
            assert option.follows == follows, option.moves
            counts[action.word, follows] += 1
    assert {("take", True), ("privilege", True)} <= set(counts)
    assert {(word, False) for word in ("take", "reserve", "buy", "return")} <= set(counts), counts


@parametrize
def test_only_the_seat_to_act_has_choices_and_they_name_only_visible_cards(slug: str) -> None:
    look, positions = BOARDS[slug]
    title = TITLES[slug]
    for state in positions[::2]:
        for reader in (None, *range(len(state.players))):
            if reader != state.to_act:
                assert read(slug, title.board(title.ruleset.observe(state, reader), [], [], "")).choices == []
        text = choices.dump(slug, look(state, "")).decode()
        assert set(ID.findall(text)) <= set(ID.findall(str(title.ruleset.observe(state, state.to_act))))


@parametrize
def test_no_text_ends_the_script_element_of_the_choices(slug: str) -> None:
    look, [state, *_] = BOARDS[slug]
    board: Any = look(state, "")
    text = choices.embedded(slug, replace(board, draft="</script><script>alert(1)"))
    assert "<" not in text
    assert msgspec.json.decode(text.encode(), type=Choices).draft == "</script><script>alert(1)"


@parametrize
def test_choices_are_small(slug: str) -> None:
    look, positions = BOARDS[slug]
    assert max(len(gzip.compress(choices.dump(slug, look(state, "")))) for state in positions[::2]) <= LARGEST


def test_choices_are_small_with_the_most_ways_to_return() -> None:
    """The player returns three of thirteen tokens, which are of six kinds."""
    state = splendors.RULES.initial(2, bytes(32))
    player = replace(state.player, tokens=tokens.parse("wwuuggrrkk***", KINDS))
    state = replace(state, players=(player, *state.players[1:]), phases=(Phase.RETURN,))
    board = splendors.look(state)
    assert sum(player.tokens) == LIMIT + 3
    assert len(board.options) > 40
    assert len(gzip.compress(choices.dump("splendor", board))) <= LARGEST
