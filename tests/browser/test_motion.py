"""News arrives with movement, a sentence for screen readers, and a sound if the reader wants one."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from games.services import play
from tests.browser.keys import STAGED, PageOf, focused

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WATCH = """() => {
    window.seen = { flights: 0, tones: 0, news: [] };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...facts) {
        seen.flights += 1;
        return animate.apply(this, facts);
    };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...facts) {
        seen.tones += 1;
        return start.apply(this, facts);
    };
    const news = document.getElementById("news");
    new MutationObserver(() => seen.news.push(news.textContent)).observe(news, { childList: true });
}"""
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
    page.locator("#seat-1 a").first.focus()
    before = focused(page)
    play.submit(game, play.Actor(alice), 0, [STAGED[game.title]])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#turn")).to_have_text("Your turn")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    seen = page.evaluate("seen")
    assert seen == {"flights": flights, "tones": tones, "news": [TOLD[game.title]]}
    assert focused(page) == before
    expect(page.locator("#board [inert]")).to_have_count(0)


def test_readers_who_want_neither_motion_nor_sound_load_no_script(page: Page, game: Game, alice: User) -> None:
    alice.movement = False
    alice.save()
    page.reload()
    assert page.locator("script[src*=motion]").count() == 0
