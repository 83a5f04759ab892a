"""On narrow screens, the decision of Duel has the same height at every moment of a turn, so it covers no more cards."""

from urllib.parse import quote

import pytest

from accounts.models import User
from games.services.tables import guests
from tests.browser.keys import PHONE, PageOf, is_idle
from tests.factories import lay

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

RICH = "tokens=uuurrkk**"
FULL = "tokens=wwuuggrr*"
MOMENTS = {
    "nothing chosen": ({"mine": FULL, "board": "wugrk pw..k .u.*. ..r.k ....."}, ""),
    "only gold": ({"board": "..... ..... *.... ..... ....."}, ""),
    "line": ({"board": "wugrk pwgrk .u.*w g.r.k ....."}, "take a1 a2 a3"),
    "three of one kind": ({"board": "uuurk pwgrk w...w g.r.k ....."}, "take a1 a2 a3"),
    "crooked": ({"board": "wugrk pwgrk .u.*w g.r.k ....."}, "take a1 b3"),
    "gold": ({"board": "wugrk pwgrk .u.*w g.r.k ....."}, "take c4"),
    "then return": ({"mine": FULL, "board": "wugrk p.... ..... ..... ....."}, "take a1 a2"),
    "gift, then return": ({"mine": FULL, "board": "ppgrk u.... ..... ..... ....."}, "take a1 a2"),
    "replenish": ({"mine": "tokens=ww", "board": "wugrk p.... ..... ..... ....."}, "replenish"),
    "privilege": ({"mine": "tokens=ww privileges=1", "board": "wugrk p.... ..... ..... ....."}, "privilege"),
    "privilege used": ({"mine": "tokens=ww privileges=1", "board": "wugrk p.... ..... ..... ....."}, "privilege a1"),
    "reserve": ({"board": "wug*k p*... *.... ..... .....", "row_2": "2-white-01"}, "reserve 2-white-01"),
    "reserve blind": ({"board": "wug*k p*... *.... ..... ....."}, "reserve L1"),
    "buy": ({"mine": RICH, "board": "wug*. ..... .....", "row_1": "1-white-03"}, "buy 1-white-01 = rrkk"),
    "pay": ({"mine": RICH, "board": "wug*. ..... ....."}, "buy 1-white-01 ="),
    "colour": (
        {"mine": "tokens=kkkkp cards=1-white-04,1-blue-01,1-green-01", "row_1": "1-wild-02"},
        "buy 1-wild-02 = kkkkp",
    ),
    "match": ({"mine": "tokens=ggrr", "board": "kug*k", "row_1": "1-black-01"}, "buy 1-black-01 = ggrr"),
    "privilege, then steal": (
        {"mine": "tokens=uuuurrr privileges=1", "theirs": "tokens=wgkp", "board": "w.g*k", "row_2": "2-white-01"},
        "privilege a1;buy 2-white-01 = uuuurrr",
    ),
    "royal card": (
        {"mine": "tokens=uuu cards=1-red-04,1-black-04", "board": "w.g*k", "row_1": "1-white-04"},
        "buy 1-white-04 = uuu",
    ),
}
"""Positions with the draft that the reader has made in them."""
TALL = "section => [section.offsetHeight, section.scrollHeight - section.clientHeight]"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_decision_keeps_its_height(page_of: PageOf, alice: User, language: str) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    table, _player = guests.play_bot("duel", alice)
    page = page_of(alice, viewport={"width": PHONE[0], "height": PHONE[1]})
    heights = {}
    for name, (lines, draft) in MOMENTS.items():
        board = "".join(lines.get("board", "").split()).ljust(25, ".")
        lay(table, alice, **lines | {"board": board})
        page.goto(f"/table/{table.key}/?draft={quote(draft)}")
        heights[name] = page.locator("#decision").evaluate(TALL)
        picks = page.locator("#decision :is(.picks, .back-pick) a:not(.is-picked)")
        while picks.count() and page.locator("#decision .btn-act").count() == 0:
            picks.first.click()
            is_idle(page)
            heights[f"{name}, chosen"] = page.locator("#decision").evaluate(TALL)
    assert {name: tall for name, tall in heights.items() if tall != [152, 0]} == {}, heights
