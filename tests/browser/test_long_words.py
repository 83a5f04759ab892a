"""Pages have room for words that are two fifths longer than English ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts.models import User
from games.services import play
from games.services.tables import tables
from tests import pseudo
from tests.browser.keys import PageOf
from tests.browser.screens import faults
from tests.factories import actor, deal, person, play_on

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SCREENS = [(360, 740), (1366, 768)]
OUTSIDE = """() => {
    // Words end inside the control, cell or card that they are in, and on the page.
    const found = [];
    const boxes = "a, button, td, th, li, label, summary, .card, .deck, .row-go, .leaf";
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const { currentNode: text } = words;
        const { parentElement: parent } = text;
        const box = parent.closest(boxes);
        if (!text.data.trim() || !box || !parent.checkVisibility() || parent.closest(".visually-hidden")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const inner = range.getBoundingClientRect();
        const outer = box.getBoundingClientRect();
        const isCut = [parent, box].some(part => getComputedStyle(part).overflowX !== "visible");
        if (inner.width > 1 && !isCut && (inner.right > outer.right + 2 || inner.left < outer.left - 2))
            found.push(`outside ${box.className || box.tagName}: “${text.data.trim()}”`);
    }
    return found;
}"""

HELP = ("/help/splendor/", "/help/duel/")


@pytest.fixture(autouse=True)
def _spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(User._meta.get_field("language"), "default", pseudo.CODE)
    with pseudo.spoken(tmp_path, longer=0.4):
        yield


def test_longer_words_fit(page_of: PageOf) -> None:
    people = [person(name) for name in ("alice", "bob", "charlie", "dora")]
    games = [deal("splendor", people, 1), deal("duel", people[:2], 1)]
    for game in games:
        play_on(game, 1, 24)
    over = deal("splendor", people, 2)
    play.resign(over, people[1])
    waiting = tables.create(people[0], tables.TableSpec("duel", 2))
    visits: list[tuple[User | None, str]] = [(actor(game), f"/table/{game.key}/") for game in games]
    visits += [
        (people[0], path)
        for path in ("/games/", "/tables/new/", f"/table/{waiting.key}/", f"/table/{over.key}/", "/settings/", *HELP)
    ]
    for path in ("", "rules/splendor/", "rules/duel/", "learn/splendor/1/", "learn/duel/1/"):
        visits.append((None, f"/{pseudo.CODE}/{path}"))
    found: list[str] = []
    for user, path in visits:
        page = page_of(user)
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == pseudo.CODE
        for width, height in SCREENS:
            found += faults(page, [(width, height)], texts=("100%",))
            found += [f"{path} {width} {fault}" for fault in page.evaluate(OUTSIDE)]
    assert found == [], "\n".join(found)
