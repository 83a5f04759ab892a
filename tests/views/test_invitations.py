"""Invitations: asked on the table's page, answered there or by the link in a mail, which acts by a post alone."""

import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.services import create_confirmed
from games.models import Game, Incident, Invitation, Notice, Position, Seat
from games.services import deliveries, invitations, optout, tables
from games.services.tables import Plan
from tests.axe import violations
from tests.browser.conftest import PageOf
from tests.browser.conftest import page_of as page_of  # a fixture
from tests.conftest import person
from tests.views.conftest import As
from tests.views.reading import address, rows, text

pytestmark = pytest.mark.django_db

ANN = "ann@example.net"
SCHEMES: list[Literal["light", "dark"]] = ["light", "dark"]


@pytest.fixture
def alice(db: None) -> User:
    return create_confirmed("alice", "alice@example.org", "correct horse")


@pytest.fixture
def bob(db: None) -> User:
    return create_confirmed("bob", "bob@example.org", "correct horse", time_zone="Europe/Rome")


def asked(alice: User, guest: str = ANN, **plan: Any) -> Invitation:
    """Alice's table, to which that address is invited."""
    fields: dict[str, Any] = {
        "title": "splendor",
        "seats": 3,
        "addresses": [guest],
        "admission": "named",
        "audience": "seats",
    }
    game = tables.create(alice, Plan(**fields | plan))
    return Invitation.objects.select_related("game").get(game=game)


def link(invitation: Invitation) -> str:
    return urlsplit(invitations.accept_url(invitation)).path


def everything() -> list[Any]:
    models: list[Any] = [Game, Seat, Position, Invitation, Notice, Incident, EmailAddress]
    people = User.objects.order_by("pk").values_list("username", "email", "password", "time_zone")
    return [*people, *(list(model.objects.order_by("pk").values()) for model in models)]


def answer(invitation: Invitation) -> str:
    return str(Invitation.objects.get(pk=invitation.pk).answer)


def seated(invitation: Invitation) -> list[str]:
    return [str(seat) for seat in Game.objects.with_seats().get(pk=invitation.game_id).seat_set.all()]


def user_of(client: Client) -> str | None:
    found = re.search(r"<bdi>(.*?)</bdi>", client.get("/").content.decode())
    return found[1] if found else None


def buttons(page: bytes) -> list[str]:
    main = page.decode().split("<main", 1)[1].split("</main>", 1)[0]
    found = re.findall(r"<button[^>]*>(.*?)</button>", main, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", words).split()) for words in found]


# --- the page of the table ---


def test_the_maker_sees_who_is_asked_and_takes_it_back(as_: As, alice: User, bob: User, charlie: User) -> None:
    client, invitation = as_(alice), asked(alice, invited=[bob])
    game = invitation.game
    page = client.get(address("table", game)).content
    assert "bob no answer yet Take back : bob ann@example.net no answer yet Take back : ann@example.net" in text(page)
    for guest in ("bob", ANN, ANN, "nobody", "\0", ""):
        answered = client.post(address("revoke", game), {"guest": guest})
        assert (answered.status_code, answered["Location"]) == (302, address("table", game))
    assert "no answer yet" not in text(client.get(address("table", game)).content)
    assert (list(game.invited.all()), answer(invitation)) == ([], "revoked")
    assert as_(bob).get(address("table", game)).status_code == 404
    assert as_(charlie).post(address("revoke", game), {"guest": "bob"}).status_code == 404


def test_the_maker_asks_more(as_: As, alice: User, bob: User, charlie: User) -> None:
    client, game = as_(alice), tables.create(alice, Plan("splendor", 4))
    answered = client.post(address("invite", game), {"guests": "bob, Charlie ann@example.net"}, follow=True)
    assert "Invited: bob, charlie and ann@example.net." in text(answered.content)
    assert set(game.invited.all()) == {bob, charlie}
    assert Invitation.objects.get().address == ANN
    assert [f"{one.recipient or one.address}" for one in Notice.objects.order_by("pk")] == ["bob", "charlie", ANN]


@pytest.mark.parametrize(
    ("guests", "words"),
    [
        ("", "This field is required."),
        ("zoe", "There is no player called zoe."),
        ("bob ann@", "“ann@” is not an e-mail address."),
        ("x" * 1001, "These are too many names for one table."),
        ("bob\0", "Null characters are not allowed."),
    ],
)
def test_whom_one_cannot_ask(as_: As, alice: User, bob: User, guests: str, words: str) -> None:
    game = tables.create(alice, Plan("splendor", 4))
    before = everything()
    answered = as_(alice).post(address("invite", game), {"guests": guests})
    assert answered.status_code == 422
    assert words in text(answered.content)
    assert everything() == before


def test_others_do_not_ask(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, Plan("splendor", 4))
    tables.join(game, bob)
    before = everything()
    for user in (bob, charlie):
        answered = as_(user).post(address("invite", game), {"guests": "charlie"}, follow=True)
        assert "Only who made the table can do that." in text(answered.content)
    assert everything() == before
    tables.cancel(game, alice)
    answered = as_(alice).post(address("invite", game), {"guests": "bob"}, follow=True)
    assert "This table is not open any more." in text(answered.content)


def test_what_others_read_of_the_guests(as_: As, alice: User, bob: User, charlie: User) -> None:
    dora, emil = person("dora"), person("emil")
    game = asked(alice, invited=[bob, charlie], audience="link", seats=4).game
    tables.join(game, bob)
    invitations.decline_seat(game, charlie)
    invitations.invite(game, alice, [dora])
    pages = {user: text(as_(user).get(address("table", game)).content) for user in (alice, bob, charlie, dora, emil)}
    guests = {user: page.partition("no answer yet")[1] and "dora no answer yet" in page for user, page in pages.items()}
    assert guests == {alice: True, bob: True, charlie: "", dora: "", emil: ""}
    assert [user for user, page in pages.items() if "charlie said no" in page] == [alice, bob, dora]
    assert [user for user, page in pages.items() if ANN in page] == [alice]
    assert [user for user, page in pages.items() if "And 1 person by mail." in page] == [bob, dora]
    assert [user for user, page in pages.items() if "alice invites you to this table." in page] == [dora]


@pytest.mark.parametrize("by", ["name", "address"])
def test_who_is_asked_finds_the_table_and_answers_there(as_: As, alice: User, bob: User, by: str) -> None:
    for word in ("join", "decline"):
        if by == "name":
            game = tables.create(alice, Plan("splendor", 3, invited=[bob], admission="named", audience="seats"))
        else:
            game = asked(alice, "bob@example.org").game
        client = as_(bob)
        assert address("table", game) in client.get(reverse("mine")).content.decode()
        assert buttons(client.get(address("table", game)).content) == ["Sit down", "Decline"]
        answered = client.post(address(word, game), follow=True)
        assert answered.status_code == 200
        assert game.seat_set.filter(user=bob).exists() == (word == "join")
        if word == "decline":
            assert "You said no; it is shown at the table." in text(answered.content)
            assert client.get(address("table", game)).status_code == 404
    said_no = as_(alice).get(address("table", game)).content
    assert f"{'bob' if by == 'name' else 'bob@example.org'} said no" in text(said_no)


def test_a_table_says_what_is_agreed(as_: As, alice: User, charlie: User) -> None:
    game = tables.create(alice, Plan("duel", 2, pace="days", days=3, at_zero="forfeit", vacations=False))
    page = text(as_(charlie).get(address("table", game)).content)
    assert "How fast 3 days for every turn The clock 3 d for every turn; what is left over is not kept." in page
    assert "Whose time is up is out of the game. Clocks run on during vacations." in page
    other = tables.create(alice, Plan("duel", 2, pace="none"))
    page = text(as_(charlie).get(address("table", other)).content)
    assert "How fast as long as it takes Who may sit down" in page


# --- what the link shows ---


def test_it_shows_what_one_is_invited_to(as_: As, alice: User, bob: User) -> None:
    invitation = asked(alice, pace="fast", vacations=False, bots=["greedy"])
    page = as_(None).get(link(invitation)).content
    assert "alice invites you to Splendor At the table: alice and Greedy bot. One seat is free." in text(page)
    assert "1 d to begin with, 8 h more after every turn, 3 d at most." in text(page)
    assert "When somebody’s time is up, a bot plays on until they are back. Clocks run on during vacations." in text(
        page
    )
    assert 'name="username" value="ann"' in page.decode()
    assert buttons(page) == ["Sit down and play", "Decline"]
    [never] = re.findall(r'href="(\S+)">Never write to me again', page.decode())
    assert as_(None).get(never).status_code == 200
    other = as_(bob).get(link(invitation)).content
    assert buttons(other) == ["Sit down as bob", "Sit down with a new account", "Decline"]
    own = asked(alice, "bob@example.org")
    assert buttons(as_(bob).get(link(own)).content) == ["Sit down and play", "Decline"]
    assert buttons(as_(None).get(link(own)).content) == ["Sit down and play", "Decline"]
    assert buttons(as_(alice).get(link(own)).content) == []
    assert "You sit at this table" in text(as_(alice).get(link(own)).content)


def test_looking_changes_nothing_and_is_not_kept(as_: As, alice: User, bob: User) -> None:
    invitation = asked(alice)
    before = everything()
    for user in (None, alice, bob):
        for method in ("get", "head", "get"):
            answered = getattr(as_(user), method)(link(invitation), headers={"Purpose": "prefetch"})
            assert answered.status_code == 200
            assert "no-store" in answered["Cache-Control"]
            assert answered["Referrer-Policy"] == "same-origin"
        for method in ("put", "delete", "patch"):
            assert getattr(as_(user), method)(link(invitation)).status_code == 405
    assert everything() == before


def test_a_link_that_nobody_made(as_: As, alice: User) -> None:
    path = link(asked(alice))
    before = everything()
    for forged in (f"/i/{'x' * 2000}/", "/i/1/", "/i/%00/", "/i/1.%FF/", f"{path[:-2]}/", path.upper(), "/i/9.x/"):
        for method in ("get", "post"):
            assert getattr(as_(None), method)(forged).status_code == 404
    assert everything() == before


# --- what it does ---


def post(client: Client, invitation: Invitation, **data: str) -> Any:
    return client.post(link(invitation), data)


def test_one_click_makes_an_account_and_sits_down(as_: As, alice: User) -> None:
    invitation, client = asked(alice), as_(None)
    zone = {"time_zone": "Europe/Paris"}
    answered = post(client, invitation, username="ann", **zone)
    assert (answered.status_code, answered["Location"]) == (302, address("table", invitation.game))
    page = text(client.get(answered["Location"]).content)
    assert "You sit down as ann. You have no password yet: choose one in your settings" in page
    assert (user_of(client), seated(invitation), answer(invitation)) == ("ann", ["alice", "ann"], "accepted")
    ann = User.objects.get(username="ann")
    assert (ann.email, ann.time_zone, ann.has_usable_password()) == (ANN, "Europe/Paris", False)
    assert EmailAddress.objects.filter(user=ann, email=ANN, verified=True, primary=True).exists()
    # The account is a whole one: a password can be set, and logs in.
    new = {"password1": "three blue sapphires"}
    assert client.post(reverse("account_set_password"), new).status_code == 302
    other = as_(None)
    assert other.post("/account/login/", {"login": "ann", "password": "three blue sapphires"}).status_code == 302
    assert user_of(other) == "ann"
    # Nothing but the invitation was mailed for that.
    assert [one.subject for one in mail.outbox if "code" in one.subject.lower()] == []


def test_without_a_time_zone_it_is_asked_next(as_: As, alice: User) -> None:
    invitation = asked(alice)
    answered = post(as_(None), invitation, username="ann")
    assert answered["Location"] == f"/settings/time-zone/?next=%2Ftable%2F{invitation.game.key}%2F"


def test_a_code_by_mail_opens_the_new_account_elsewhere(as_: As, alice: User) -> None:
    invitation, client = asked(alice), as_(None)
    post(client, invitation, username="ann", time_zone="UTC")
    mail.outbox.clear()
    other = as_(None)
    assert other.post(reverse("account_reset_password"), {"email": ANN}).status_code == 302
    [message] = mail.outbox
    assert message.to == [ANN]
    assert re.search(r"^[B-Z]{4}-[B-Z]{4}$", str(message.body), re.MULTILINE)


@pytest.mark.parametrize(
    ("username", "words"),
    [
        ("", "This field is required."),
        ("al", "at least 3 characters"),
        ("bob", "taken"),
        ("B0B", "taken"),
        ("admin", "kept for the site"),
        ("a b", "Use letters and digits"),
        ("x" * 21, "at most 20 characters"),
        ("ann\0", "Null characters are not allowed."),
        ("<b>ann</b>", "Use letters and digits"),
    ],
)
def test_a_name_that_cannot_be(as_: As, alice: User, bob: User, username: str, words: str) -> None:
    invitation = asked(alice)
    before = everything()
    answered = post(as_(None), invitation, username=username)
    assert answered.status_code == 422
    assert words in text(answered.content)
    assert everything() == before


def test_clicked_twice(as_: As, alice: User) -> None:
    """The second click comes before the answer to the first, so without its cookie; both end at the table."""
    with time_machine.travel(invited_at := asked(alice).at, tick=False) as clock:
        invitation = Invitation.objects.get()
        first, second, late = (as_(None) for _ in range(3))
        for client in (first, second):
            answered = post(client, invitation, username="ann", time_zone="UTC")
            assert answered["Location"] == address("table", Game.objects.get())
            assert user_of(client) == "ann"
        assert User.objects.count() == 2
        # Later the link logs nobody in.
        clock.move_to(invited_at + timedelta(minutes=2))
        answered = late.post(link(invitation), {"username": "ann"}, follow=True)
        assert "ann has a seat Log in as ann to play there." in text(answered.content)
        assert user_of(late) is None
    assert seated(invitation) == ["alice", "ann"]


def test_who_has_an_account_gets_the_seat_and_logs_in(as_: As, alice: User, bob: User) -> None:
    invitation, client = asked(alice, "bob@example.org"), as_(None)
    for _ in range(2):
        answered = client.post(link(invitation), follow=True)
        assert "bob has a seat Log in as bob to play there." in text(answered.content)
        login = f"/account/login/?next=%2Ftable%2F{invitation.game.key}%2F"
        assert login in answered.content.decode()
        assert (seated(invitation), user_of(client)) == (["alice", "bob"], None)
    assert User.objects.count() == 2


def test_who_is_logged_in_as_that_account_plays(as_: As, alice: User, bob: User) -> None:
    invitation, client = asked(alice, "bob@example.org"), as_(bob)
    for _ in range(2):
        assert post(client, invitation)["Location"] == address("table", invitation.game)
    assert seated(invitation) == ["alice", "bob"]


@pytest.mark.parametrize("guest", [ANN, "dora@example.org"])
@pytest.mark.parametrize("who", ["me", "address"])
def test_who_is_logged_in_as_another_says_who_sits_down(as_: As, alice: User, bob: User, guest: str, who: str) -> None:
    create_confirmed("dora", "dora@example.org", "correct horse", time_zone="UTC")
    invitation, client = asked(alice, guest), as_(bob)
    before = everything()
    for unclear in ({}, {"as": "somebody"}):
        assert post(client, invitation, username="ann", **unclear).status_code == 422
    assert everything() == before
    for _ in range(2):
        answered = post(client, invitation, username="ann", time_zone="UTC", **{"as": who})
        assert answered.status_code == 302
    if who == "me":
        assert (answered["Location"], user_of(client)) == (address("table", invitation.game), "bob")
        assert seated(invitation) == ["alice", "bob"]
    elif guest == ANN:
        assert (answered["Location"], user_of(client)) == (address("table", invitation.game), "ann")
        assert seated(invitation) == ["alice", "ann"]
    else:
        page = text(client.get(answered["Location"]).content)
        assert "dora has a seat You are logged in as bob. Log out, and log in as dora to play there." in page
        assert (user_of(client), seated(invitation)) == ("bob", ["alice", "dora"])


def test_no_and_then_yes(as_: As, alice: User) -> None:
    invitation, client = asked(alice), as_(None)
    for _ in range(2):
        assert post(client, invitation, answer="no")["Location"] == link(invitation)
    page = client.get(link(invitation)).content
    assert "You said no, and alice sees it." in text(page)
    assert buttons(page) == ["Sit down and play"]
    assert "ann@example.net said no" in text(as_(alice).get(address("table", invitation.game)).content)
    post(client, invitation, username="ann")
    assert seated(invitation) == ["alice", "ann"]
    # Who sits there leaves by the table.
    assert post(client, invitation, answer="no").status_code == 409
    assert (answer(invitation), seated(invitation)) == ("accepted", ["alice", "ann"])


def revoke(invitation: Invitation, alice: User) -> None:
    invitations.revoke(invitation.game, alice, ANN)


def begin(invitation: Invitation, alice: User) -> None:
    Game.objects.filter(pk=invitation.game_id).update(admission="link")
    for name in ("dora", "emil"):
        tables.join(invitation.game, person(name))


def cancel(invitation: Invitation, alice: User) -> None:
    tables.cancel(invitation.game, alice)


def expire(invitation: Invitation, alice: User) -> None:
    with time_machine.travel(invitation.at + timedelta(days=15)):
        tables.expire()


def answer_as_another(invitation: Invitation, alice: User) -> None:
    other = person("other")
    invitations.accept(invitation, other)
    tables.leave(invitation.game, other)


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (revoke, "The invitation was taken back alice has other plans for this seat."),
        (begin, "The table is full Others were quicker"),
        (cancel, "This table is closed It was cancelled before the game began."),
        (expire, "This table is closed It did not fill in time."),
        (answer_as_another, "This invitation was answered Somebody has sat down by this link already."),
    ],
)
def test_too_late(as_: As, alice: User, bob: User, happens: Any, words: str) -> None:
    invitation = asked(alice)
    happens(invitation, alice)
    before = everything()
    for user in (None, bob):
        client = as_(user)
        page = client.get(link(invitation))
        assert (page.status_code, words in text(page.content)) == (200, True)
        assert buttons(page.content) == []
        for data in ({"username": "ann"}, {"as": "me"}, {"as": "address", "username": "ann"}, {"answer": "no"}):
            answered = client.post(link(invitation), data)
            assert (answered.status_code, words in text(answered.content)) == (409, True)
    assert everything() == before


def test_who_may_sit_at_no_more_tables(as_: As, alice: User, bob: User, settings: Any) -> None:
    settings.NEWCOMER_TABLES = 1
    create_confirmed("dora", "dora@example.org", "correct horse")
    tables.create(bob, Plan("duel", 2))
    settings.NEWCOMER_TABLES = 2
    tables.create(bob, Plan("duel", 2))
    invitation = asked(alice, "bob@example.org")
    before = everything()
    answered = post(as_(bob), invitation)
    assert (answered.status_code, answered["Retry-After"]) == (429, "86401")
    assert "You sit at as many tables as somebody may" in text(answered.content)
    assert everything() == before


def test_a_post_without_its_token_is_refused(alice: User) -> None:
    invitation = asked(alice)
    before = everything()
    client = Client(enforce_csrf_checks=True)
    assert client.post(link(invitation), {"username": "ann"}).status_code == 403
    assert everything() == before


def test_a_mail_leads_there_and_never_again_is_kept(as_: As, alice: User, bob: User) -> None:
    """The whole way, by mails."""
    game = tables.create(alice, Plan("splendor", 4, addresses=[ANN, "bea@example.net", "bob@example.org"]))
    for notice in Notice.objects.all():
        deliveries.deliver(notice.pk)
    links = {message.to[0]: re.findall(r"http://\S+/i/\S+/", str(message.body))[0] for message in mail.outbox}
    assert set(links) == {ANN, "bea@example.net", "bob@example.org"}
    for invitation in game.invitation_set.all():
        assert links[invitation.address] == invitations.accept_url(invitation)
    optout.refuse("bea@example.net")
    mail.outbox.clear()
    again = tables.create(alice, Plan("splendor", 4, addresses=[ANN, "bea@example.net"]))
    for notice in Notice.objects.filter(game=again):
        deliveries.deliver(notice.pk)
    assert [message.to for message in mail.outbox] == [[ANN]]
    page = text(as_(alice).get(address("table", again)).content)
    assert "ann@example.net no answer yet" in page
    assert "bea@example.net no answer yet" in page


# --- hostile ---

NONSENSE = ["", " ", "\0", "é\u202e💎", "' OR 1=1 --", "<script>", "9" * 4400, "me", "address", "no", "ann", "bob"]


def requests(rng: Random, path: str) -> Iterator[tuple[str, dict[str, str]]]:
    for _ in range(150):
        names = rng.sample(["as", "answer", "username", "time_zone", "guest", "guests", "x"], 4)
        yield path, {name: rng.choice(NONSENSE) for name in names}


def test_nonsense_is_refused_and_changes_nothing(as_: As, alice: User, bob: User, charlie: User) -> None:
    """What nobody may do, and what is no answer: charlie has no part in it, and no name of the nonsense is free."""
    rng = Random(1)
    create_confirmed("ann", "other@example.net", "correct horse")
    invitation = asked(alice, invited=[bob])
    cancelled = asked(alice)
    tables.cancel(cancelled.game, alice)
    game = invitation.game
    before = everything()
    paths = [link(cancelled), *(address(name, game) for name in ("invite", "revoke", "decline", "rematch"))]
    for path in paths:
        client = as_(charlie)
        for where, data in requests(rng, path):
            assert client.post(where, data).status_code in (302, 404, 409), data
    for where, data in requests(rng, link(invitation)):
        if data.get("answer") != "no" and data.get("as") != "me":
            assert as_(charlie).post(where, data).status_code == 422, data
    assert everything() == before


# --- open tables ---


def test_open_tables_by_what_they_play(as_: As, alice: User, bob: User, charlie: User) -> None:
    plans = [("duel", 2, "fast"), ("splendor", 2, "none"), ("splendor", 4, "fast"), ("splendor", 4, "normal")]
    keys = {plan: tables.create(alice, Plan(*plan[:2], pace=plan[2], admission="open")).short_key for plan in plans}
    tables.create(alice, Plan("splendor", 4))
    tables.create(bob, Plan("splendor", 4, admission="open"))
    client = as_(bob)

    def found(**asked_for: str) -> list[str]:
        page = client.get(reverse("open"), asked_for)
        assert page.status_code == 200
        return [key for row in rows(page.content, "open") for key in re.findall(r"#\w{4}", row)]

    newest_first = [keys[plan] for plan in reversed(plans)]
    assert found() == newest_first
    assert found(title="duel") == [keys[plans[0]]]
    assert found(seats="4") == [keys[plans[3]], keys[plans[2]]]
    assert found(title="splendor", pace="fast", seats="4") == [keys[plans[2]]]
    assert found(title="duel", pace="none") == []
    assert "No such table waits for players just now." in text(client.get(reverse("open"), {"pace": "days"}).content)
    for nonsense in ("chess", "\0", "' OR 1=1 --", "9" * 400):
        assert found(title=nonsense, seats=nonsense, pace=nonsense, page=nonsense) == newest_first
    assert as_(None).get(reverse("open"))["Location"] == f"/account/login/?next={reverse('open')}"


# --- how much it costs ---


def cost(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def test_pages_ask_the_database_as_often_however_many_there_are(as_: As, alice: User, bob: User) -> None:
    client, costs = as_(alice), []
    for number in (1, 9):
        people = [person(f"guest{number}{place}") for place in range(number)]
        game = tables.create(alice, Plan("splendor", 4, invited=people))
        invitations.invite(game, alice, [], [f"a{number}{place}@example.net" for place in range(min(number, 5))])
        for one in people[: number // 2]:
            invitations.decline_seat(game, one)
        for _ in range(number):
            tables.create(bob, Plan("splendor", 4, bots=["greedy"], admission="open"))
        paths = (address("table", game), link(Invitation.objects.last()), reverse("open"), reverse("new"))  # type: ignore[arg-type]
        costs.append([cost(client, path) for path in paths])
    # Each with the session and its person. The table: itself, seats, guests by name, by mail, those who said no, its
    # maker. The link: the invitation, table, seats, whose address it is. Open tables: how many, those, their seats. A
    # new one: people one played with.
    assert costs[0] == costs[1]
    assert costs[0] == [2 + 6, 2 + 4, 2 + 3, 2 + 1]


# --- in a browser ---


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_from_the_mail_to_the_table_in_a_browser(page_of: PageOf, alice: User) -> None:
    invitation = asked(alice, seats=2, title="duel")
    page = page_of(None)
    found = []
    for state in ("offer", "wrong", "declined"):
        page.goto(link(invitation))
        if state == "wrong":
            page.get_by_label("User name").fill("admin")
            page.get_by_role("button", name="Sit down and play").click()
            page.get_by_text("kept for the site").wait_for()
        if state == "declined":
            page.get_by_role("button", name="Decline").click()
            page.get_by_text("You said no").wait_for()
        for size in ((1366, 768), (360, 740)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                found.append(violations(page))
                assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert found == [""] * len(found)
    page.get_by_role("button", name="Sit down and play").click()
    page.wait_for_url("**/table/*/")
    assert page.get_by_text("You sit down as ann.").is_visible()
    assert User.objects.get(username="ann").time_zone != ""
    assert Game.objects.get().status == "active"
