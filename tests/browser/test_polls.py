"""How often an open table asks for news, counted with a fake clock in the browser. The clock stops while answers
arrive."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.models import Game, Seat
from games.services import play
from games.services.clocks.moment import now
from games.services.work import thinking
from tests.browser.keys import HIDE, PageOf, arrival, deployed
from tests.factories import actor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COUNT = """
window.polls = { asked: 0, answered: 0, most: 0 };
const isPoll = ({ detail }) => detail.requestConfig.path.includes("/poll/");
document.addEventListener("htmx:beforeSend", (event) => {
    if (isPoll(event)) polls.asked += 1;
    polls.most = Math.max(polls.most, polls.asked - polls.answered);
});
document.addEventListener("htmx:afterRequest", (event) => {
    if (isPoll(event)) polls.answered += 1;
});
"""


class Polls:
    """An open page whose clock is stopped, and its polls."""

    def __init__(self, page: Page, game: Game) -> None:
        self.page = page
        page.clock.install()
        page.add_init_script(COUNT)
        page.goto(f"/table/{game.key}/")
        page.clock.pause_at(now() + timedelta(minutes=1))
        self.settle()
        self.asked = self.count()

    def count(self) -> int:
        return int(self.page.evaluate("polls.asked"))

    def hold(self) -> list[Route]:
        """The polls from now on; they wait until they are continued."""
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        self.page.route("**/poll/**", hold)
        return held

    def let(self, held: list[Route]) -> None:
        """Let the only held poll go on, and every later one."""
        arrival(self.page, held).continue_()
        self.page.unroute("**/poll/**")

    def settle(self) -> None:
        """Wait until no poll is under way."""
        while self.page.evaluate("polls.asked !== polls.answered"):
            self.page.wait_for_timeout(10)

    def within(self, seconds: float) -> int:
        """Let that many seconds pass at once; return the number of polls."""
        self.page.clock.run_for(round(1000 * seconds))
        self.settle()
        before, self.asked = self.asked, self.count()
        return self.asked - before


Opened = Callable[[User], Polls]


@pytest.fixture
def opened(page_of: PageOf, duel: Game) -> Opened:
    """Opens the table of Alice and Bob."""
    # A context with an installed clock cannot be used again.
    return lambda user: Polls(page_of(user, again=False), duel)


def test_a_bots_move_is_shown_by_the_next_poll_within_a_second(opened: Opened, duel: Game) -> None:
    mine = Seat.objects.exclude(index=duel.to_act).get(game=duel)
    Seat.objects.filter(game=duel, index=duel.to_act).update(caretaker="greedy")
    Game.objects.update(bot_to_act="greedy")
    assert mine.user
    polls = opened(mine.user)
    assert [polls.within(0.4) for _ in range(3)] == [1, 1, 1]
    while Game.objects.get(pk=duel.pk).to_act != mine.index:
        thinking.think(duel.pk)
    assert polls.within(0.4) == 1
    expect(polls.page.locator("#turn")).to_have_text("Your turn")
    # Now a person is to act.
    assert [polls.within(1.5) for _ in range(3)] == [1, 1, 1]


def test_the_time_of_a_slow_poll_is_part_of_the_pause_after_it(opened: Opened, duel: Game) -> None:
    mine = Seat.objects.exclude(index=duel.to_act).get(game=duel)
    Seat.objects.filter(game=duel, index=duel.to_act).update(caretaker="greedy")
    Game.objects.update(bot_to_act="greedy")
    assert mine.user
    polls = opened(mine.user)
    for milliseconds, pause in ((100, 0.3), (300, 0.1), (5000, 0.1)):
        held = polls.hold()
        while polls.count() == polls.asked:
            polls.page.clock.run_for(10)
        polls.page.clock.run_for(milliseconds)
        polls.let(held)
        polls.settle()
        polls.asked = polls.count()
        assert (polls.within(pause - 0.02), polls.within(0.02)) == (0, 1)


def test_the_time_of_a_slow_move_is_part_of_the_pause_after_it(opened: Opened, duel: Game) -> None:
    mover = actor(duel)
    Seat.objects.filter(game=duel).exclude(index=duel.to_act).update(caretaker="greedy")
    polls = opened(mover)
    polls.page.goto(f"/table/{duel.key}/?draft={play.look(duel, mover).legal[0]}")
    polls.asked = polls.count()
    move: list[Route] = []
    polls.page.route("**/table/**", lambda route: move.append(route))
    polls.page.locator("[data-key=Enter]").click()
    polls.page.clock.run_for(300)
    arrival(polls.page, move).continue_()
    expect(polls.page.locator("#turn")).not_to_have_text("Your turn")
    assert (polls.within(0.08), polls.within(0.02)) == (0, 1)


def test_after_looking_back_the_browsers_back_asks_for_news_again(opened: Opened, duel: Game) -> None:
    mover = actor(duel)
    play.submit(duel, play.Actor(mover), 0, [str(play.look(duel, mover).legal[0])])
    polls = opened(mover)
    polls.page.get_by_role("link", name="Look back").click()
    expect(polls.page.locator("#at")).to_be_visible()
    assert polls.within(60) == 0
    polls.page.go_back()
    expect(polls.page.locator("#at")).to_have_count(0)
    assert polls.within(2) == 1


def test_a_poll_leaves_what_the_reader_opened_scrolled_and_focused(opened: Opened, duel: Game) -> None:
    def decide() -> None:
        duel.refresh_from_db()
        play.submit(duel, play.Actor(actor(duel)), duel.number, [str(play.look(duel, actor(duel)).legal[0])])

    reader = actor(duel)
    decide()
    polls = opened(reader)
    page = polls.page
    page.evaluate("document.styleSheets[0].insertRule('#lines { padding-bottom: 99rem !important }')")
    page.locator("#seal summary").click()
    page.evaluate("lines.focus(); lines.scrollTop = 9")
    decide()
    assert polls.within(30) >= 1
    expect(page.locator("#lines li .no").first).to_have_text("2")
    assert page.evaluate("[document.activeElement.id, lines.scrollTop, seal.open]") == ["lines", 9, True]


def test_a_persons_move_is_shown_by_the_next_poll_within_two_seconds(opened: Opened, duel: Game) -> None:
    mover = actor(duel)
    other = Seat.objects.exclude(user=mover).get(game=duel).user
    assert other
    polls = opened(other)
    while Game.objects.get(pk=duel.pk).to_act != duel.seat_set.get(user=other).index:
        duel.refresh_from_db()
        play.submit(duel, play.Actor(mover), duel.number, [str(play.look(duel, mover).legal[0])])
    assert (polls.within(1.4), polls.within(0.1)) == (0, 1)
    expect(polls.page.locator("#turn")).to_have_text("Your turn")


def test_a_page_at_rest_asks_twice_a_minute_and_a_hidden_one_never(opened: Opened, duel: Game, alice: User) -> None:
    Game.objects.filter(pk=duel.pk).update(changed_at=now() - timedelta(minutes=11))
    polls = opened(alice)
    assert [polls.within(30) for _ in range(20)] == [1] * 20
    polls.page.evaluate(HIDE, True)
    assert [polls.within(30) for _ in range(20)] == [0] * 20
    polls.page.evaluate(HIDE, False)
    assert (polls.within(0.001), polls.within(29), polls.within(1)) == (1, 0, 1)


def test_a_poll_that_takes_long_is_the_only_one(opened: Opened, alice: User) -> None:
    polls = opened(alice)
    held = polls.hold()
    polls.page.clock.run_for(1500)
    for _ in range(3):
        polls.page.evaluate(HIDE, False)
        polls.page.clock.run_for(5000)
    assert polls.count() == polls.asked + 1
    polls.let(held)
    assert (polls.within(0), polls.within(1.5)) == (1, 1)
    assert polls.page.evaluate("polls.most") == 1


@pytest.mark.parametrize("trouble", ["no answer", "server error"])
def test_a_site_in_trouble_is_asked_more_and_more_seldom(opened: Opened, alice: User, trouble: str) -> None:
    polls = opened(alice)

    def answer(route: Route) -> None:
        if trouble == "no answer":
            route.abort()
        else:
            route.fulfill(status=502)

    polls.page.route("**/poll/**", answer)
    assert polls.within(1.5) == 1
    for seconds in (2, 4, 8, 16, 32, 60, 60):
        assert (polls.within(seconds - 1), polls.within(1)) == (0, 1)
    polls.page.unroute("**/poll/**")
    assert (polls.within(59), polls.within(1), polls.within(1.5)) == (0, 1, 1)
    expect(polls.page.locator("#trouble")).to_be_empty()


def test_news_does_not_hide_that_the_site_has_been_updated(opened: Opened, duel: Game) -> None:
    mover = actor(duel)
    other = Seat.objects.exclude(user=mover).get(game=duel).user
    assert other
    polls = opened(other)
    polls.page.route("**/poll/**", deployed)
    play.submit(duel, play.Actor(mover), 0, [str(play.look(duel, mover).legal[0])])
    polls.within(1.5)
    notice = polls.page.get_by_text("The site has been updated")
    expect(notice).to_be_visible()
    assert polls.within(30) >= 1
    expect(notice).to_be_visible()


@pytest.mark.parametrize(("status", "stays"), [(502, False), (404, True)])
def test_a_poll_hides_only_that_the_connection_was_lost(opened: Opened, alice: User, status: int, stays: bool) -> None:
    polls = opened(alice)
    polls.page.route("**/*card=*", lambda route: route.fulfill(status=status))
    card = polls.page.locator("[data-row=cards] [data-card^='1-']").first
    card.press("Enter")
    notice = polls.page.locator("#trouble .notice")
    expect(notice).to_be_visible()
    assert polls.within(5) >= 1
    expect(notice).to_have_count(int(stays))
    polls.page.unroute("**/*card=*")
    card.press("Enter")
    expect(polls.page.locator(".sheet")).to_be_visible()
    expect(notice).to_have_count(0)
