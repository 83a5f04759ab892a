"""The legend explains every sign on the boards: a new symbol, figure or frame needs an entry."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.test import Client
from jinja2 import meta, nodes

from games import wording
from games.catalogue import TITLES
from tests.boards import duel as duels
from tests.boards import splendor as splendors

BOARDS: dict[str, tuple[Any, Any]] = {
    "splendor": (splendors.look, splendors.positions()),
    "duel": (duels.ask, duels.positions()),
}
WITHOUT = {
    "#filigree", "#spiral", "#mark",  # ornaments
    "#i-close", "#i-next",  # the buttons say what they do
    ".bag", ".card-state", ".grow", ".pay", ".pay-choices", ".privileges", ".seat-foot", ".seat-note",
    ".seat-privileges",
    ".is-apart",  # words stand beside these
    ".is-far",  # looks like any card
}  # fmt: skip
"""The signs that need no entry."""
ELSEWHERE = {"splendor": {"#i-link"}, "duel": {"#i-flag"}}
"""For each title, the symbols that shared templates draw only for the other title."""
FAMILY = re.compile(r"^([#.](?:art|back|crest|seal|trace))-.*")
WORD = re.compile(r"(?![IV]+\b)[^\W\d_]{2}")


class Signs(HTMLParser):
    """The signs of a page: symbols as `#i-flag`, figures by the class around them as `.purse`, and the frames of cards
    and spaces as `.is-buy`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.open: list[tuple[str, list[str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        classes = facts.get("class", "").split()
        if tag == "use":
            self._add("#" + facts["href"].partition("#")[2])
        elif {"card", "cell"} & {*classes}:
            for name in classes:
                if re.match("(is|can|trace)-", name):
                    self._add("." + name)
        if tag != "input":
            self.open.append((tag, classes))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        around = [name for _tag, classes in self.open for name in classes[:1] if not re.match("is-|narrow-", name)]
        if data.strip() and not WORD.search(data) and around and "visually-hidden" not in around:
            self._add("." + around[-1])

    def _add(self, sign: str) -> None:
        self.found.add(FAMILY.sub(r"\1", sign))


def legend(slug: str) -> set[str]:
    page = Client().get(f"/help/{slug}/").content.decode()
    return Signs(page[page.index('<div class="legend"') : page.index("<footer")]).found


def drawings(name: str, read: set[str]) -> Iterator[str]:
    """The symbols that the template and those it includes can draw."""
    if name in read:
        return
    read.add(name)
    env = engines["jinja"].env  # type: ignore[attr-defined]
    tree = env.parse(env.loader.get_source(env, name)[0])
    for call in tree.find_all(nodes.Filter):
        if call.name == "drawing" and call.node:
            constants = [call.node] if isinstance(call.node, nodes.Const) else call.node.find_all(nodes.Const)
            yield from (str(constant.value) for constant in constants if "-" in str(constant.value))
    for other in meta.find_referenced_templates(tree):
        if other:
            yield from drawings(other, read)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", TITLES)
def test_every_drawing_of_the_board_is_in_the_legend(slug: str) -> None:
    signs = {FAMILY.sub(r"\1", "#" + name) for name in drawings(f"{TITLES[slug].templates}/board.jinja", set())}
    assert len(signs) > 5
    assert signs - WITHOUT - ELSEWHERE.get(slug, set()) <= legend(slug)


@pytest.mark.parametrize("slug", TITLES)
def test_every_drawing_of_the_board_has_a_name(slug: str) -> None:
    drawn = {f"#{name}" for name in drawings(f"{TITLES[slug].templates}/board.jinja", set())}
    named = {f"#{name}" for name in wording.signs(slug)}
    assert {re.sub(r"-(\d|%d)$", "", name) for name in drawn} - WITHOUT - ELSEWHERE.get(slug, set()) <= named


@pytest.mark.django_db
@pytest.mark.parametrize("slug", BOARDS)
def test_every_figure_and_frame_of_the_board_is_in_the_legend(slug: str) -> None:
    ask, states = BOARDS[slug]
    explained, shown = legend(slug) | WITHOUT, set()
    for number, state in enumerate(states[::6]):
        options = ask(state, "").options
        for draft in ("", options[number % len(options)].draft.removesuffix(";")):
            context = {"board": ask(state, draft), "people": splendors.PEOPLE, "table_url": "/t", "at": None}
            found = Signs(render_to_string(f"{TITLES[slug].templates}/board.jinja", context, using="jinja")).found
            assert found <= explained, draft
            shown |= found
    assert {".is-buy", ".is-short", ".purse", "#gem-gold", "#i-check", "#art"} <= shown
