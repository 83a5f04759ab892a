"""Following the links of a table, without script, reaches exactly the legal actions."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move
from games.rules.base import Ruleset
from tests.factories import BATCHES, QUOTAS, SPECIAL, As, deal, kind, person, positions, put

LINK = re.compile(r'<a\s[^>]*?href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
FORM = re.compile(r'<form method="post" action="([^"]*)"[^>]*>(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'<input type="hidden" name="(number|moves)" value="([^"]*)">')
REFUSES = "show why"
"""The words of a link on a token that only explains a refusal."""
DEEP = 10
"""In every tenth position the crawler also opens the sheets of cards and reads refusals."""
MANY = 20
"""In positions with more legal actions the crawler opens hundreds of pages."""
SLICES = 10
"""Each batch of positions is divided among this many seeds."""


class Crawl:
    """Follows each link of a table once, from a draft of staged decisions."""

    def __init__(self, client: Client, game: Game, staged: str = "", deep: bool = False) -> None:
        self.client, self.game, self.staged, self.deep = client, game, staged, deep
        self.address = reverse("table", args=[game.key])
        self.moves: set[str] = set()
        """The drafts that could be confirmed."""
        start = (staged, "")
        self.seen, waiting = {start}, [start]
        while waiting:
            target = waiting.pop()
            # The decisions after a staged one belong to another position.
            first, more, _ = target[0].removeprefix(staged).partition(";")
            if more and first in self.firsts:
                continue
            page = self._page(*target)
            news = {link for link in self._links(page, target[0]) if link[0].startswith(staged)} - self.seen
            self.seen |= news
            waiting += sorted(news)

    @property
    def firsts(self) -> set[str]:
        """The decisions that could be confirmed first after the staged ones."""
        begun = len(self.staged)
        return {moves[begun:].partition(";")[0] for moves in self.moves if moves.startswith(self.staged)}

    @property
    def onward(self) -> set[str]:
        """Drafts that stage one decision."""
        return {draft for draft, _ in self.seen if draft.endswith(";") and draft.count(";") == 1}

    def _page(self, draft: str, card: str) -> str:
        query = {name: text for name, text in (("draft", draft), ("card", card)) if text}
        response = self.client.get(self.address, query)
        assert response.status_code == 200
        page = re.sub("<template.*?</template>", "", response.content.decode(), flags=re.DOTALL)
        for action, fields in FORM.findall(page):
            if action == self.address:
                values = dict(FIELD.findall(fields))
                assert values["number"] == str(self.game.number)
                self.moves.add(unescape(values["moves"]))
        return page

    def _links(self, page: str, draft: str) -> Iterator[tuple[str, str]]:
        for href, words in LINK.findall(page):
            parts = urlsplit(urljoin(self.address, unescape(href)))
            query = dict(parse_qsl(parts.query))
            card = query.get("card", "")
            ours = not parts.netloc and parts.path == self.address and query.keys() <= {"draft", "card"}
            # Without a staged decision, sheets lead to the same drafts as the table, and refusals lead nowhere, so a
            # sample is enough.
            if card:
                follow = draft == self.staged and bool(self.deep or self.staged)
            else:
                follow = REFUSES not in words or (self.deep and len(draft.split()) <= 2)
            if ours and follow:
                yield query.get("draft", ""), card


def notations(ruleset: Ruleset[Any, Any], state: Any) -> set[str]:
    return {str(action) for action in ruleset.all_actions(state)}


def typical(title: str, batch: int, seed: int) -> tuple[int, Any]:
    """The place and state of a position of the seed's kind that has few enough legal actions, from that batch or the
    next one that has any."""
    again, number = divmod(seed, len(QUOTAS[title]))
    what, ruleset = list(QUOTAS[title])[number], TITLES[title].ruleset
    few: list[tuple[int, Any]] = []
    while not few:
        found = [(place, state) for place, state in enumerate(positions(title, batch)) if kind(title, state) == what]
        few = [each for each in found if len(ruleset.all_actions(each[1])) <= MANY]
        batch += 1
    few.sort(key=lambda each: len(ruleset.all_actions(each[1])))
    return few[(len(few) // 2 - again) % len(few)]


@pytest.fixture
def people(alice: User, bob: User) -> list[User]:
    return [alice, bob, person("clara"), person("dan")]


@pytest.mark.slow
@pytest.mark.repeated(BATCHES * SLICES)
@pytest.mark.parametrize("title", TITLES)
def test_links_lead_to_exactly_the_legal_actions(
    request: pytest.FixtureRequest, title: str, seed: int, as_: As, people: list[User]
) -> None:
    """The long form tests a slice of a batch; the short form tests one position, whose kind follows from the seed."""
    ruleset = TITLES[title].ruleset
    games = {seats: deal(title, people[:seats], seats) for seats in ruleset.seats}
    batch, first = divmod(seed, SLICES)
    if request.config.option.long:
        chosen = list(enumerate(positions(title, batch)))[first::SLICES]
    else:
        chosen = [typical(title, batch, seed)]
    for place, state in chosen:
        game = games[len(state.players)]
        put(game, state)
        client = as_(game.seat_set.get(index=state.to_act).user)
        crawl = Crawl(client, game, deep=place % DEEP == 0)
        assert crawl.firsts == notations(ruleset, state)
        steps = {moves: ruleset.apply_all(state, moves.split(";")) for moves in crawl.moves}

        # The second decisions of a draft, for each phase that can follow the first.
        following = {}
        for staged in sorted(crawl.onward):
            after = ruleset.apply(state, ruleset.parse(staged[:-1])).state
            following[after.phases[0]] = (staged, after)
        for staged, after in following.values():
            assert Crawl(client, game, staged).firsts == notations(ruleset, after)

        moves = max(crawl.moves, key=len)
        assert client.post(crawl.address, {"number": game.number, "moves": moves}).status_code == 302
        played = Move.objects.filter(game=game).order_by("number").values_list("notation", flat=True)
        assert list(played) == [str(step.played[0]) for step in steps[moves]]


@pytest.mark.parametrize("batches", [2, pytest.param(BATCHES, marks=pytest.mark.long)])
def test_the_positions_cover_every_kind_and_stage(batches: int) -> None:
    for title, quotas in QUOTAS.items():
        ruleset = TITLES[title].ruleset
        assert set(quotas) - set(SPECIAL) == set(map(str, ruleset.actions))
        states = [state for batch in range(batches) for state in positions(title, batch)]
        kinds = Counter(kind(title, state) for state in states)
        assert (len(states), kinds) == (20 * batches, {what: batches * quota for what, quota in quotas.items()})
        assert min(Counter(len(state.players) for state in states)[seats] for seats in ruleset.seats) >= 3 * batches
        assert min(Counter(state.number // 25 for state in states)[stage] for stage in range(4)) >= 2 * batches
