"""What people want to be told of, what became of it, and less of it by one click."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from importlib import reload
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import clear_url_caches

from accounts.models import User, Vacation
from games.models import Delivery, Game, NeverAgain, Notice, Preferences, Seat
from games.services import deliveries, notices, optout, pauses, preferences, site, tables, trouble
from games.services.moment import now
from splendor_site import urls
from tests.conftest import person
from tests.smtp import MailServer
from tests.views.conftest import As
from tests.views.reading import text

pytestmark = pytest.mark.django_db

Kind = Notice.Kind
EVERYTHING = {
    "mails": "",
    "acting": ["turn", "unfinished", "reminder"],
    "tables": ["started", "absence", "finished", "closed"],
    "offers": ["invited", "rematch"],
    "delay": "3",
    "reminders": ["50", "25", "2h"],
    "more": ["links"],
}
"""The form as it is for who never changed anything."""
SETTINGS = "/settings/mail/"
LIST = "/settings/mail/deliveries/"
BANNER = "Mails do not reach you"
GONE = "550 5.1.1 no such mailbox here"


def path(url: str) -> str:
    return url.removeprefix(site.url(""))


def owe_test(user: User) -> None:
    """A mail to that person, handed over now."""
    notices.owe(Kind.TEST, user, key=f"test:{now().isoformat()}")
    for notice in Notice.objects.due(now()).filter(recipient=user):
        deliveries.deliver(notice.pk)


# --- wishes ---


@pytest.mark.parametrize("address", [SETTINGS, LIST, "/settings/vacation/"])
def test_strangers_are_asked_to_log_in(as_: As, address: str) -> None:
    assert as_(None).get(address)["Location"] == f"/account/login/?next={address}"


@pytest.mark.parametrize(
    "address",
    ["/settings/mail/test/", "/settings/mail/works/", "/settings/vacation/back/", "/table/ABC/mute/"],
)
def test_what_only_posts_change(as_: As, alice: User, address: str) -> None:
    assert as_(None).post(address)["Location"] == f"/account/login/?next={address}"
    assert as_(alice).get(address).status_code == 405


def test_who_never_chose_has_everything(as_: As, alice: User) -> None:
    page = as_(alice).get(SETTINGS)
    form = page.context["form"]
    chosen = {field.name: field.value() for field in form}
    assert chosen["reminders"] == ["50", "25", "2h"]
    assert (chosen["mails"], chosen["delay"], chosen["more"]) == ("", 3, ["links"])
    assert page.content.decode().count(" checked") == 1 + 9 + 1 + 3 + 1

    as_(alice).post(SETTINGS, EVERYTHING)
    kept, default = Preferences.objects.get(user=alice), Preferences(user=alice)
    names = ("off", "delay", "reminders", "always", "links", "trouble")
    assert [getattr(kept, name) for name in names] == [getattr(default, name) for name in names]


def test_wishes_are_kept_and_shown(as_: As, alice: User, bob: User) -> None:
    trouble.failed(alice, GONE)
    wishes = {
        "mails": "",
        "acting": ["turn"],
        "offers": ["invited"],
        "delay": "0",
        "reminders": ["10", "24h"],
        "more": ["always"],
    }
    client = as_(alice)
    assert client.post(SETTINGS, wishes)["Location"] == SETTINGS
    page = client.get(SETTINGS)
    assert "Saved." in text(page.content)
    assert page.content.decode().count(" checked") == 1 + 2 + 1 + 2 + 1

    kept = Preferences.objects.get(user=alice)
    assert kept.off == ["unfinished", "reminder", "absence", "started", "finished", "rematch", "closed"]
    assert (kept.delay, kept.reminders, kept.always, kept.links) == (0, ["10", "24h"], True, False)
    assert kept.trouble == GONE
    assert [kind for kind in preferences.KINDS if kept.wants(kind)] == ["turn", "invited"]
    assert not Preferences.objects.filter(user=bob).exists()


def test_none_at_all(as_: As, alice: User) -> None:
    client = as_(alice)
    client.post(SETTINGS, EVERYTHING | {"mails": "all", "offers": []})
    kept = Preferences.objects.get(user=alice)
    assert kept.off == ["invited", "rematch", "all"]
    assert not any(kept.wants(kind) for kind in preferences.KINDS)

    # What else was chosen waits for the day on which mails are wanted again.
    client.post(SETTINGS, EVERYTHING | {"offers": []})
    assert Preferences.objects.get(user=alice).off == ["invited", "rematch"]


@pytest.mark.parametrize(
    ("field", "nonsense"),
    [
        ("mails", "some"),
        ("acting", ["tea"]),
        ("acting", ["test"]),
        ("tables", ["turn"]),
        ("delay", ""),
        ("delay", "7"),
        ("reminders", ["tomorrow"]),
        ("more", ["money"]),
    ],
)
def test_nonsense_is_refused(as_: As, alice: User, field: str, nonsense: Any) -> None:
    page = as_(alice).post(SETTINGS, EVERYTHING | {field: nonsense})
    assert page.status_code == 422
    assert list(page.context["form"].errors) == [field]
    assert 'class="wrong"' in page.content.decode()
    assert not Preferences.objects.exists()


# --- one click, without a log-in ---


@pytest.fixture
def anybody() -> Client:
    """Nobody is logged in, and no cookie vouches for a form."""
    return Client(enforce_csrf_checks=True)


ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def test_one_click_ends_a_kind(anybody: Client, alice: User, bob: User) -> None:
    url = path(optout.unsubscribe_url(alice, Kind.REMINDER))
    for look in (anybody.get, anybody.head):
        assert look(url).status_code == 200
    assert not Preferences.objects.exists()
    page = anybody.get(url)
    assert "No more of these mails?" in text(page.content)
    assert page["Cache-Control"] == "private, no-store"

    for _twice in range(2):
        done = anybody.post(url, ONE_CLICK)
        assert (done.status_code, done.has_header("Location")) == (200, False)
        assert "Done: no more of these" in text(done.content)
        assert Preferences.objects.get(user=alice).off == ["reminder"]
    assert not Preferences.objects.filter(user=bob).exists()


def test_the_page_does_it_too_and_undoes_it(anybody: Client, alice: User) -> None:
    url = path(optout.unsubscribe_url(alice, Kind.TURN))
    assert anybody.post(url)["Location"] == url
    page = anybody.get(url)
    assert "alice gets no more mails of the kind “It is my turn”." in text(page.content)
    assert Preferences.objects.get(user=alice).off == ["turn"]

    assert anybody.post(url, {"again": "1"})["Location"] == url
    assert Preferences.objects.get(user=alice).off == []
    assert "No more of these mails?" in text(anybody.get(url).content)


def test_no_mails_at_all_and_one_kind_again(anybody: Client, alice: User) -> None:
    kind, everything = (path(optout.unsubscribe_url(alice, word)) for word in ("turn", "all"))
    assert f'href="{site.url(everything)}"' in anybody.get(kind).content.decode()
    anybody.post(everything, ONE_CLICK)
    assert Preferences.objects.get(user=alice).off == ["all"]
    assert "Done: no more of these" in text(anybody.get(kind).content)

    anybody.post(kind, {"again": "1"})
    kept = Preferences.objects.get(user=alice)
    assert [kind for kind in preferences.KINDS if kept.wants(kind)] == ["turn"]


def test_a_game_is_muted(anybody: Client, as_: As, alice: User, bob: User, duel: Game) -> None:
    mine = Seat.objects.get(game=duel, user=alice)
    url = path(optout.mute_url(mine))
    assert f"No more mails about {duel.short_key}?" in text(anybody.get(url).content)
    assert not Seat.objects.filter(muted=True).exists()
    version = Game.objects.get().version

    anybody.post(url, ONE_CLICK)
    assert [seat.user for seat in Seat.objects.filter(muted=True)] == [alice]
    assert Game.objects.get().version == version
    assert f"Splendor Duel {duel.short_key} Mail me again" in text(as_(alice).get(SETTINGS).content)
    assert "Tables that send you nothing" not in text(as_(bob).get(SETTINGS).content)

    anybody.post(url, {"again": "1"})
    assert not Seat.objects.filter(muted=True).exists()


def test_a_game_is_muted_by_who_plays(as_: As, alice: User, charlie: User, duel: Game) -> None:
    url = f"/table/{duel.key}/mute/"
    assert as_(charlie).post(url, {"muted": "1"}).status_code == 404
    client = as_(alice)
    assert client.post(url, {"muted": "1"})["Location"] == f"/table/{duel.key}/"
    assert [seat.user for seat in Seat.objects.filter(muted=True)] == [alice]
    assert client.post(url, {"muted": "0"})["Location"] == SETTINGS
    assert f"Mails about {duel.short_key} come again." in text(client.get(SETTINGS).content)
    assert not Seat.objects.filter(muted=True).exists()


def test_an_address_is_never_written_to_again(anybody: Client) -> None:
    url = path(optout.never_again_url("Stranger@Example.net"))
    assert "Somebody invited stranger@example.net to a game" in text(anybody.get(url).content)
    assert not NeverAgain.objects.exists()

    for _twice in range(2):
        assert anybody.post(url, ONE_CLICK).status_code == 200
    assert [row.address for row in NeverAgain.objects.all()] == ["stranger@example.net"]
    assert optout.is_refused("STRANGER@example.net")

    anybody.post(url, {"again": "1"})
    assert not optout.is_refused("stranger@example.net")


def test_forged_links(anybody: Client, alice: User, bob: User, duel: Game) -> None:
    url = path(optout.unsubscribe_url(alice, Kind.TURN))
    token = url.split("/")[-2]
    of_bob = path(optout.unsubscribe_url(bob, Kind.TURN)).split("/")[-2]
    mixed = f"{of_bob.split('.')[0]}.{token.split('.')[1]}"
    for forged in (
        url.replace(token, token[:-1]),
        url.replace(token, mixed),
        url.replace(token, "x"),
        url.replace(token, "x.y"),
        f"/mails/mute/{token}/",
        f"/mails/never-again/{token}/",
    ):
        assert anybody.get(forged).status_code == 404
        assert anybody.post(forged, ONE_CLICK).status_code == 404
    assert not Preferences.objects.exists()

    muted = path(optout.mute_url(Seat.objects.get(user=alice)))
    Game.objects.all().delete()
    assert anybody.post(muted, ONE_CLICK).status_code == 404
    User.objects.filter(pk=alice.pk).delete()
    assert anybody.post(url, ONE_CLICK).status_code == 404


# --- what became of them ---


def test_a_test_mail(as_: As, alice: User, bob: User, smtp: MailServer) -> None:
    preferences.change(alice, off=["all"])
    client = as_(alice)
    page = client.post("/settings/mail/test/", follow=True)
    assert page.redirect_chain == [(LIST, 302)]
    assert "A test mail to alice@example.org goes out now." in text(page.content)
    assert "To come A test Goes out now." in text(page.content)

    [notice] = Notice.objects.all()
    deliveries.deliver(notice.pk)
    assert len(smtp.to("alice@example.org")) == len(smtp.messages) == 1
    assert "A test Sent to alice@example.org." in text(client.get(LIST).content)
    assert "Nothing yet." in text(as_(bob).get(LIST).content)


def test_too_many_tests(as_: As, alice: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"test_mail": "2/h/user"}
    cache.clear()
    client = as_(alice)
    assert [client.post("/settings/mail/test/").status_code for _ in range(3)] == [302, 302, 429]
    assert Notice.objects.count() == 2


def test_what_became_of_each(as_: As, alice: User, duel: Game) -> None:
    Notice.objects.all().delete()
    at = now()

    def owed(kind: str, minutes: int, outcome: str = "", **delivery: Any) -> None:
        due = at + timedelta(minutes=minutes)
        closed = due if outcome else None
        notice = Notice.objects.create(
            recipient=alice,
            kind=kind,
            key=f"{kind}:{minutes}",
            game=duel if kind != "test" else None,
            created_at=due,
            due_at=due,
            closed_at=closed,
            outcome=outcome,
        )
        if delivery:
            Delivery.objects.create(notice=notice, address=alice.email, **delivery)

    owed("turn", -1, "seen")
    owed("turn", -2, "outdated")
    owed("finished", -3, "unwanted")
    owed("closed", -4, "outdated")
    owed("started", -5, "failed", attempts=8, result="451 try again later")
    owed("invited", -6, "failed", attempts=1, result=GONE)
    owed("test", -7, "sent", attempts=1, sent_at=at, result="552 mailbox full")
    owed("unfinished", 20)
    owed("absence", -8, attempts=2, result="451 greylisted", claimed_until=at + timedelta(minutes=5))
    owed("rematch", -9, attempts=1, claimed_until=at + timedelta(minutes=5))
    # Nobody wants to read of reminders that never came up.
    Notice.objects.create(
        recipient=alice,
        kind="reminder",
        key="reminder",
        game=duel,
        created_at=at,
        due_at=at + timedelta(days=1),
        closed_at=at,
        outcome="outdated",
    )
    page = as_(alice).get(LIST)
    board = page.context["deliveries"]
    assert [(row.notice.kind, row.fate, row.said, row.is_wrong) for row in board.past] == [
        ("turn", "Not sent: you were looking at the table.", "", False),
        ("turn", "Not sent: the turn was over by then.", "", False),
        ("finished", "Not sent: you want no such mails, or none about this game.", "", False),
        ("closed", "Not sent: it was no longer true.", "", False),
        ("started", "Not sent: given up after 8 attempts.", "451 try again later", True),
        ("invited", "Not sent: refused for good.", GONE, True),
        ("test", "Sent to alice@example.org, but it came back.", "552 mailbox full", True),
    ]
    assert [(row.notice.kind, row.fate, row.said, row.at) for row in board.coming] == [
        ("rematch", "On its way.", "", at - timedelta(minutes=9)),
        ("absence", "Refused 2 times; it is tried again.", "451 greylisted", at + timedelta(minutes=5)),
        ("unfinished", "Goes out then, if it is still your turn.", "", at + timedelta(minutes=20)),
    ]
    shown = text(page.content)
    assert f"I am invited Splendor Duel {duel.short_key} Not sent: refused for good. {GONE}" in shown


def test_queries_do_not_grow(as_: As, alice: User, bob: User) -> None:
    client = as_(alice)

    def cost(address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        return len(queries)

    def more(number: int) -> None:
        for _ in range(number):
            game = tables.create(alice, tables.Plan("splendor", 2))
            tables.join(game, bob)
            notices.owe(Kind.STARTED, alice, key=f"another:{game.pk}", game=game)
            Notice.objects.filter(key=f"another:{game.pk}").update(closed_at=now(), outcome="seen")
        Seat.objects.filter(user=alice).update(muted=True)
        Game.objects.update(vacations=False)

    # The reader and the session; wishes, trouble and muted games; trouble, two lists and their deliveries; the
    # vacation, the year's vacations, and tables that do without.
    expected = {SETTINGS: 2 + 3, LIST: 2 + 5, "/settings/vacation/": 2 + 3}
    more(1)
    assert {address: cost(address) for address in expected} == expected
    more(12)
    assert {address: cost(address) for address in expected} == expected


# --- mails that do not arrive ---

OWN_PAGES = ("/games/", "/settings/", SETTINGS, LIST)


def banners(client: Client) -> list[bool]:
    return [BANNER in text(client.get(address).content) for address in OWN_PAGES]


def test_a_refused_mail_raises_a_banner_until_one_is_taken(as_: As, alice: User, bob: User, smtp: MailServer) -> None:
    client = as_(alice)
    assert banners(client) == [False] * 4
    smtp.refuse["alice@example.org"] = GONE
    owe_test(alice)
    assert banners(client) == [True] * 4
    assert f"one to alice@example.org was refused: {GONE}" in text(client.get("/games/").content)
    assert banners(as_(bob)) == [False] * 4

    smtp.refuse.clear()
    owe_test(alice)
    assert banners(client) == [False] * 4
    assert len(smtp.messages) == 1


def test_who_was_refused_says_that_it_works(as_: As, alice: User, smtp: MailServer) -> None:
    trouble.failed(alice, GONE)
    client = as_(alice)
    assert "Good." in text(client.post("/settings/mail/works/", follow=True).content)
    assert banners(client) == [False] * 4


def test_no_reason_and_a_long_one(alice: User) -> None:
    trouble.failed(alice, "")
    assert Preferences.of(alice).trouble == "No reason was given."
    trouble.failed(alice, "x" * 1000)
    assert Preferences.of(alice).trouble == "x" * 300


# --- what a mail service tells ---

SECRET = "postmark:three blue sapphires"
HOOK = "/anymail/postmark/tracking/"


@pytest.fixture
def hook(settings: Any) -> Iterator[Client]:
    """The mail service, which knows the secret."""
    settings.ANYMAIL_WEBHOOK_SECRET = SECRET
    reload(urls)
    clear_url_caches()
    word = base64.b64encode(SECRET.encode()).decode()
    yield Client(enforce_csrf_checks=True, headers={"authorization": f"Basic {word}"})
    settings.ANYMAIL_WEBHOOK_SECRET = ""
    reload(urls)
    clear_url_caches()


def tell(client: Client, body: dict[str, Any]) -> int:
    return client.post(HOOK, json.dumps(body), content_type="application/json").status_code


def bounce(address: str, at: str = "2026-05-01T12:00:00Z") -> dict[str, Any]:
    """As Postmark tells of a mail that came back."""
    return {
        "RecordType": "Bounce",
        "ID": 4323372036854775807,
        "Type": "HardBounce",
        "TypeCode": 1,
        "Name": "Hard bounce",
        "Tag": "",
        "MessageID": "5d1f7a30-92c4-4a6b-9c0e-7a8f0f6be7d1",
        "ServerID": 23,
        "MessageStream": "outbound",
        "Description": "The server was unable to deliver the message, as there is no such user or mailbox.",
        "Details": f"smtp;550 5.1.1 The account <{address}> does not exist",
        "Email": address,
        "From": "no-reply@games.example.org",
        "BouncedAt": at,
        "DumpAvailable": True,
        "Inactive": True,
        "CanActivate": True,
        "Subject": "Your turn: Splendor with Bob",
        "Metadata": {},
    }


def delivered(address: str, at: str) -> dict[str, Any]:
    """As Postmark tells of a mail that arrived."""
    return {
        "RecordType": "Delivery",
        "MessageID": "77cd5a1c-0c5b-4b7f-a3a4-1c7b8e3a6b0f",
        "Recipient": address,
        "DeliveredAt": at,
        "Details": "250 2.0.0 OK",
        "Tag": "",
        "ServerID": 23,
        "Metadata": {},
        "MessageStream": "outbound",
    }


def complaint(address: str) -> dict[str, Any]:
    """As Postmark tells that somebody calls a mail spam."""
    return bounce(address) | {
        "RecordType": "SpamComplaint",
        "Type": "SpamComplaint",
        "TypeCode": 100001,
        "Name": "Spam complaint",
        "Description": "The subscriber explicitly marked this message as spam.",
        "Details": "",
    }


def test_without_a_secret_nobody_can_tell(anybody: Client) -> None:
    assert tell(anybody, bounce("alice@example.org")) == 404


def test_the_wrong_secret(hook: Client, anybody: Client, alice: User) -> None:
    assert tell(anybody, bounce("alice@example.org")) == 400
    word = base64.b64encode(b"postmark:guess").decode()
    assert tell(Client(headers={"authorization": f"Basic {word}"}), bounce("alice@example.org")) == 400
    assert not Preferences.objects.exists()


def test_a_mail_that_came_back(hook: Client, as_: As, alice: User, bob: User, smtp: MailServer) -> None:
    owe_test(alice)
    assert tell(hook, bounce("Alice@Example.org")) == 200
    client, why = as_(alice), "smtp;550 5.1.1 The account <Alice@Example.org> does not exist"
    assert banners(client) == [True] * 4
    assert banners(as_(bob)) == [False] * 4
    assert f"A test Sent to alice@example.org, but it came back. {why}" in text(client.get(LIST).content)

    # The mail server takes the next one too, before it comes back.
    owe_test(alice)
    assert len(smtp.messages) == 2
    assert Preferences.of(alice).trouble == why


def test_a_mail_that_arrived_after_all(hook: Client, as_: As, alice: User) -> None:
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False):
        tell(hook, bounce("alice@example.org"))
    # One from before may be told of late.
    assert tell(hook, delivered("alice@example.org", "2026-05-01T11:59:00Z")) == 200
    assert banners(as_(alice)) == [True] * 4
    assert tell(hook, delivered("alice@example.org", "2026-05-01T12:05:00Z")) == 200
    assert banners(as_(alice)) == [False] * 4


def test_who_calls_a_mail_spam_gets_none_from_strangers(hook: Client, alice: User) -> None:
    assert tell(hook, complaint("stranger@example.net")) == 200
    assert optout.is_refused("stranger@example.net")
    assert not Preferences.objects.exists()
    assert tell(hook, complaint("alice@example.org")) == 200
    assert Preferences.of(alice).trouble == "The subscriber explicitly marked this message as spam."


def test_what_else_a_service_tells_is_nobodys_business(hook: Client, alice: User) -> None:
    opened = delivered("alice@example.org", "2026-05-01T12:00:00Z") | {"RecordType": "Open", "FirstOpen": True}
    soft = bounce("alice@example.org") | {"Type": "Transient", "TypeCode": 2}
    assert [tell(hook, body) for body in (opened, soft, bounce("nobody@example.org"))] == [200, 200, 200]
    assert not Preferences.objects.exists()


# --- time away ---

AWAY = "/settings/vacation/"


def test_a_vacation(as_: As, alice: User, bob: User) -> None:
    alice.time_zone = "Europe/Paris"
    alice.save()
    client = as_(alice)
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as clock:
        assert "Left of this year: 21 days." in text(client.get(AWAY).content)
        page = client.post(AWAY, {"days": "4"}, follow=True)
        assert "Your clocks stand from now on." in text(page.content)
        assert "You are away until Tuesday, 5 May, 14:00 ." in text(page.content)
        assert "Left of this year, apart from this vacation: 17 days." in text(page.content)
        [vacation] = Vacation.objects.all()
        assert (vacation.user, vacation.ends_at - vacation.begins_at) == (alice, timedelta(days=4))

        again = client.post(AWAY, {"days": "1"})
        assert again.status_code == 422
        assert "You are on vacation already." in text(again.content)

        clock.shift(timedelta(days=1, hours=2))
        page = client.post(f"{AWAY}back/", follow=True)
        assert "Welcome back!" in text(page.content)
        assert "Left of this year: 19 days and 22 hours." in text(page.content)
        assert pauses.vacation_of(alice) is None
        assert "Left of this year: 21 days." in text(as_(bob).get(AWAY).content)


def test_days_that_are_left(as_: As, alice: User) -> None:
    client = as_(alice)
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as clock:
        client.post(AWAY, {"days": "20"})
        clock.shift(timedelta(days=20))
        assert "Left of this year: 1 day." in text(client.get(AWAY).content)
        refused = client.post(AWAY, {"days": "2"})
        assert refused.status_code == 422
        assert "So many days are not left of the year’s." in text(refused.content)
        client.post(AWAY, {"days": "1"})
        clock.shift(timedelta(days=1))
        assert "Left of this year: 0 hours. There are new days from 1 January on." in text(client.get(AWAY).content)


@pytest.mark.parametrize("days", ["", "0", "-1", "22", "a week", "1.5"])
def test_days_that_are_none(as_: As, alice: User, days: str) -> None:
    assert as_(alice).post(AWAY, {"days": days}).status_code == 422
    assert not Vacation.objects.exists()


def test_tables_that_do_without_vacations(as_: As, alice: User, bob: User) -> None:
    def sit(**terms: Any) -> Game:
        game = tables.create(alice, tables.Plan("splendor", 2))
        tables.join(game, bob)
        Game.objects.filter(pk=game.pk).update(**terms)
        return game

    sit(vacations=True)
    strict = sit(vacations=False)
    sit(vacations=False, pace="none", clock_started_at=None, deadline=None)
    assert list(as_(alice).get(AWAY).context["forbidding"]) == [strict]
    assert f"At these tables your clock runs on Splendor {strict.short_key}" in text(as_(bob).get(AWAY).content)
    assert "At these tables" not in text(as_(person("dan")).get(AWAY).content)
