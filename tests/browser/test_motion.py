"""News arrives with movement, a sentence for screen readers, and a sound if the reader wants one."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from tests.browser.keys import PHONE, STAGED, PageOf, focused
from tests.factories import actor, begun, lay, person, take_turn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WATCH = """() => {
    window.seen = { flights: 0, tones: 0, news: [] };
    window.contexts = new Set();
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...facts) {
        seen.flights += 1;
        return animate.apply(this, facts);
    };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...facts) {
        seen.tones += 1;
        contexts.add(this.context);
        return start.apply(this, facts);
    };
    const news = document.getElementById("news");
    new MutationObserver(() => seen.news.push(news.textContent)).observe(news, { childList: true });
}"""
MEASURE = """() => {
    window.widths = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...facts) {
        widths.push(document.documentElement.scrollWidth);
        return animate.apply(this, facts);
    };
}"""
"""Notes the width of the page during each movement."""
TOLD = {
    "splendor": "alice took 1 diamond, 1 sapphire and 1 emerald.",
    "duel": "alice took 1 diamond, 1 sapphire and 1 emerald from a1, a2 and a3.",
}


@pytest.mark.parametrize(
    ("movement", "sound", "motion", "flights", "tones"),
    [(True, True, "no-preference", 3, 2), (True, False, "reduce", 0, 0), (False, True, "no-preference", 0, 2)],
    ids=["all", "reduced", "sound"],
)
def test_news_is_seen_heard_and_told_once(
    page_of: PageOf,
    alice: User,
    bob: User,
    game: Game,
    movement: bool,
    sound: bool,
    motion: str,
    flights: int,
    tones: int,
) -> None:
    bob.movement, bob.sound = movement, sound
    bob.save()
    page = page_of(bob, reduced_motion=motion)
    page.goto(f"/table/{game.key}/")
    page.evaluate(WATCH)
    # Browsers are silent before the first tap or key.
    page.mouse.click(1, 300)
    page.locator("#seat-1 a").first.focus()
    before = focused(page)
    play.submit(game, play.Actor(alice), 0, [STAGED[game.title]])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#turn")).to_have_text("Your turn")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("tones => seen.tones >= tones", arg=tones)
    seen = page.evaluate("seen")
    assert seen == {"flights": flights, "tones": tones, "news": [TOLD[game.title]]}
    assert focused(page) == before
    expect(page.locator("#board [inert]")).to_have_count(0)


def test_a_flying_card_makes_no_page_wider(page_of: PageOf, bob: User) -> None:
    """Its copy is the last in its row, while the last place tells who bought the card."""
    width, height = PHONE
    buyer = person("W" * 20)
    game = begun([buyer, bob])
    lay(game, buyer, mine="tokens=uug", row_1="1-white-01 1-white-02 1-white-03 1-red-01")
    page = page_of(bob, viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)
    page.goto(f"/table/{game.key}/")
    page.evaluate(MEASURE)
    play.submit(game, play.Actor(buyer), 0, ["buy 1-red-01 = uug"])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#turn")).to_have_text("Your turn")
    widths = page.evaluate("widths")
    assert widths
    assert set(widths) == {width}


def test_readers_who_want_neither_motion_nor_sound_load_no_script(tab: Page, game: Game, alice: User) -> None:
    alice.movement = False
    alice.save()
    tab.goto(f"/table/{game.key}/")
    assert tab.locator("script[src*=motion]").count() == 0


def test_all_sounds_come_from_one_place(page_of: PageOf, duel: Game) -> None:
    """A browser allows a page only a few audio contexts."""
    mover = actor(duel)
    reader = Seat.objects.exclude(user=mover).get(game=duel).user
    assert reader
    reader.sound = True
    reader.save()
    page = page_of(reader)
    page.goto(f"/table/{duel.key}/")
    page.evaluate(WATCH)
    page.mouse.click(1, 300)
    for tones in (2, 4):
        while actor(duel) != reader:
            take_turn(duel)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("tones => seen.tones === tones", arg=tones)
        while actor(duel) == reader:
            take_turn(duel)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#turn .is-mine")).to_have_count(0)
    assert page.evaluate("contexts.size") == 1
