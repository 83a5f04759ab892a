"""One page of each kind is resized to fit each screen in turn: nothing scrolls sideways, and no words are cut."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from games.models import Game
from games.services import play
from games.services.tables import tables
from games.services.work import first_moves
from tests.browser.keys import LONG, PageOf
from tests.browser.screens import faults
from tests.factories import actor, deal, lay, person, play_on

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
SOME = [*SCREENS[::2], SCREENS[7]]
"""The screens of the short form: from the narrowest to the widest, and the one with the lowest cards."""


@pytest.fixture
def screens(request: pytest.FixtureRequest) -> list[tuple[int, int]]:
    return SCREENS if request.config.option.long else SOME


COVERED = """() => [...document.querySelectorAll(".duel-card:has(.abilities)")].flatMap(card => {
    const [top, ...gems] = [card.querySelector(".abilities"), ...card.querySelectorAll(".cost .gem")]
        .map(part => part.getBoundingClientRect());
    const isUnder = gem => gem.right > top.left + .5 && gem.bottom > top.top + .5 && gem.top < top.bottom - .5;
    return gems.filter(isUnder).map(gem => [card.dataset.thing, gem.right - top.left]);
})"""
"""The cards whose abilities lie on a price, and how much of it each one covers."""


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
def test_boards_fit_every_screen(
    page_of: PageOf, crowd: list[User], screens: list[tuple[int, int]], title: str, seats: int
) -> None:
    game = deal(title, crowd[:seats], 1)
    play_on(game, 1, 24)
    page, found = page_of(actor(game)), list[str]()
    option = next(str(option) for option in play.look(game, actor(game)).legal if str(option).startswith("take"))
    for draft in ("", f"?draft={option}"):
        page.goto(f"/table/{game.key}/{draft}")
        found += faults(page, screens)
    card = page.locator("#board [data-card]").last.get_attribute("data-card")
    page.goto(f"/table/{game.key}/?card={card}")
    found += faults(page, screens)
    for colours in ("active", "none"):
        page.emulate_media(forced_colors=colours)
        found += faults(page, SCREENS[1:2])
    assert found == [], "\n".join(found)


def test_pages_fit_every_screen(page_of: PageOf, crowd: list[User], screens: list[tuple[int, int]]) -> None:
    deal("splendor", crowd, 1)
    over = deal("splendor", crowd, 2)
    waiting = tables.create(crowd[0], tables.TableSpec("duel", 2))
    play.resign(over, crowd[1])
    found: list[str] = []
    page = page_of(crowd[0])
    for path in ("/games/", "/tables/new/", f"/table/{waiting.key}/", f"/table/{over.key}/", "/settings/"):
        page.goto(path)
        found += faults(page, screens)
    for path in ("/help/splendor/", "/help/duel/"):
        page.goto(path)
        found += faults(page, screens)
    # Nobody waits for a newcomer.
    page = page_of(person("newcomer"))
    page.goto("/games/")
    found += faults(page, screens)
    first_moves.renew()
    page = page_of(None)
    page.goto("/")
    for kind in ("w", "u", "g"):
        page.locator(f"#board [data-touch={kind}]").click()
    found += faults(page, screens)
    assert found == [], "\n".join(found)


def rail_is_one_line(page_of: PageOf, user: User | None, path: str, language: str, *widths: int) -> None:
    page = page_of(user, viewport={"width": 360, "height": 740}, locale=language)
    page.goto(path)
    page.evaluate("document.fonts.ready.then(() => null)")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        rail = page.locator("header.rail").bounding_box()
        assert rail
        assert rail["height"] < 60, (path, width)


@pytest.mark.parametrize("language", [pytest.param("en", marks=LONG), "fr"])
def test_the_rail_of_a_phone_is_one_line(page_of: PageOf, alice: User, language: str) -> None:
    for user, path in ((None, "/"), (alice, "/games/")):
        rail_is_one_line(page_of, user, path, language, 360, 320)


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=LONG)])
def test_the_rail_of_a_phone_is_one_line_when_little_time_is_left(
    page_of: PageOf, alice: User, bob: User, language: str
) -> None:
    """Another table waits too, so the rail has its button."""
    urgent, other = (deal("duel", [alice, bob], 1) for _ in range(2))
    for game in (urgent, other):
        lay(game, alice)
    Game.objects.filter(pk=urgent.pk).update(deadline=timezone.now() + timedelta(hours=3))
    rail_is_one_line(page_of, alice, f"/table/{urgent.key}/", language, 360)


@pytest.mark.parametrize("language", [pytest.param("en", marks=LONG), "fr"])
def test_four_players_share_a_laptop(page_of: PageOf, crowd: list[User], language: str) -> None:
    """Nobles who have gone leave their space to the others, and the choice of prices is one line."""
    game = deal("splendor", crowd, 1)
    lay(game, crowd[0], "nobles=4w4u", "nobles=4u4g", nobles="3w3u3g 3g3r3k 4w4k")
    User.objects.filter(pk=crowd[0].pk).update(language=language)
    page = page_of(crowd[0], viewport={"width": 1366, "height": 768})
    page.goto(f"/table/{game.key}/")
    boxes = [noble.bounding_box() for noble in page.locator(".board .noble").all()]
    heights = [box["height"] for box in boxes if box]
    levels, prices = (page.locator(name).bounding_box() for name in (".levels", ".prices ul"))
    assert boxes[-1]
    assert levels
    assert prices
    assert len(heights) == 5
    assert min(heights[:3]) > 1.7 * max(heights[3:])
    assert boxes[-1]["y"] + boxes[-1]["height"] == pytest.approx(levels["y"] + levels["height"], abs=2)
    assert prices["height"] < 40


@pytest.mark.parametrize("language", [pytest.param("en", marks=LONG), "fr"])
def test_the_line_after_a_move_covers_no_card_on_a_desktop(
    page_of: PageOf, alice: User, bob: User, charlie: User, language: str
) -> None:
    people = [alice, bob, charlie, person("dora")]
    game, other = (deal("splendor", people, seed) for seed in (1, 2))
    play_on(game, 1, 24)
    mover = actor(game)
    play_on(game, 1, 1)
    while actor(other) != mover:
        play_on(other, 2, 1)
    User.objects.filter(pk=mover.pk).update(language=language)
    page = page_of(mover, viewport={"width": 1366, "height": 768})
    page.goto(f"/table/{game.key}/")
    expect(page.locator(".onward .btn-act")).to_be_visible()
    dock = page.locator(".dock").bounding_box()
    levels = page.locator(".levels").bounding_box()
    assert dock
    assert levels
    assert levels["y"] + levels["height"] <= dock["y"]


def test_a_new_table_is_one_screen_of_a_phone(page_of: PageOf, alice: User, bob: User, charlie: User) -> None:
    deal("splendor", [alice, bob, charlie], 1)
    for language in ("en", "fr"):
        page = page_of(alice, viewport={"width": 360, "height": 740}, locale=language)
        page.goto("/tables/new/")
        ends = [part.bounding_box() for part in page.locator(".choice, .fold").all()]
        assert len(ends) == 3
        assert [box for box in ends if box is None or box["y"] + box["height"] > 740] == []


def test_all_levels_my_hand_and_the_bank_are_on_a_phones_first_screen(page_of: PageOf, crowd: list[User]) -> None:
    game = deal("splendor", crowd, 1)
    play_on(game, 1, 24)
    page = page_of(actor(game), viewport={"width": 360, "height": 740})
    page.goto(f"/table/{game.key}/")
    dock = page.locator(".dock").bounding_box()
    levels = [level.bounding_box() for level in page.locator(".level").all()]
    assert dock is not None
    assert dock["y"] + dock["height"] <= 740
    assert len(levels) == 3
    assert [level for level in levels if level is None or level["y"] + level["height"] > dock["y"]] == []
    piles, tiles = (page.locator(parts).all() for parts in (".dock .pile", ".hand .tile"))
    assert piles
    assert tiles
    assert all(part.is_visible() for part in piles + tiles)


def test_four_seats_are_whole_on_a_small_desktop(page_of: PageOf, crowd: list[User]) -> None:
    page = page_of(crowd[0], viewport={"width": 1366, "height": 768})
    page.goto(f"/table/{deal('splendor', crowd, 1).key}/")
    ends = [box and box["y"] + box["height"] for box in (seat.bounding_box() for seat in page.locator(".seat").all())]
    assert len(ends) == 4
    assert max(end or 0 for end in ends) <= 768


def test_a_wide_screen_is_used(page_of: PageOf, crowd: list[User]) -> None:
    page = page_of(crowd[0], viewport={"width": 1920, "height": 1080})
    for title, seats in (("splendor", 4), ("duel", 2)):
        page.goto(f"/table/{deal(title, crowd[:seats], 1).key}/")
        board, card = (page.locator(names).first.bounding_box() for names in (".board", ".level .card"))
        assert board
        assert card
        assert board["width"] == 1920
        # On a screen of 1366 pixels a card has less than 120.
        assert card["width"] > 170


@pytest.mark.parametrize("game", ["duel"], indirect=True)
def test_french_abilities_cover_no_price(page_of: PageOf, alice: User, game: Game) -> None:
    """These cards have the widest names, and one has two abilities."""
    lay(game, alice, row_2="2-white-03 2-wild-01 2-blue-01 2-blue-03", row_3="3-wild-02 3-wild-01 3-none-01")
    page = page_of(alice, locale="fr")
    page.goto(f"/table/{game.key}/")
    expect(page.locator(".ability").filter(has_text="Rejouer").first).to_be_visible()
    covered = []
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        covered += [(width, *found) for found in page.evaluate(COVERED)]
    assert covered == []


@pytest.mark.parametrize("game", ["splendor"], indirect=True)
def test_edges_and_choices_show_in_forced_colours(page_of: PageOf, alice: User, game: Game) -> None:
    page = page_of(alice, forced_colors="active")
    lay(game, alice, mine="tokens=wwuuggrrkk", row_1="1-white-02")
    for path, edged, chosen in (
        (f"/table/{game.key}/?draft=reserve 1-white-02", ".seat, .card, .deck, .leaf", ".card.is-staged"),
        (f"/table/{game.key}/?draft=take wug;return w", ".give", ".give.is-picked"),
        ("/tables/new/", ".chip", ".chip:has(:checked)"),
        ("/learn/splendor/2/", ".leaf", ".pips [aria-current]"),
    ):
        page.goto(path)
        for names, style in ((edged, "borderTopWidth"), (chosen, "outlineWidth")):
            widths = f"all => all.map(each => parseFloat(getComputedStyle(each).{style}))"
            found = page.locator(names).evaluate_all(widths)
            assert min(found) >= (1 if style == "borderTopWidth" else 3), (path, names, found)
