"""Invitations on the table's page, and tables that are open to all."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Invitation, Notice
from games.services.tables import invitations, tables
from games.services.tables.tables import TableSpec
from tests.factories import As, person
from tests.views.invitations.asked import ANN, answer, asked, buttons, everything, link
from tests.views.reading import address, rows, text

pytestmark = pytest.mark.django_db

# --- the page of the table ---


def test_the_host_sees_the_guests_and_withdraws_invitations(as_: As, alice: User, bob: User, charlie: User) -> None:
    client, invitation = as_(alice), asked(alice, invited=[bob])
    game = invitation.game
    page = client.get(address("table", game)).content
    assert "bob hasn’t answered yet Withdraw ann@example.net hasn’t answered yet Withdraw" in text(page)
    for guest in ("bob", ANN, ANN, "nobody", "\0", ""):
        answered = client.post(address("revoke", game), {"guest": guest})
        assert (answered.status_code, answered["Location"]) == (302, address("table", game))
    assert "hasn’t answered yet" not in text(client.get(address("table", game)).content)
    assert (list(game.invited.all()), answer(invitation)) == ([], "revoked")
    assert as_(bob).get(address("table", game)).status_code == 404
    assert as_(charlie).post(address("revoke", game), {"guest": "bob"}).status_code == 404


def test_the_host_invites_more_people(as_: As, alice: User, bob: User, charlie: User) -> None:
    client, game = as_(alice), tables.create(alice, TableSpec("splendor", 4))
    answered = client.post(address("invite", game), {"guests": "bob, Charlie ann@example.net"}, follow=True)
    assert "Invited: bob, charlie and ann@example.net." in text(answered.content)
    assert set(game.invited.all()) == {bob, charlie}
    assert Invitation.objects.get().address == ANN
    assert [f"{one.recipient or one.address}" for one in Notice.objects.order_by("pk")] == ["bob", "charlie", ANN]


@pytest.mark.parametrize(
    ("guests", "words"),
    [
        ("", "This field is required."),
        ("zoe", "Unknown player: zoe. Check the spelling."),
        ("bob ann@", "“ann@” isn’t an email address."),
        ("x" * 1001, "That’s too many names for one table."),
        ("bob\0", "Null characters are not allowed."),
    ],
)
def test_impossible_guests_are_refused(as_: As, alice: User, bob: User, guests: str, words: str) -> None:
    game = tables.create(alice, TableSpec("splendor", 4))
    before = everything()
    answered = as_(alice).post(address("invite", game), {"guests": guests})
    assert answered.status_code == 422
    assert words in text(answered.content)
    assert everything() == before


def test_the_address_of_a_form_leads_back_to_the_table(as_: As, alice: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 4))
    refused = as_(alice).get(address("invite", game))
    assert refused.status_code == 405
    assert f'href="{address("table", game)}">Open that page</a>' in refused.content.decode()


def test_the_host_is_told_who_has_declined(as_: As, alice: User) -> None:
    invitation = asked(alice)
    invitations.decline(invitation)
    page = as_(alice).post(address("invite", invitation.game), {"guests": f"{ANN} bea@example.net"}, follow=True)
    assert f"Invited: bea@example.net. {ANN} has declined." in text(page.content)
    page = as_(alice).post(address("invite", invitation.game), {"guests": ANN}, follow=True)
    assert "Invited:" not in text(page.content).split("Invited players")[0]


def test_the_host_is_told_only_of_people_who_are_asked(as_: As, alice: User, bob: User) -> None:
    game = asked(alice, "bob@example.org", admission="link", audience="link").game
    tables.join(game, bob)

    for guests, told in (
        ("bob bob@example.org alice@example.org", "Nobody new was invited."),
        ("bob ann@example.net", "Invited: ann@example.net."),
    ):
        page = as_(alice).post(address("invite", game), {"guests": guests}, follow=True)
        assert told in text(page.content)


def test_somebody_who_leaves_a_private_table_sees_their_own_tables(as_: As, alice: User, bob: User) -> None:
    client, game = as_(bob), asked(alice, "bob@example.org").game
    client.post(address("join", game))
    assert client.post(address("leave", game))["Location"] == reverse("mine")
    assert "bob hasn’t answered yet" not in text(as_(alice).get(address("table", game)).content)


def test_only_the_host_of_an_open_table_invites(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 4))
    tables.join(game, bob)
    before = everything()
    for user in (bob, charlie):
        answered = as_(user).post(address("invite", game), {"guests": "charlie"}, follow=True)
        assert "Only the host can do that." in text(answered.content)
    assert everything() == before
    tables.cancel(game, alice)
    answered = as_(alice).post(address("invite", game), {"guests": "bob"}, follow=True)
    assert "This table is no longer open." in text(answered.content)


def test_readers_see_the_guests_they_may_know(as_: As, alice: User, bob: User, charlie: User) -> None:
    dora, emil = person("dora"), person("emil")
    game = asked(alice, invited=[bob, charlie], audience="link", seats=4).game
    tables.join(game, bob)
    invitations.decline_seat(game, charlie)
    invitations.invite(game, alice, [dora])
    pages = {user: text(as_(user).get(address("table", game)).content) for user in (alice, bob, charlie, dora, emil)}
    guests = {
        user: page.partition("hasn’t answered yet")[1] and "dora hasn’t answered yet" in page
        for user, page in pages.items()
    }
    assert guests == {alice: True, bob: True, charlie: "", dora: "", emil: ""}
    assert [user for user, page in pages.items() if "charlie declined" in page] == [alice, bob, dora]
    assert [user for user, page in pages.items() if ANN in page] == [alice]
    assert [user for user, page in pages.items() if "And 1 person by email." in page] == [bob, dora]
    assert [user for user, page in pages.items() if "alice invites you to this table." in page] == [dora]


def test_readers_see_how_many_others_are_invited_by_mail(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = asked(alice, admission="link", audience="link").game
    tables.join(game, bob)
    assert "Invited players And 1 person by email." in text(as_(bob).get(address("table", game)).content)
    assert "by email." not in text(as_(charlie).get(address("table", game)).content)
    other = asked(alice, charlie.email).game
    assert "by email." not in text(as_(charlie).get(address("table", other)).content)


@pytest.mark.parametrize("by", ["name", "address"])
def test_a_guest_finds_the_table_and_answers_there(as_: As, alice: User, bob: User, by: str) -> None:
    for word in ("join", "decline"):
        if by == "name":
            game = tables.create(alice, TableSpec("splendor", 3, invited=[bob], admission="named", audience="seats"))
        else:
            game = asked(alice, "bob@example.org").game
        client = as_(bob)
        assert address("table", game) in client.get(reverse("mine")).content.decode()
        assert buttons(client.get(address("table", game)).content) == ["Join", "Decline"]
        answered = client.post(address(word, game), follow=True)
        assert answered.status_code == 200
        assert game.seat_set.filter(user=bob).exists() == (word == "join")
        if word == "decline":
            assert "You declined. The others can see it at the table." in text(answered.content)
            assert client.get(address("table", game)).status_code == 404
    said_no = as_(alice).get(address("table", game)).content
    assert f"{'bob' if by == 'name' else 'bob@example.org'} declined" in text(said_no)


def test_a_table_shows_its_terms(as_: As, alice: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2, pace="days", days=3, at_zero="forfeit", vacations=False))
    page = text(as_(charlie).get(address("table", game)).content)
    assert "Pace 3 days per turn Clock 3 days per turn. Unused time doesn’t carry over." in page
    assert "A player whose time runs out is out. Clocks keep running during vacations." in page
    other = tables.create(alice, TableSpec("duel", 2, pace="none"))
    page = text(as_(charlie).get(address("table", other)).content)
    assert "Pace no time limit Rating This game isn’t rated. Open to" in page


# --- open tables ---


def test_open_tables_can_be_searched(as_: As, alice: User, bob: User, charlie: User) -> None:
    specs = [("duel", 2, "fast"), ("splendor", 2, "none"), ("splendor", 4, "fast"), ("splendor", 4, "normal")]
    keys = {
        spec: tables.create(alice, TableSpec(*spec[:2], pace=spec[2], admission="open")).short_key for spec in specs
    }
    tables.create(alice, TableSpec("splendor", 4))
    tables.create(bob, TableSpec("splendor", 4, admission="open"))
    client = as_(bob)

    def found(**asked_for: str) -> list[str]:
        page = client.get(reverse("open"), asked_for)
        assert page.status_code == 200
        return [key for row in rows(page.content, "open") for key in re.findall(r"#\w{4}", row)]

    newest_first = [keys[spec] for spec in reversed(specs)]
    assert found() == newest_first
    assert found(title="duel") == [keys[specs[0]]]
    assert found(seats="4") == [keys[specs[3]], keys[specs[2]]]
    assert found(title="splendor", pace="fast", seats="4") == [keys[specs[2]]]
    assert found(title="duel", pace="none") == []
    assert "No tables match." in text(client.get(reverse("open"), {"pace": "days"}).content)
    for nonsense in ("chess", "\0", "' OR 1=1 --", "9" * 400):
        assert found(title=nonsense, seats=nonsense, pace=nonsense, page=nonsense) == newest_first
    assert as_(None).get(reverse("open"))["Location"] == f"/account/login/?next={reverse('open')}"


# --- queries ---


def cost(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def test_queries_do_not_grow(as_: As, alice: User, bob: User) -> None:
    client, costs = as_(alice), []
    for number in (1, 9):
        people = [person(f"guest{number}{place}") for place in range(number)]
        game = tables.create(alice, TableSpec("splendor", 4, invited=people))
        invitations.invite(game, alice, [], [f"a{number}{place}@example.net" for place in range(min(number, 5))])
        for one in people[: number // 2]:
            invitations.decline_seat(game, one)
        for _ in range(number):
            tables.create(bob, TableSpec("splendor", 4, bots=["greedy"], admission="open"))
        paths = (address("table", game), link(Invitation.objects.last()), reverse("open"), reverse("new"))  # type: ignore[arg-type]
        costs.append([cost(client, path) for path in paths])
    # Each page reads the session and its user. The table's page also reads the table, the seats, guests by name and by
    # mail, refusals, the host and the reader's rating; the link's page the invitation, table, seats, the owner of the
    # address and their rating; the list of open tables the tables and their seats; the form for a new table the user's
    # running games, the last finished ones, and the last tables with their seats.
    assert costs[0] == costs[1]
    assert costs[0] == [2 + 7, 2 + 5, 2 + 2, 2 + 4]
