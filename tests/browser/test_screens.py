"""One page of each kind is resized through all screens: nothing scrolls sideways, and no words are cut."""

import pytest
from playwright.sync_api import Page

from accounts.models import User
from games.services import play
from games.services.tables import tables
from tests.browser.keys import LONG, PageOf
from tests.factories import actor, deal, person, play_on

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SCREENS = [
    (320, 640),
    (360, 740),
    (375, 667),
    (390, 844),
    (412, 915),
    (740, 360),
    (768, 1024),
    (1024, 768),
    (1366, 768),
    (1920, 1080),
    (2560, 1440),
]
FAULTS = """() => {
    const found = [];
    const { scrollWidth } = document.documentElement;
    const told = part => `${part.className} “${part.innerText?.trim()}”`;
    const box = part => part.getBoundingClientRect();
    if (scrollWidth > innerWidth) {
        const root = document.documentElement;
        const isCause = part => {
            const { display } = part.style;
            part.style.setProperty("display", "none", "important");
            const { scrollWidth: without } = root;
            part.style.display = display;
            return without < scrollWidth;
        };
        const cause = part => [...part.children].map(child => isCause(child) && cause(child)).find(Boolean) || part;
        found.push(`scrolls sideways: ${scrollWidth}, ${told(cause(document.body))}`);
    }
    const isSeen = part => part.checkVisibility() && box(part).width > 1;
    const visible = names => [...document.querySelectorAll(names)].filter(isSeen);
    const CONTROLS = ".btn, .btn-yet, .card-state, .idea-in, .way, .give, .deck-do, .turn-time b, .is-mine";
    // The words of a control end inside it.
    for (const part of visible(CONTROLS)) {
        const words = document.createRange();
        words.selectNodeContents(part);
        const hidden = part.querySelector(".visually-hidden:last-child");
        if (hidden) words.setEndBefore(hidden);
        const [inner, outer] = [words.getBoundingClientRect(), box(part)];
        if (inner.left < outer.left - 1 || inner.right > outer.right + 1) found.push(`cut: ${told(part)}`);
        const spare = 1 + 0.2 * parseFloat(getComputedStyle(part).fontSize);
        if (inner.top < outer.top - spare || inner.bottom > outer.bottom + spare) found.push(`too low: ${told(part)}`);
    }
    // Whose turn it is, and the time, are whole and uncovered.
    for (const part of visible(".turn-who.is-mine, .turn-time b")) {
        const { left, right, top, bottom } = box(part);
        const over = part.scrollWidth > Math.ceil(right - left) + 1;
        const at = x => document.elementFromPoint(x, (top + bottom) / 2);
        const seen = [left + 2, right - 2].every(x => at(x)?.closest(".turn"));
        if (over || !seen || right > innerWidth) found.push(`hidden: ${told(part)}`);
    }
    for (const part of visible(".ghost"))
        if (box(part).left < 0 || box(part).right > box(part.closest(".board")).right)
            found.push(`outside: ${told(part)}`);
    return found;
}"""


def faults(page: Page, screens: list[tuple[int, int]], texts: tuple[str, ...] = ("100%", "200%")) -> list[str]:
    """The faults of this page on these screens, with text of the usual size and of twice the size."""
    found = []
    for text in texts:
        page.evaluate("size => { document.documentElement.style.fontSize = size }", "" if text == "100%" else text)
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{page.url} {width} {text} {fault}" for fault in page.evaluate(FAULTS)]
    page.evaluate("() => { document.documentElement.style.fontSize = '' }")
    return found


@pytest.fixture
def crowd(db: None) -> list[User]:
    """Four people with the widest names."""
    return [person("W" * 19 + letter) for letter in "WMXY"]


@pytest.mark.parametrize(
    ("title", "seats"),
    [
        pytest.param("splendor", 2, marks=LONG),
        pytest.param("splendor", 3, marks=LONG),
        ("splendor", 4),
        ("duel", 2),
    ],
)
def test_boards_fit_every_screen(page_of: PageOf, crowd: list[User], title: str, seats: int) -> None:
    game = deal(title, crowd[:seats], 1)
    play_on(game, 1, 24)
    page, found = page_of(actor(game)), list[str]()
    option = next(str(option) for option in play.look(game, actor(game)).legal if str(option).startswith("take"))
    for draft in ("", f"?draft={option}"):
        page.goto(f"/table/{game.key}/{draft}")
        found += faults(page, SCREENS)
    for colours in ("active", "none"):
        page.emulate_media(forced_colors=colours)
        found += faults(page, SCREENS[1:2])
    assert found == [], "\n".join(found)


def test_pages_fit_every_screen(page_of: PageOf, crowd: list[User]) -> None:
    deal("splendor", crowd, 1)
    over = deal("splendor", crowd, 2)
    waiting = tables.create(crowd[0], tables.TableSpec("duel", 2))
    play.resign(over, crowd[1])
    found: list[str] = []
    page = page_of(crowd[0])
    for path in ("/games/", "/tables/new/", f"/table/{waiting.key}/", f"/table/{over.key}/", "/settings/"):
        page.goto(path)
        found += faults(page, SCREENS)
    page = page_of(None)
    page.goto("/")
    found += faults(page, SCREENS)
    assert found == [], "\n".join(found)


def test_all_levels_my_hand_and_the_bank_are_on_a_phones_first_screen(page_of: PageOf, crowd: list[User]) -> None:
    game = deal("splendor", crowd, 1)
    play_on(game, 1, 24)
    page = page_of(actor(game), viewport={"width": 360, "height": 740})
    page.goto(f"/table/{game.key}/")
    dock = page.locator(".dock").bounding_box()
    levels = [level.bounding_box() for level in page.locator(".level").all()]
    assert dock is not None
    assert dock["y"] + dock["height"] <= 740
    assert [level for level in levels if level is None or level["y"] + level["height"] > dock["y"]] == []
    for part in page.locator(".dock .pile, .hand .tile").all():
        assert part.is_visible()


def test_four_seats_are_whole_on_a_small_desktop(page_of: PageOf, crowd: list[User]) -> None:
    page = page_of(crowd[0], viewport={"width": 1366, "height": 768})
    page.goto(f"/table/{deal('splendor', crowd, 1).key}/")
    ends = [box and box["y"] + box["height"] for box in (seat.bounding_box() for seat in page.locator(".seat").all())]
    assert len(ends) == 4
    assert max(end or 0 for end in ends) <= 768
