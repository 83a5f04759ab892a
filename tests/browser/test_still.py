"""Controls stay where they are while a decision is staged, so that none moves away under a quick tap."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from games.models.position import Position
from tests.browser.keys import SIZES, STAGED, TAKEN, held, is_idle
from tests.factories import BATCHES, kind, lay, positions, put

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHERE = """() => Object.fromEntries([...document.querySelectorAll("#board [data-touch]:not([hidden])")]
    .filter(control => control.checkVisibility())
    .map(control => [control, control.getBoundingClientRect()])
    .map(([{ parentNode, dataset }, { x, y }]) => [
        parentNode.className + dataset.touch,
        `${Math.round(x)} ${Math.round(y)}`,
    ]))"""
"""The places of the controls of the table, by name. Tokens to return have the same names as those on the board."""

NEAR = 2
"""The number of pixels by which nobody misses a button."""


@SIZES
@pytest.mark.parametrize("what", ["take", "return", "take and return"])
def test_the_answer_moves_no_control_that_the_script_has_drawn(tab: Page, game: Game, alice: User, what: str) -> None:
    names, back, query = TAKEN[game.title], "Clear", ""
    if what != "take":
        ruleset = TITLES[game.title].ruleset
        board = {"splendor": {}, "duel": {"board": "wugrk u.... g.... ..... ....."}}
        lay(game, alice, mine="tokens=wwuuggrr*", **board[game.title])
        names = ["w", "u"]
    if what == "return":
        state = ruleset.load(Position.objects.get(game=game).state)
        put(game, ruleset.apply(state, ruleset.parse(STAGED[game.title])).state)
    elif what == "take and return":
        # Whatever clears both changes the whole board.
        back, query = "Undo", f"?draft={STAGED[game.title]};"
    tab.goto(f"/table/{game.key}/{query}")
    moved = []
    for name in (*names, "Undo", back, names[0], back):
        tab.evaluate("document.getElementById('table').dataset.old = ''")
        with held(tab):
            if name in names:
                tab.locator(f'#board [data-touch="{name}"]:visible').last.click()
            else:
                tab.get_by_role("link", name=name, exact=True).click()
            drawn = tab.evaluate(WHERE)
        expect(tab.locator("#table[data-old]")).to_have_count(0)
        is_idle(tab)
        answered = tab.evaluate(WHERE)
        places = {touch: (place, answered.get(touch, place)) for touch, place in drawn.items()}
        moved += [(name, touch, *both) for touch, both in places.items() if both[0] != both[1]]
    assert moved == []


@SIZES
@pytest.mark.parametrize("game", ["duel"], indirect=True)
@pytest.mark.parametrize("what", ["attach", "match", "steal", "royal"])
def test_what_there_is_to_pick_stays_where_it_is(tab: Page, game: Game, alice: User, what: str) -> None:
    [state, *_] = (each for batch in range(BATCHES) for each in positions("duel", batch) if kind("duel", each) == what)
    if alice != game.seat_set.get(index=state.to_act).user:
        state = replace(state, players=state.players[::-1], to_act=1 - state.to_act)
    put(game, state)
    tab.goto(f"/table/{game.key}/")
    stay(tab, tab.locator(".picks a").first, tab.locator(".picks a").last, tab.get_by_role("link", name="Clear"))


@SIZES
@pytest.mark.parametrize("game", ["duel"], indirect=True)
def test_no_warning_moves_the_button_that_takes(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, board="www.. ..... ..... ..... .....")
    tab.goto(f"/table/{game.key}/")
    button = tab.get_by_role("button", name=re.compile("^Take "))
    places = []
    for name in ("a1", "a2", "a3"):
        tab.evaluate("document.getElementById('table').dataset.old = ''")
        with held(tab):
            tab.locator(f'#board [data-touch="{name}"]:visible').click()
            places.append(button.bounding_box())
        expect(tab.locator("#table[data-old]")).to_have_count(0)
        is_idle(tab)
        places.append(button.bounding_box())
    expect(tab.get_by_text("Three of one kind")).to_be_visible()
    heights = [place and place["y"] for place in places]
    assert all(height and places[0] and abs(height - places[0]["y"]) <= NEAR for height in heights), heights


@SIZES
@pytest.mark.parametrize("game", ["duel"], indirect=True)
def test_the_gold_for_a_reserved_card_stays_where_it_is(tab: Page, game: Game, alice: User) -> None:
    lay(game, alice, row_2="2-white-01", board="*...* ..... ..... ..... .....")
    tab.goto(f"/table/{game.key}/?draft=reserve 2-white-01")
    stay(tab, tab.locator(".picks a").first, tab.locator(".picks a").last)


def stay(page: Page, *links: Locator) -> None:
    """Follow these links. What there is to pick stays at its place in the decision, also before the answer arrives."""
    where = """() => [...document.querySelectorAll(".picks a")]
        .map(pick => pick.getBoundingClientRect().y - document.querySelector(".decision").getBoundingClientRect().y)
        .map(Math.round)"""
    places = [page.evaluate(where)]
    for link in links:
        page.evaluate("document.getElementById('table').dataset.old = ''")
        with held(page):
            link.click()
            places.append(page.evaluate(where))
        expect(page.locator("#table[data-old]")).to_have_count(0)
        is_idle(page)
        places.append(page.evaluate(where))
    assert places[0]
    assert [each for each in places if each != places[0]] == []
