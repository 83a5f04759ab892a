"""Deleting an account: nothing of the person remains, and nothing of the others changes."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import mail
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import names
from accounts.models import Counter, User
from accounts.services import create_confirmed, keep
from games.models import Game, Invitation, Notice, Preview, Report, Seat
from games.services import play
from games.services.absence import vacations
from games.services.clocks.moment import now
from games.services.mailing import bounces
from games.services.outbox import opt_out
from games.services.play import own_seat
from games.services.privacy import deletion
from games.services.ratings import counting
from games.services.tables import guests, invitations, rematch, reports, tables
from games.services.tables.tables import TableSpec
from games.services.work import previews, sweep
from splendor_site import settings as site
from tests.accounts.pages import PASSWORD, last_code, log_in
from tests.factories import START, acting, at, begun, decide, kinds, post, take_turn
from tests.services.privacy.dump import found

pytestmark = pytest.mark.django_db
NAME, ADDRESS, FORMER, NETWORK = "Rosalind", "rosalind@example.org", "former@example.net", "198.51.100.23"
WORDS = (NAME, names.skeleton(NAME), ADDRESS, FORMER, NETWORK, "Dillo")
"""The name, its look-alike key, the addresses, the network and the browser of the person."""


@pytest.fixture
def browser(settings: Any) -> Client:
    """Her browser; the limits count its requests."""
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    return Client(REMOTE_ADDR=NETWORK, HTTP_USER_AGENT="Dillo/3.0 Firefox/140.0")


@pytest.fixture
def rosalind(db: None) -> User:
    return create_confirmed(NAME, FORMER, PASSWORD, time_zone="Europe/Paris")


@pytest.fixture
def life(browser: Client, rosalind: User, alice: User, bob: User) -> dict[str, Game]:
    """Everything that a person can leave behind on the site; her games by name."""
    dora = create_confirmed("dora", "dora@example.org", PASSWORD)
    invited = tables.create(dora, TableSpec("splendor", 3, addresses=[FORMER, ADDRESS]))
    invitations.accept(Invitation.objects.get(address=FORMER), rosalind)
    # She logs in, at the second attempt, and changes her address.
    browser.post("/account/login/", {"login": NAME, "password": "wrong"})
    log_in(browser, NAME)
    asked = browser.post("/account/email/", {"email": ADDRESS, "action_add": ""})
    if "reauthenticate" in asked["Location"]:
        browser.post(asked["Location"], {"password": PASSWORD})
    browser.post("/account/confirm-email/", {"code": last_code(ADDRESS)})
    rosalind.refresh_from_db()
    assert rosalind.email == ADDRESS
    # A visitor's session in which she asked for a code.
    Client(REMOTE_ADDR=NETWORK).post("/account/password/reset/", {"email": ADDRESS})
    Authenticator.objects.create(user=rosalind, type="webauthn", data={"name": "Rosalind’s key"})
    vacations.begin_vacation(rosalind, 2)
    vacations.end_vacation(rosalind)
    opt_out.refuse(ADDRESS)
    games = {
        "won": begun([rosalind, alice], "duel", audience="anyone", name="At Rosalind’s"),
        "alone": begun([rosalind], "duel", bots=1),
        "mine": begun([alice, rosalind, bob], pace="fast"),
        "others": begun([rosalind, alice], "duel", pace="normal"),
        "hosted": tables.create(rosalind, TableSpec("splendor", 3, invited=[bob], addresses=["carl@example.net"])),
        "joined": tables.create(bob, TableSpec("splendor", 3)),
        "declined": tables.create(bob, TableSpec("splendor", 3, invited=[rosalind])),
        "asked": tables.create(bob, TableSpec("splendor", 3, invited=[rosalind])),
        "invited": invited,
    }
    tables.join(games["joined"], rosalind)
    invitations.decline_seat(games["declined"], rosalind)
    play.resign(games["won"], alice)
    won = Game.objects.with_seats().get(pk=games["won"].pk)
    for text in reports.texts_at(won, [rosalind]):
        reports.report(won, alice, text, "That is Rosalind again.")
    reports.report(won, rosalind, reports.texts_at(won, [alice])[0], "Says Rosalind.")
    sweep.sweep()
    while acting(games["mine"]).user != rosalind:
        take_turn(games["mine"])
    while acting(games["others"]).user == rosalind:
        take_turn(games["others"])
    for game in ("won", "mine"):
        own_seat.keep_note(games[game], rosalind, "Rosalind was here")
    with at(now() + timedelta(hours=1)):
        post()
    bounces.failed(rosalind, f"550 no such mailbox {ADDRESS}")
    return games


def deleted(browser: Client) -> None:
    """Delete the account as a person does: with the password again, and with a button below what is deleted."""
    with at(now() + timedelta(hours=2)):
        asked = browser.get("/settings/delete/")
        page = browser.post(asked["Location"], {"password": PASSWORD}, follow=True)
        assert "Delete your account?" in page.content.decode()
        done = browser.post("/settings/delete/", follow=True)
        assert "Account deleted" in done.content.decode()
        post()


def test_nothing_of_the_person_remains(browser: Client, life: dict[str, Game]) -> None:
    before = found(*WORDS)
    tables_ = {line.split(": ")[0].rsplit(".", 1)[0] for line in before}
    assert tables_ >= {
        "accounts.User", "account.EmailAddress", "mfa.Authenticator", "usersessions.UserSession", "games.Game",
        "games.Seat", "games.Preferences", "games.Invitation", "games.NeverAgain", "games.Notice", "games.Delivery",
        "games.Report",
    }  # fmt: skip
    assert any(line.startswith("sessions.Session:") for line in before)
    pk = User.objects.get(username=NAME).pk
    deleted(browser)
    assert found(*WORDS) == []
    # What she reported about others stays.
    assert list(Report.objects.exclude(text="").values_list("text", "sentence")) == [("alice", "")]
    assert not User.objects.filter(pk=pk).exists()
    assert mail.outbox[-1].to == [ADDRESS]
    assert mail.outbox[-1].subject == "Your Cabochon account is deleted"


@pytest.mark.django_db
def test_no_counter_has_a_network() -> None:
    caches["counters"].set(f"allauth:rl:account:login_failed:10/60/ip:ip:{NETWORK}", [2.5], 60)
    assert caches["counters"].get(f"allauth:rl:account:login_failed:10/60/ip:ip:{NETWORK}") == [2.5]
    assert Counter.objects.count() == 1
    assert found(NETWORK) == []


@pytest.fixture
def games(rosalind: User, alice: User, bob: User) -> dict[str, Game]:
    """Her finished, running and open games by name; she is to act in `mine`, and another in `others`."""
    games = {
        "won": begun([rosalind, alice], "duel", audience="anyone"),
        "mine": begun([alice, rosalind, bob], pace="fast"),
        "others": begun([rosalind, alice, bob], pace="normal"),
        "out": begun([rosalind, alice], "duel", pace="normal", at_zero="forfeit"),
        "hosted": tables.create(rosalind, TableSpec("splendor", 3)),
        "joined": tables.create(bob, TableSpec("splendor", 3)),
    }
    tables.join(games["hosted"], bob)
    tables.join(games["joined"], rosalind)
    play.resign(games["won"], alice)
    while acting(games["mine"]).user != rosalind:
        take_turn(games["mine"])
    while acting(games["others"]).user == rosalind:
        take_turn(games["others"])
    return games


def status(game: Game) -> str:
    return Game.objects.get(pk=game.pk).status


def gone(game: Game) -> Seat:
    """Her former seat."""
    return Seat.objects.get(game=game, user__username__startswith="deleted-")


def test_others_keep_their_results(games: dict[str, Game], rosalind: User) -> None:
    def results() -> list[Any]:
        finished = Seat.objects.filter(game=games["won"]).order_by("pk")
        return list(finished.values_list("pk", "index", "score", "won", "resigned", "absent", "game__number"))

    before = results()
    deletion.delete(rosalind)
    assert results() == before
    number = gone(games["won"]).user.username.removeprefix("deleted-")  # type: ignore[union-attr]
    page = Client().get(f"/table/{games['won'].key}/").content.decode()
    assert f"Deleted player {number}" in page
    page = Client(HTTP_ACCEPT_LANGUAGE="fr").get(f"/table/{games['won'].key}/").content.decode()
    assert f"Joueur supprimé {number}" in page


def test_a_bot_takes_over(games: dict[str, Game], rosalind: User) -> None:
    deletion.delete(rosalind)
    for name in ("mine", "others"):
        assert (status(games[name]), gone(games[name]).caretaker) == ("active", play.CARETAKER)
        assert kinds(games[name])[-1] == "deleted"
    assert Game.objects.get(pk=games["mine"].pk).deadline is None
    assert Game.objects.get(pk=games["others"].pk).deadline is not None
    # Where a player who runs out of time is out, a player who leaves is out too.
    assert (status(games["out"]), gone(games["out"]).absent) == ("finished", True)
    page = Client().get(f"/table/{games['mine'].key}/").content.decode()
    assert "deleted their account. A bot takes over for Deleted player" in page
    decide(games["mine"])
    assert games["mine"].to_act != gone(games["mine"]).index


def test_open_tables_close_or_go_on_without_her(games: dict[str, Game], rosalind: User, bob: User) -> None:
    deletion.delete(rosalind)
    assert Game.objects.get(pk=games["hosted"].pk).ending == "cancelled"
    assert Notice.objects.filter(recipient=bob, key=f"closed:{games['hosted'].pk}").exists()
    assert status(games["joined"]) == "open"
    assert list(Seat.objects.filter(game=games["joined"]).values_list("user", flat=True)) == [bob.pk]


def test_nobody_writes_to_a_deleted_player(games: dict[str, Game], rosalind: User, alice: User, bob: User) -> None:
    deletion.delete(rosalind)
    play.resign(games["mine"], alice)
    play.resign(games["mine"], bob)
    assert status(games["mine"]) == "finished"
    rematch.offer(games["won"], alice)
    assert not Notice.objects.filter(recipient__username__startswith="deleted-").exists()
    assert not Game.invited.through.objects.filter(user__username__startswith="deleted-").exists()


def test_the_picture_of_a_result_is_drawn_again(games: dict[str, Game], rosalind: User) -> None:
    previews.draw(games["won"].pk)
    before = bytes(Preview.objects.get(game=games["won"]).picture or b"")
    deletion.delete(rosalind)
    assert Preview.objects.get(game=games["won"]).picture is None
    previews.draw(games["won"].pk)
    assert bytes(Preview.objects.get(game=games["won"]).picture or b"") not in (b"", before)


def test_the_page_speaks_of_running_games_only_if_there_are_some(rosalind: User, client: Client, alice: User) -> None:
    log_in(client, NAME)
    asked = client.get("/settings/delete/")
    page = client.post(asked["Location"], {"password": PASSWORD}, follow=True).content.decode()
    assert ("What stays" in page, "running game" in page) == (True, False)
    begun([rosalind, alice])
    assert "Your 1 running game: a bot takes your seat" in client.get("/settings/delete/").content.decode()


def test_sessions_of_visitors_are_read_after_the_deletion(rosalind: User) -> None:
    with CaptureQueriesContext(connection) as asked:
        deletion.delete(rosalind)
    told = [query["sql"] for query in asked.captured_queries]
    [scan] = [place for place, sql in enumerate(told) if sql.startswith("SELECT") and "session_data" in sql]
    assert scan > max(place for place, sql in enumerate(told) if sql.startswith("RELEASE"))


def test_a_person_without_games_leaves_no_anonymous_user(rosalind: User) -> None:
    deletion.delete(rosalind)
    assert not User.objects.exists()


def test_a_browser_keeps_its_cookie_when_an_account_is_deleted_after_midnight(client: Client, rosalind: User) -> None:
    midnight = START + timedelta(hours=12)
    with at(midnight - timedelta(minutes=2)):
        log_in(client, NAME)
        asked = client.post("/settings/delete/")
    with at(midnight):
        assert client.post(asked["Location"], {"password": PASSWORD})["Location"] == "/account/deleted/"
    assert client.cookies[settings.BROWSER_COOKIE_NAME].value.partition(":")[0] == str(rosalind.pk)


def test_an_account_is_not_deleted_by_a_request_that_was_given_up(rosalind: User, client: Client) -> None:
    """Only the password at once lets the post go through."""
    with at(START):
        log_in(client, NAME)
    path = "/settings/delete/"
    with at(START + timedelta(hours=2)):
        asked = client.post(path)
        assert asked["Location"].startswith("/account/reauthenticate/")
        # She goes back, and later looks at the page again.
        again = client.get(path)
        client.post(again["Location"], {"password": PASSWORD})
    assert User.objects.filter(pk=rosalind.pk).exists()
    with at(START + timedelta(hours=4)):
        asked = client.post(path)
        client.post(asked["Location"], {"password": PASSWORD})
    assert not User.objects.filter(pk=rosalind.pk).exists()


def test_an_address_that_was_never_confirmed_keeps_its_wishes(rosalind: User, client: Client) -> None:
    stranger = "stranger@example.net"
    opt_out.refuse(stranger)
    opt_out.refuse(FORMER)
    log_in(client, NAME)
    asked = client.post("/account/email/", {"email": stranger, "action_add": ""})
    if "reauthenticate" in asked["Location"]:
        client.post(asked["Location"], {"password": PASSWORD})
    assert last_code(stranger)
    deletion.delete(rosalind)
    assert opt_out.is_refused(stranger)
    assert not opt_out.is_refused(FORMER)


def test_only_names_of_tables_that_name_the_person_are_emptied(rosalind: User, alice: User) -> None:
    kept = {name: begun([alice, rosalind], name=name) for name in ("Chez ROSALIND", "Rosalind’s", "Rosalinda’s")}
    deletion.delete(rosalind)
    assert {name: Game.objects.get(pk=game.pk).name for name, game in kept.items()} == {
        "Chez ROSALIND": "",
        "Rosalind’s": "",
        "Rosalinda’s": "Rosalinda’s",
    }


def test_somebody_who_mentioned_the_address_stays_logged_in(rosalind: User, client: Client) -> None:
    create_confirmed("Bea", "bea@example.org", PASSWORD)
    log_in(client, "Bea")
    session = client.session
    session["written"] = rosalind.email
    session.save()
    deletion.delete(rosalind)
    assert client.get("/settings/").status_code == 200


def test_mails_to_others_stay_whatever_their_address_was(rosalind: User, bob: User) -> None:
    at_her_address = Notice(kind="test", key="test:1", created_at=now(), due_at=now(), address=rosalind.email)
    at_her_address.recipient = bob
    at_her_address.save()
    deletion.delete(rosalind)
    assert Notice.objects.filter(recipient=bob).exists()


def test_a_deleted_name_is_free_again_and_a_number_never_is(rosalind: User, alice: User) -> None:
    begun([rosalind, alice], "duel")
    deletion.delete(rosalind)
    create_confirmed(NAME, ADDRESS, PASSWORD)
    nobody = User.objects.get(username__startswith="deleted-")
    assert names.is_reserved(nobody.username)
    assert (nobody.email, nobody.is_active, nobody.has_usable_password()) == ("", False, False)


def test_nobody_sits_at_a_table_that_the_person_joins_meanwhile(
    rosalind: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, lock = tables.create(alice, TableSpec("splendor", 3)), counting.lock

    def sits_down(*locked: Any) -> None:
        monkeypatch.setattr(counting, "lock", lock)
        tables.join(table, rosalind)
        lock(*locked)

    monkeypatch.setattr(counting, "lock", sits_down)
    deletion.delete(rosalind)
    assert [seat.user for seat in Seat.objects.filter(game=table)] == [alice]
    assert not User.objects.filter(username=NAME).exists()


def test_a_failure_deletes_nothing(rosalind: User, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun([rosalind, alice], "duel")
    monkeypatch.setattr(User, "delete", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        deletion.delete(rosalind)
    assert Seat.objects.filter(game=game, user=rosalind, caretaker="").exists()
    assert User.objects.filter(username=NAME).exists()


@pytest.mark.parametrize("delete", [deletion.forget_guest, deletion.delete])
def test_a_guest_who_makes_an_account_meanwhile_keeps_it(delete: Callable[[User], None]) -> None:
    with at(START):
        game, guest = guests.play_bot("duel", None)
    with at(START + timedelta(days=40)):
        keep(User.objects.get(pk=guest.pk), "ann", "ann@example.net", "UTC")
        delete(guest)
    assert Seat.objects.get(game=game, user=guest).user == User.objects.get(username="ann")
