"""Controls found by role and name reach the confirmation of every legal action, and the confirmation describes it."""

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Locator, Page

from accounts.models import User
from games.catalogue import TITLES
from games.rules.base import Ruleset
from games.rules.duel.cards import KINDS, SPACES
from games.rules.hand import DECKS
from games.wording import duel, duel_board, phrases, splendor_board
from tests.browser.keys import LONG, PageOf, is_idle
from tests.factories import BATCHES, QUOTAS, deal, kind, person, positions, put

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SAMPLE = {
    "splendor": {"main": 3, "payment": 2, "return": 3, "noble": 2},
    "duel": dict.fromkeys(QUOTAS["duel"], 1) | {"return": 2},
}
"""The number of positions of each kind, ten per title. The long form tries all their actions. In the first position of
each kind, the short form tries one action with each word, and at least two actions."""
ACTIONS, LEAST = 12, 2
"""The approximate number of legal actions in each position, and the minimum number that the short form tries."""
FEW = 2
"""The number of batches from which the short form takes its positions."""
OPEN = ("main", "turn", "mandatory")


def sample(title: str, what: str, batches: int) -> list[Any]:
    """The positions of that kind to try, from that many batches."""
    found = [state for batch in range(batches) for state in positions(title, batch) if kind(title, state) == what]
    found.sort(key=lambda state: abs(len(TITLES[title].ruleset.all_actions(state)) - ACTIONS))
    return found[: SAMPLE[title][what]]


def tried() -> Iterator[Any]:
    """Title, kind, index in the sample, and whether all actions are tried."""
    for title, kinds in SAMPLE.items():
        for what, number in kinds.items():
            yield title, what, 0, False
            yield from (pytest.param(title, what, place, True, marks=LONG) for place in range(number))


class Board:
    """The table of a title for the player to act; finds controls by name, never by style."""

    ruleset: ClassVar[Ruleset[Any, Any]]
    card_name: ClassVar[Any]

    def __init__(self, page: Page) -> None:
        self.page = page

    def follow(self, link: Locator) -> None:
        here = self.page.url
        link.click()
        self.page.wait_for_url(lambda url: url != here)
        is_idle(self.page)

    def link(self, name: str, more: str = "[,:;]") -> None:
        """Follow the link with that name; the pattern may match its continuation."""
        self.follow(self.page.get_by_role("link", name=re.compile(rf"^{re.escape(name)}($|{more})")))

    def choose(self, state: Any, notation: str) -> None:
        """Touch the controls that the decision needs."""
        word, _, rest = notation.partition(" ")
        getattr(self, word.replace("return", "give_back"))(state, rest)

    def reserve(self, state: Any, target: str) -> None:
        if target in DECKS:
            self.link(f"reserve blind the top card of the level {DECKS[target]} deck", ",")
        else:
            self.link(f"Reserve {slot(state, target)}")

    def buy(self, state: Any, purchase: str) -> None:
        card, _, paid = purchase.partition(" = ")
        if slot(state, card):
            self.follow(self.page.get_by_role("link", name=re.compile(rf"^(Buy|uses \d gold) {slot(state, card)}$")))
        else:
            self.follow(self.page.get_by_role("region", name="You").get_by_role("link", name=self.name(state, card)))
            self.follow(self.page.get_by_role("dialog").get_by_role("link", name=re.compile("^Buy ")))
        if f"buy {purchase}" not in map(str, self.ruleset.legal_actions(state)):
            self.link("Change payment")
            self.link(phrases.tokens(paid), r" \d")

    def name(self, state: Any, card: str) -> str:
        board = TITLES[self.ruleset.slug].board(self.ruleset.observe(state, state.to_act), [], [], "")
        return str(self.card_name(board.card(card)))


class SplendorBoard(Board):
    ruleset = TITLES["splendor"].ruleset
    card_name = staticmethod(splendor_board.card_name)

    def take(self, state: Any, gems: str) -> None:
        for gem in gems:
            self.link(phrases.tokens(gem))

    def give_back(self, state: Any, gems: str) -> None:
        for gem in gems:
            self.link(f"Return {phrases.tokens(gem)}")

    def noble(self, state: Any, noble: str) -> None:
        self.follow(self.page.get_by_role("link", name=splendor_board.noble_name(noble)))

    def onward(self) -> None:
        """The page asks for the next decision at once."""

    def words(self, decisions: list[tuple[Any, str]]) -> str:
        return " → ".join(self._words(state, *notation.split(" ", 1)) for state, notation in decisions)

    def _words(self, state: Any, word: str, rest: str) -> str:
        if word == "reserve":
            return f"Reserve from level {DECKS[rest]}" if rest in DECKS else f"Reserve {slot(state, rest)}"
        if word == "buy":
            card, _, paid = rest.partition(" = ")
            return f"Buy {slot(state, card) or 'your reserved card'} for " + (
                "free" if paid == "-" else phrases.tokens(paid)
            )
        return (
            f"Welcome {splendor_board.noble_name(rest)}"
            if word == "noble"
            else f"{word.title()} {phrases.tokens(rest)}"
        )


class DuelBoard(Board):
    ruleset = TITLES["duel"].ruleset
    card_name = staticmethod(duel_board.face_name)

    def space(self, state: Any, name: str) -> None:
        self.link(name, ",")

    match = space

    def take(self, state: Any, spaces: str) -> None:
        first, *_, last = spaces.split() * 2
        for name in dict.fromkeys((first, last)):
            self.link(name, ",")

    def privilege(self, state: Any, space: str) -> None:
        self.link("Privilege")
        self.link(space, ",")

    def replenish(self, state: Any, _: str) -> None:
        self.link("Replenish")

    def reserve(self, state: Any, target: str) -> None:
        card, _, gold = target.partition(" ")
        super().reserve(state, card)
        if state.board.count("*") > 1:
            self.link(gold, ",")

    def attach(self, state: Any, colour: str) -> None:
        self.link(phrases.colour(colour))

    def steal(self, state: Any, gem: str) -> None:
        self.link(phrases.gem_name(gem))

    def royal(self, state: Any, royal: str) -> None:
        self.link(f"take {duel.royal(royal)}")

    def give_back(self, state: Any, gems: str) -> None:
        for gem in gems:
            self.link(f"Return {phrases.tokens(gem)}")

    def onward(self) -> None:
        """An unambiguous choice is already staged."""
        link = self.page.get_by_role("link", name="Next: ")
        if link.count():
            self.follow(link)

    def words(self, decisions: list[tuple[Any, str]]) -> str:
        # A privilege comes before the main action.
        only = "Play only this for now: " if decisions[-1][1].startswith("privilege") else ""
        return only + " → ".join(self._words(*decision) for decision in decisions)

    def _words(self, state: Any, notation: str) -> str:
        word, _, rest = notation.partition(" ")
        place, _, paid = rest.partition(" = ")
        card = slot(state, place.split(" ")[0]) or "your reserved card"
        lying = in_words(state.board[SPACES.index(name)] for name in rest.split() if name in SPACES)
        patterns = {
            "take": f"Take {lying}",
            "match": f"Take {lying}",
            "privilege": f"Use a privilege for {lying}",
            "replenish": "Replenish the board",
            "reserve": f"Reserve from level {rest[1]}" if rest[:2] in DECKS else f"Reserve {card}",
            "buy": f"Buy {card} for " + ("free" if paid == "-" else in_words(paid)),
            "attach": f"Join it to a {phrases.COLOURS.get(rest)} card",
            "steal": f"Steal {in_words(rest)}",
            "royal": f"Take {duel.royal(rest)}" if word == "royal" else "",
            "return": f"Return {in_words(rest)}",
        }
        return patterns[word]


def in_words(gems: Iterable[str]) -> str:
    spelled = "".join(sorted((gem for gem in gems if gem in KINDS), key=KINDS.index))
    return phrases.tokens(spelled) if spelled else ""


def slot(state: Any, card: str) -> str:
    """The slot of the card, such as `T2-3`; empty for a card in hand."""
    rows = state.rows if hasattr(state, "rows") else state.pyramid
    places = {name: f"T{level}-{place}" for level, row in enumerate(rows, 1) for place, name in enumerate(row, 1)}
    return places.get(card, "")


BOARDS: dict[str, Any] = {"splendor": SplendorBoard, "duel": DuelBoard}


def some(actions: list[Any], rng: Random) -> list[Any]:
    """One action with each word, and at least two."""
    rng.shuffle(actions)
    one = {action.word: action for action in actions}.values()
    return [*one, *(action for action in actions if action not in one)][: max(len(one), LEAST)]


@pytest.mark.parametrize(("title", "what", "place", "every"), list(tried()))
def test_names_lead_to_every_legal_action(
    page_of: PageOf, alice: User, bob: User, title: str, what: str, place: int, every: bool
) -> None:
    ruleset, people = TITLES[title].ruleset, [alice, bob, person("clara"), person("dan")]
    state = sample(title, what, BATCHES if every else FEW)[place]
    actions = ruleset.all_actions(state)
    if not every:
        actions = some(list(actions), Random(title + what))
    game = deal(title, people[: len(state.players)], 1)
    put(game, state)
    page = page_of(game.seat_set.get(index=state.to_act).user, reduced_motion="reduce")
    page.goto(f"/table/{game.key}/")
    board = BOARDS[title](page)
    for action in actions:
        decisions, step = [(state, str(action))], ruleset.apply(state, action)
        board.choose(state, str(action))
        # The same seat makes another decision in the same draft: its first option.
        while step.state.to_act == state.to_act and not step.reveals and step.state.phases[0] not in OPEN:
            board.onward()
            decisions.append((step.state, str(ruleset.legal_actions(step.state)[0])))
            board.choose(*decisions[-1])
            step = ruleset.apply(step.state, ruleset.parse(decisions[-1][1]))
        button = page.get_by_role("button", name=board.words(decisions), exact=True)
        moves = button.evaluate("button => new FormData(button.form).get('moves')")
        assert moves == ";".join(notation for _, notation in decisions)
        board.link("Clear")
