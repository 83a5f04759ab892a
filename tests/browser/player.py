"""A player of either title in a browser, who finds the page's controls by role and name."""

import re
from random import Random

import pytest
from playwright.sync_api import Page

from tests.browser.keys import is_idle

OFFER = re.compile(r"""- '?(link|button) "((?:[^"\\]|\\.)*)\"""")
CONFIRM = re.compile(r"^(Take |Return |Buy |Reserve |Welcome |Pass|Steal |Join |Replenish |Use )")
WAYS = [
    re.compile(pattern)
    for pattern in (
        r"^Next: ",
        # A sheet, which covers everything else.
        r"^(Buy|Reserve) it\b",
        # Decisions after the main action.
        r"^Return .*you keep [1-9]",
        r", bonus \d+$",
        r", of \d+$",
        r", take to match your card$",
        r"^take the royal card",
        r"(Machiavelli|of Castile|the Magnificent|Stuart|VIII|of Brittany|of Austria|Charles V|Medici|of France)$",
        # A card, preferably of a higher level.
        r"^(Buy|uses \d+ gold) T3-",
        r"^(Buy|uses \d+ gold) T2-",
        r"^(Buy|uses \d+ gold) T1-",
        # Tokens, preferably of kinds that the hand lacks.
        r"^1 \w+: \d in the bank · you hold 0",
        r"^1 \w+: \d in the bank",
        r"^[a-e][1-5], \w+, take$",
        r", take with the reserved card$",
        r"^Replenish$",
        r"^Reserve T\d-\d$",
        r"^Pass$",
        # The sheet of a card: a narrow screen reserves there only.
        r"^T\d-\d, level \d",
    )
]
"""Patterns of links; the player takes the first group with matches."""
BUY = re.compile(r"^(Buy|uses \d+ gold) T")
"""The names of links on cards, which fingers can't follow: there the whole card opens its sheet."""
LONGER = re.compile(r"^[a-e][1-5], \w+, take$")


class Player:
    """Follows one link at a time, chosen at random from the best group: with the mouse, with keys, or by touch, where a
    card is bought in two taps."""

    def __init__(self, page: Page, seed: int = 0, *, keys: bool = False, touch: bool = False) -> None:
        self.page, self.rng, self.keys, self.touch = page, Random(seed), keys, touch

    @property
    def is_to_move(self) -> bool:
        return "Your turn" in map(str.strip, self.page.get_by_role("status").all_inner_texts())

    @property
    def is_over(self) -> bool:
        return self.page.get_by_role("heading", name="Final standings", exact=True).count() == 1

    def turn(self) -> None:
        """Decide until somebody else is to act."""
        while self.is_to_move:
            self.step()

    def step(self) -> None:
        """Use one control and wait for the answer."""
        role, name = self.choice()
        control = self.page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
        if self.keys:
            control.press("Enter")
        elif self.touch and (card := control.get_attribute("data-card")) and BUY.search(name):
            self.page.locator(f"#board .card-link[data-card='{card}']").tap()
        elif self.touch:
            control.tap()
        else:
            control.click()
        is_idle(self.page)

    def choice(self) -> tuple[str, str]:
        """The role and name of the next control to click."""
        offers = [
            (role, name.replace("''", "'")) for role, name in OFFER.findall(self.page.locator("body").aria_snapshot())
        ]
        links = [name for role, name in offers if role == "link"]
        buttons = [name for role, name in offers if role == "button" and CONFIRM.search(name)]
        longer = [name for name in links if LONGER.search(name)]
        if longer and any(name.endswith("chosen, put back") for name in links):
            return "link", self.rng.choice(longer)
        if buttons:
            return "button", buttons[0]
        for way in WAYS:
            if found := [name for name in links if way.search(name)]:
                return "link", self.rng.choice(found)
        pytest.fail(f"no way on from {self.page.url}: {offers}")
