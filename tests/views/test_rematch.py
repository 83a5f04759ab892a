"""The rematch on the result page: one post offers or accepts it, whoever clicks and however often."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services import play
from games.services.tables import guests, invitations, rematch, tables
from games.services.tables.tables import TableSpec
from tests.axe import Faults
from tests.browser.keys import PageOf
from tests.check_shuffle import run
from tests.factories import As, begun, state
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(duel: Game, bob: User) -> Game:
    play.resign(duel, bob)
    duel.refresh_from_db()
    return duel


def acts(page: bytes) -> list[str]:
    """The buttons and links of a result page."""
    found = page.decode().split('<div class="result-acts">', 1)[1].split("</p>", 1)[0]
    found = re.sub("<svg.*?</svg>", "", found, flags=re.DOTALL)
    return [
        " ".join(re.sub("<[^>]+>", " ", one).split()) for one in re.findall(r"<(?:a|button).*?</", found, re.DOTALL)
    ]


VISITORS = ["Share", "Check the shuffle"]
OTHERS = [*VISITORS, "Report or block"]
OWN = ["Share", "Same again with…", "Your rating over time", "Check the shuffle", "Your tables", "Report or block"]


def offered(as_: As, user: User | None, game: Game) -> list[str]:
    shown = acts(as_(user).get(address("table", game)).content)
    return [words.removesuffix(" <").removesuffix(" </").strip("< /") for words in shown]


def test_players_are_offered_a_rematch(as_: As, over: Game, alice: User, bob: User, charlie: User) -> None:
    for user in (alice, bob):
        assert offered(as_, user, over) == ["Rematch", *OWN]
    assert offered(as_, charlie, over) == OTHERS
    assert offered(as_, None, over) == VISITORS
    rematch.offer(over, alice)
    for user in (alice, bob):
        assert offered(as_, user, over) == ["Go to the rematch", *OWN]
    table = Game.objects.get(follows=over)
    assert address("table", table) in as_(bob).get(address("table", over)).content.decode()
    tables.cancel(table, alice)
    for user in (alice, bob):
        assert offered(as_, user, over) == OWN


def test_one_click_of_each_player_starts_the_rematch(as_: As, over: Game, alice: User, bob: User) -> None:
    for user in (alice, alice, bob, alice, bob):
        answered = as_(user).post(address("rematch", over))
        table = Game.objects.get(follows=over)
        assert (answered.status_code, answered["Location"]) == (302, address("table", table))
    assert table.status == "active"
    before = [seat.username for seat in seats(over)]
    assert [seat.username for seat in seats(table)] == before[::-1]
    assert Game.objects.count() == 2


def seats(game: Game) -> list[User]:
    found = game.seat_set.select_related("user").order_by("index")
    return [seat.user for seat in found if seat.user]


def test_the_table_of_a_rematch_explains_itself(as_: As, over: Game, alice: User, bob: User) -> None:
    table = rematch.offer(over, alice)
    page = as_(bob).get(address("table", table)).content
    assert "alice invites you to this table." in text(page)
    assert f"After the game {over.short_key}" in text(page)
    assert "The turn order is the same as before, except that everyone moves up one seat." in text(page)
    assert "decides every card and token of this game" in text(page)
    as_(bob).post(address("decline", table))
    assert "bob declined" in text(as_(alice).get(address("table", table)).content)
    # A player who changes their mind asks for the rematch again.
    assert offered(as_, bob, over)[0] == "Rematch"
    as_(bob).post(address("rematch", over))
    table.refresh_from_db()
    assert table.status == "active"


def test_a_player_whose_invitation_the_host_has_withdrawn_cannot_accept_the_rematch(
    as_: As, over: Game, alice: User, bob: User
) -> None:
    table = rematch.offer(over, alice)
    invitations.revoke(table, alice, "bob")
    assert offered(as_, bob, over)[0] == "Go to the rematch"
    answered = as_(bob).post(address("rematch", over), follow=True)
    assert "Only players invited by the host can join this table." in text(answered.content)
    assert seats(table) == [alice]


def test_a_guest_who_logs_in_keeps_the_invitation_to_a_rematch(alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    guest = guests.sit_down(game)
    game.refresh_from_db()
    play.resign(game, alice)
    table = rematch.offer(Game.objects.get(pk=game.pk), alice)
    guests.take_along(guest, bob)
    rematch.offer(Game.objects.get(pk=game.pk), bob)
    assert {*seats(table)} == {alice, bob}


@pytest.mark.parametrize("who", ["running", "stranger"])
def test_refusals_are_explained(as_: As, duel: Game, alice: User, charlie: User, who: str) -> None:
    if who == "stranger":
        play.resign(duel, alice)
    answered = as_(charlie if who == "stranger" else alice).post(address("rematch", duel), follow=True)
    words = {
        "running": "This game isn’t over yet.",
        "stranger": "Only the players of this game can offer a rematch.",
    }[who]
    assert words in answered.content.decode()
    assert Game.objects.count() == 1


def test_a_newcomer_with_too_many_tables_is_refused(as_: As, over: Game, bob: User, settings: Any) -> None:
    settings.NEWCOMER_TABLES = 1
    tables.create(bob, TableSpec("duel", 2))
    answered = as_(bob).post(address("rematch", over), follow=True)
    assert answered.redirect_chain == [(address("table", over), 302)]
    assert "You can join more tables after finishing your first game" in text(answered.content)
    assert Game.objects.count() == 2


def test_the_check_of_a_rematch_explains_its_order(as_: As, over: Game, alice: User, bob: User, charlie: User) -> None:
    table = rematch.offer(over, alice)
    rematch.offer(over, bob)
    running = as_(charlie).get(address("table", table)).content.decode()
    assert "decides every card and token of this game." in running
    assert "every card, token and seat" not in running
    play.resign(Game.objects.get(pk=table.pk), alice)
    page = as_(charlie).get(address("table", table)).content
    seed = state(table).seed.hex()
    command = f"check_shuffle.py duel 2 {table.commitment} {seed} rematch"
    assert f"python3 {command}" in text(page)
    assert "The turn order is the same as in the previous game , except that everyone moves up one seat." in text(page)
    assert "Joined in this order" not in text(page)
    assert address("table", over) in page.decode()
    code, said = run(*command.split()[1:])
    assert code == 0
    assert "Turn order: as in the previous game, except that everyone moves up one seat." in said
    assert "order of joining" not in said
    first = as_(charlie).get(address("table", over)).content
    assert "Joined in this order alice and bob" in text(first)


def test_a_game_dealt_again_links_to_the_new_table(as_: As, duel: Game, alice: User, charlie: User) -> None:
    Game.objects.filter(pk=duel.pk).update(status="cancelled", ending="abandoned", to_act=None, deadline=None)
    duel.refresh_from_db()
    absent = duel.seat_set.get(user=alice)
    table = rematch.deal_again(duel, absent)
    assert table is not None
    page = as_(charlie).get(address("table", duel)).content
    assert "A player never made a first move, so this game doesn’t count." in text(page)
    assert address("table", table) in page.decode()


def cost(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def test_a_rematch_costs_one_query_for_the_previous_game(as_: As, over: Game, alice: User, charlie: User) -> None:
    readers = [as_(alice), as_(charlie)]
    for client in readers:
        client.get(address("table", over))
    plain = [cost(client, address("table", over)) for client in readers]
    table = rematch.offer(over, alice)
    # While its table is open, the page asks whether the reader belongs there.
    assert [cost(client, address("table", over)) for client in readers] == [plain[0] + 1, plain[1]]
    rematch.offer(over, User.objects.get(username="bob"))
    assert [cost(client, address("table", over)) for client in readers] == plain
    play.resign(Game.objects.get(pk=table.pk), alice)
    for client in readers:
        client.get(address("table", table))
    assert [cost(client, address("table", table)) for client in readers] == [number + 1 for number in plain]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_rematch_in_two_browsers(page_of: PageOf, faults: Faults, over: Game, alice: User, bob: User) -> None:
    pages = [page_of(user) for user in (alice, bob)]
    found: list[str] = []
    for page in pages:
        page.goto(address("table", over))
    # Both players have a page without a rematch, and click twice.
    for page in pages:
        page.get_by_role("button", name="Rematch").dblclick()
        page.wait_for_url(lambda url: over.key not in url)
    table = Game.objects.get(follows=over)
    assert table.status == "active"
    for page in pages:
        assert table.key in page.url
        page.goto(address("table", over))
        page.get_by_role("link", name="Go to the rematch").wait_for()
        found += faults(page)
    assert found == [], "\n".join(found)
    pages[0].get_by_role("link", name="Same again with…").click()
    pages[0].wait_for_url(f"**{reverse('new')}?like={over.key}")
    assert pages[0].get_by_label("bob", exact=True).is_checked()


def test_no_link_leads_to_a_table_that_the_reader_may_not_see(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = begun([alice, bob], "duel", audience="seats")
    play.resign(game, bob)
    table = rematch.offer(game, alice)
    invitations.decline_seat(table, bob)
    assert offered(as_, bob, game)[0] == "Rematch"
    invitations.invite(table, alice, [charlie], [])
    assert address("table", game) not in as_(charlie).get(address("table", table)).content.decode()
    tables.join(table, charlie)
    table.refresh_from_db()
    assert "Go to the rematch" not in offered(as_, bob, game)
    assert offered(as_, alice, game)[0] == "Go to the rematch"
    play.resign(table, charlie)
    for user, link in ((alice, True), (charlie, False)):
        shown = as_(user).get(address("table", table)).content
        assert "the previous game" in text(shown)
        assert (address("table", game) in shown.decode()) == link
