"""Axe finds no faults at any moment of a game at a table, in both colour schemes, on desktop and phone."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from accounts.models import User
from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Seat
from games.models.position import Deal
from games.services import play
from games.services.absence import pauses, vacations
from games.services.clocks.moment import now
from games.services.play import own_seat
from games.services.tables import tables
from games.services.work import first_moves
from tests.axe import Faults
from tests.browser.keys import PageOf
from tests.factories import QUOTAS, actor, deal, kind, person, play_on, positions, put
from tests.outputs import path

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def state_of(title: str, what: str) -> Any:
    """The position of that kind with the most kinds of legal action."""
    states = [state for batch in range(2) for state in positions(title, batch) if kind(title, state) == what]
    return max(states, key=lambda state: len({action.word for action in TITLES[title].ruleset.options(state)}))


def begun(title: str, state: Any) -> str:
    """The query of a take with its first token chosen."""
    takes = (str(action) for action in TITLES[title].ruleset.legal_actions(state) if action.word == "take")
    first = max(takes, key=len).split()[1]
    return f"draft=take {first if title == 'duel' else first[0]}"


def moments(title: str, what: str, *, long: bool) -> Iterator[str]:
    """The queries that the address of a table can have at that position; the short form has one of each kind."""
    state, ruleset = state_of(title, what), TITLES[title].ruleset
    longest = {action.word: str(action) for action in sorted(ruleset.legal_actions(state), key=lambda a: len(str(a)))}
    if what == "payment":
        [choice, *_] = (option for option in ruleset.legal_actions(state) if any(option.variants(state)))
        yield from (f"draft={choice}", f"draft={str(choice).partition('=')[0]}=")
        return
    if what == "privilege":
        yield from ("draft=privilege", f"draft={longest[what]}")
        return
    yield ""
    if what == "mandatory":
        return
    yield from [f"draft={notation}" for notation in longest.values()][: None if long else 1]
    if what in ("main", "turn"):
        yield begun(title, state)
        rows = state.rows if title == "splendor" else state.pyramid
        yield f"card={rows[0][0] or rows[1][0]}"
    if what == "return":
        yield "draft=" + longest["return"][: len("return w")]


@pytest.mark.parametrize(("title", "what"), [(title, what) for title in QUOTAS for what in QUOTAS[title]])
def test_boards_for_the_player_to_move(
    request: pytest.FixtureRequest, page_of: PageOf, faults: Faults, alice: User, bob: User, title: str, what: str
) -> None:
    state = state_of(title, what)
    game = deal(title, [alice, bob, person("clara"), person("dan")][: len(state.players)], 1)
    put(game, state)
    page, found = page_of(actor(game)), list[str]()
    for query in moments(title, what, long=request.config.option.long):
        page.goto(f"/table/{game.key}/?{query}")
        found += faults(page)
    if what == "turn":
        page.goto(f"/table/{game.key}/?{begun(title, state)}")
        page.get_by_role("link", name="show why").first.click()
        expect(page.get_by_role("alert").filter(has_text=".")).to_be_visible()
        found += faults(page)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("title", TITLES)
def test_around_a_turn(page_of: PageOf, faults: Faults, alice: User, bob: User, title: str) -> None:
    game = deal(title, [alice, bob], 1)
    play_on(game, 1, 24)
    found: list[str] = []
    [waiting] = {alice, bob} - {actor(game)}
    for user, query in ((waiting, ""), (None, ""), (actor(game), "at=12"), (actor(game), "ledger=all")):
        page = page_of(user)
        page.goto(f"/table/{game.key}/?{query}")
        found += faults(page)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("title", TITLES)
def test_what_is_refused(page_of: PageOf, faults: Faults, alice: User, bob: User, settings: Any, title: str) -> None:
    found: list[str] = []
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"decide": "2/h/user"}
    game = deal(title, [alice, bob], 1)
    user = actor(game)
    page = page_of(user)
    for status in (422, 409, 429):
        first, second, *_ = map(str, play.look(game, user).legal)
        page.goto(f"/table/{game.key}/?draft={first}")
        page.locator("[name=moves]").first.evaluate(
            "(field, notation) => field.value = notation", second if status == 409 else "nothing"
        )
        if status == 409:
            play.submit(game, play.Actor(user), 0, [first])
            play.submit(game, play.Actor(actor(game)), 1, [str(play.look(game, actor(game)).legal[0])])
        with page.expect_response(lambda response: response.request.method == "POST") as answer:
            page.locator("form:has([name=moves]) button").first.click()
        assert answer.value.status == status
        expect(page.get_by_role("alert").filter(has_text=".")).to_be_visible()
        found += faults(page)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("title", TITLES)
def test_the_end(page_of: PageOf, faults: Faults, alice: User, bob: User, title: str) -> None:
    game = deal(title, [alice, bob], 1)
    found: list[str] = []
    states, action = to_the_end(game)
    moments = {state.number: state for state in states if getattr(state, "last_round", False)}
    for state in [*list(moments.values())[:1], states[-1]]:
        put(game, state)
        page = page_of(actor(game))
        page.goto(f"/table/{game.key}/")
        found += faults(page)
    play.submit(game, play.Actor(actor(game)), game.number, [action])
    for user in (alice, bob, None):
        page = page_of(user)
        page.goto(f"/table/{game.key}/")
        page.get_by_role("heading", name="Final standings").wait_for()
        found += faults(page)
    assert found == [], "\n".join(found)


def to_the_end(game: Game) -> tuple[list[Any], str]:
    """The positions of a game of greedy bots, and the decision that ends it."""
    ruleset, bot, rng = TITLES[game.title].ruleset, TITLES[game.title].bot("greedy"), Random(1)
    state, states = ruleset.initial(2, bytes(32)), []
    while state.to_act is not None:
        states.append(state)
        action = bot.choose(ruleset.observe(state, state.to_act), ruleset.legal_actions(state), rng, Limit())
        state = ruleset.apply(state, action).state
    return states, str(action)


def test_around_a_clock(page_of: PageOf, faults: Faults, alice: User, bob: User) -> None:
    """Pages with an absent player, a requested pause, a running pause, a note, a vacation, little time and a result."""
    game = deal("splendor", [alice, bob], 1)
    found: list[str] = []
    paths = [f"/table/{game.key}/{more}" for more in ("", "clock/", "note/")] + ["/games/"]

    def look(user: User, addresses: list[str]) -> None:
        page = page_of(user)
        for address in addresses:
            page.goto(address)
            found.extend(faults(page))

    mover, other = actor(game), ({alice, bob} - {actor(game)}).pop()
    Game.objects.update(deadline=now() + timedelta(hours=2))
    own_seat.keep_note(game, mover, "Take white first.")
    pauses.ask(game, other)
    page = page_of(mover)
    page.goto(paths[1])
    page.get_by_role("button", name="Set aside").click()
    page.wait_for_url("**/games/")
    found += faults(page)
    look(mover, paths)
    look(other, paths[:2])
    pauses.ask(game, mover)
    vacations.begin_vacation(mover, 3)
    look(other, [*paths[:2], "/games/"])
    pauses.resume(game, mover)
    look(other, [*paths[:2], "/games/"])
    vacations.end_vacation(mover)
    Seat.objects.filter(user=mover).update(caretaker="greedy", absent_since=now() - timedelta(hours=1))
    look(mover, [*paths[:2], "/games/"])
    look(other, paths[:2])
    play.resign(game, other)
    look(other, ["/games/"])
    assert found == [], "\n".join(found)


OTHERS = ("profile", "ratings", "leaderboard", "people", "blocked", "person_note", "report_person", "account_deleted")


def test_pages_around_the_tables(page_of: PageOf, faults: Faults, alice: User, bob: User, charlie: User) -> None:
    """The first pages and the lobby as each reader sees them, and the pages that no other test checks."""
    found: list[str] = []
    running, waiting = deal("splendor", [alice, bob], 1), tables.create(alice, tables.TableSpec("duel", 2))
    lobby = f"/table/{waiting.key}/"
    first_moves.renew()
    paths: list[tuple[User | None, list[str]]] = [
        (None, ["/", lobby, f"/first-move/{Deal.objects.earliest('pk').key}/?draft=take+rr"]),
        (charlie, ["/", "/games/", lobby]),
        (alice, ["/games/", "/tables/new/", lobby, f"/table/{running.key}/resign/"]),
        (bob, [path(name, running) for name in OTHERS]),
    ]
    for user, addresses in paths:
        page = page_of(user)
        for address in addresses:
            answer = page.goto(address)
            assert answer
            assert answer.ok, address
            found += faults(page)
    assert found == [], "\n".join(found)
