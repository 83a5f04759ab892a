"""Attempts to make the site mail a person again and again, in every possible way; a mail server counts the mails."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import create_confirmed
from games.models import Game, Invitation, Notice, Preferences
from games.services import play
from games.services.tables import tables
from games.services.work import sweep
from splendor_site import settings as site
from tests.factories import DAY, HOUR, NEW, START, As, begun, person, post
from tests.smtp import MailServer
from tests.views.reading import text

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
DELAY = timedelta(minutes=Preferences().delay)
ANN = "ann@example.net"
FORM = {**NEW, "title": "duel", "seats": "2", "admission": "named"}


@pytest.fixture(autouse=True)
def clock(settings: Any) -> Iterator[time_machine.Traveller]:
    """The limits of a real site, and a clock that only the test moves."""
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    settings.NEWCOMER_TABLES = site.NEWCOMER_TABLES
    cache.clear()
    with time_machine.travel(START, tick=False) as clock:
        yield clock


@pytest.fixture
def mallory(db: None) -> User:
    """A new account."""
    return create_confirmed("mallory", "mallory@example.org", "correct horse")


def work() -> None:
    """Do the site's periodic work."""
    sweep.sweep()
    post()


def opened(client: Client, invited: str) -> Game:
    assert client.post(reverse("new"), {**FORM, "invited": invited}).status_code == 302
    return Game.objects.latest("pk")


def act(client: Client, name: str, game: Game, **fields: str) -> None:
    assert client.post(reverse(name, args=[game.key]), fields).status_code == 302


def kinds(server: MailServer, address: str) -> dict[str, int]:
    """The number of mails to that address, by subject."""
    found = Notice.objects.filter(outcome="sent", delivery_set__address=address).values_list("kind", flat=True)
    counts = {kind: list(found).count(kind) for kind in set(found)}
    assert sum(counts.values()) == len(server.to(address))
    return counts


@pytest.mark.parametrize("invited", ["bob", "bob@example.org", ANN])
def test_inviting_and_cancelling_at_once_sends_no_mail(
    as_: As, mallory: User, bob: User, smtp: MailServer, clock: time_machine.Traveller, invited: str
) -> None:
    """The original attack: 120 mails in 84 seconds."""
    client = as_(mallory)
    for _time in range(8):
        game = opened(client, invited)
        clock.shift(timedelta(seconds=0.7))
        work()
        act(client, "cancel", game)
        clock.shift(timedelta(seconds=0.7))
        work()
    clock.shift(DAY)
    work()
    assert smtp.messages == []


@pytest.mark.parametrize("invited", ["bob", "bob@example.org", ANN])
def test_inviting_and_cancelling_slowly_is_capped(
    as_: As, mallory: User, bob: User, smtp: MailServer, clock: time_machine.Traveller, invited: str
) -> None:
    client, address = as_(mallory), ANN if invited == ANN else bob.email
    for _time in range(7):
        game = opened(client, invited)
        clock.shift(DELAY)
        work()
        act(client, "cancel", game)
        work()
    assert kinds(smtp, address) == {"invited": 5, "closed": 5}
    # The counts start again the next day.
    clock.shift(DAY)
    opened(client, invited)
    clock.shift(DELAY)
    work()
    assert kinds(smtp, address)["invited"] == 6


def test_capped_mails_are_explained_in_the_list_of_mails(
    as_: As, mallory: User, bob: User, smtp: MailServer, clock: time_machine.Traveller
) -> None:
    client = as_(mallory)
    for _time in range(6):
        game = opened(client, "bob")
        clock.shift(DELAY)
        work()
        act(client, "cancel", game)
    page = text(as_(bob).get(reverse("deliveries")).content)
    assert page.count("Not sent: the daily limit was reached.") == 1


@pytest.mark.parametrize("guest", ["bob", "bob@example.org", ANN])
def test_inviting_and_revoking_is_capped(
    as_: As, mallory: User, bob: User, smtp: MailServer, clock: time_machine.Traveller, guest: str
) -> None:
    client = as_(mallory)
    game = opened(client, guest)
    for _time in range(10):
        act(client, "revoke", game, guest=guest)
        clock.shift(DELAY)
        work()
        act(client, "invite", game, guests=guest)
        clock.shift(DELAY - MINUTE)
        work()
    assert smtp.messages == []
    # The person who is still invited at the end gets one mail.
    for _time in range(10):
        clock.shift(MINUTE)
        work()
        act(client, "revoke", game, guest=guest)
        act(client, "invite", game, guests=guest)
    assert len(smtp.messages) == 1


def test_invitations_of_many_accounts_to_one_person_are_capped(
    as_: As, bob: User, smtp: MailServer, clock: time_machine.Traveller
) -> None:
    for number in range(6):
        client = as_(create_confirmed(f"mallory{number}", f"mallory{number}@example.org", "correct horse"))
        for _time in range(5):
            opened(client, "bob")
    clock.shift(DELAY)
    work()
    assert kinds(smtp, bob.email) == {"invited": 20}


def test_invitations_of_one_account_to_many_people_are_capped(
    as_: As, mallory: User, smtp: MailServer, clock: time_machine.Traveller
) -> None:
    client, names = as_(mallory), [f"person{number}" for number in range(45)]
    for name in names:
        person(name)
    for first in range(0, len(names), 15):
        opened(client, ", ".join(names[first : first + 15]))
    clock.shift(DELAY)
    work()
    assert len(smtp.messages) == 40


def test_mails_of_other_kinds_do_not_count(
    as_: As, mallory: User, bob: User, smtp: MailServer, clock: time_machine.Traveller
) -> None:
    game = begun([mallory, bob], title="duel")
    key = {"recipient": bob, "game": game, "created_at": START, "due_at": START, "closed_at": START, "outcome": "sent"}
    warnings = [{"kind": "account", "address": bob.email, "key": f"warning:{number}"} for number in range(50)]
    turns = [{"kind": "turn", "key": f"turn:{number}"} for number in range(50)]
    Notice.objects.bulk_create(Notice(**key, **each) for each in (*warnings, *turns))
    opened(as_(mallory), "bob")
    assert reset(Client(), bob.email) == 302
    clock.shift(DELAY)
    work()
    came = Notice.objects.filter(delivery_set__sent_at__isnull=False, delivery_set__address=bob.email)
    assert {"account", "invited"} <= {*came.values_list("kind", flat=True)}


def test_rematches_are_capped(
    as_: As, mallory: User, bob: User, smtp: MailServer, clock: time_machine.Traveller
) -> None:
    client = as_(mallory)
    for _time in range(7):
        over = begun([bob, mallory], title="duel")
        play.resign(over, mallory)
        for _again in range(3):
            client.post(reverse("rematch", args=[over.key]))
            game = Game.objects.get(follows=over)
            clock.shift(DELAY)
            work()
            client.post(reverse("cancel", args=[game.key]))
    assert kinds(smtp, bob.email)["rematch"] == 5


def test_test_mails_are_capped(as_: As, mallory: User, smtp: MailServer, clock: time_machine.Traveller) -> None:
    client = as_(mallory)
    answers = []
    for _hour in range(10):
        for _time in range(6):
            answers.append(client.post(reverse("test_mail")).status_code)
            clock.shift(timedelta(seconds=1))
        clock.shift(HOUR)
        work()
    assert (answers.count(302), answers.count(429)) == (20, 40)
    assert len(smtp.messages) == 20


# --- mails that strangers request for an address ---


def network(number: int) -> Client:
    """A visitor with a network of their own."""
    return Client(REMOTE_ADDR=f"2001:db8:{number:x}::{number:x}")


def reset(client: Client, address: str) -> int:
    return client.post("/account/password/reset/", {"email": address}).status_code


def sign_up(client: Client, address: str, name: str) -> int:
    form = {"username": name, "email": address, "password1": "three blue sapphires"}
    return client.post("/account/signup/", form).status_code


def all_day(clock: time_machine.Traveller, ask: Callable[[int], int], times: int) -> list[int]:
    answers = []
    for number in range(times):
        answers.append(ask(number))
        post()
        clock.shift(timedelta(minutes=20))
    return answers


@pytest.mark.parametrize("address", ["alice@example.org", "nobody@example.org"])
def test_password_resets_for_an_address_are_capped(
    smtp: MailServer, clock: time_machine.Traveller, alice: User, address: str
) -> None:
    """An unknown address gets the same answer as a known one, and no mail."""
    answers = all_day(clock, lambda number: reset(network(number), address), 30)
    assert answers == [302] * 10 + [429] * 20
    assert len(smtp.to("alice@example.org")) == (10 if address == alice.email else 0)
    assert {message["To"] for message in smtp.messages} <= {"alice@example.org"}


@pytest.mark.parametrize("address", ["alice@example.org", ANN])
def test_sign_ups_with_an_address_are_capped(
    smtp: MailServer, clock: time_machine.Traveller, alice: User, address: str
) -> None:
    clock.move_to(START + DAY)
    answers = all_day(clock, lambda number: sign_up(network(number), address, f"mallory-{number}"), 15)
    assert answers[:10] == [302] * 10
    assert set(answers[10:]) <= {302, 429}
    assert len(smtp.to(address)) <= 10


def test_new_addresses_of_an_account_are_capped(
    as_: As, mallory: User, smtp: MailServer, clock: time_machine.Traveller
) -> None:
    client = Client()
    client.post("/account/login/", {"login": "mallory", "password": "correct horse"})
    client.post("/account/reauthenticate/", {"password": "correct horse"})

    def ask(number: int) -> int:
        client.post("/account/reauthenticate/", {"password": "correct horse"})
        return client.post("/account/email/", {"email": f"ann{number}@example.net", "action_add": ""}).status_code

    answers = all_day(clock, ask, 30)
    assert answers == [302] * 20 + [429] * 10
    assert len(smtp.messages) == 20


@pytest.mark.parametrize(
    ("near", "far"),
    [("2001:db8:0:1::", "2001:db8:0:2::"), ("192.0.2.1", "192.0.2.2")],
    ids=["an IPv6 /64", "an IPv4 address"],
)
@pytest.mark.parametrize("door", ["sign-up", "reset"])
def test_requests_from_one_network_are_capped(
    smtp: MailServer, clock: time_machine.Traveller, alice: User, near: str, far: str, door: str
) -> None:
    def ask(number: int, place: str) -> int:
        client = Client(REMOTE_ADDR=f"{place}{number:x}" if place.endswith("::") else place)
        address = f"somebody{number}@example.net"
        return reset(client, address) if door == "reset" else sign_up(client, address, f"somebody-{number}")

    answers = []
    for number in range(1, 56):
        answers.append(ask(number, near))
        clock.shift(timedelta(seconds=5))
    assert answers == [302] * 50 + [429] * 5
    assert ask(99, far) == 302
    clock.shift(DAY)
    assert ask(100, near) == 302


def test_caps_hold_without_the_cache(smtp: MailServer, clock: time_machine.Traveller, alice: User) -> None:
    def ask(number: int) -> int:
        cache.clear()
        return reset(network(number), alice.email)

    assert set(all_day(clock, ask, 25)) == {302}
    assert len(smtp.messages) == 20


def test_a_refusal_says_when_to_try_again(client: Client, clock: time_machine.Traveller, alice: User) -> None:
    for number in range(11):
        answer = network(number).post("/account/password/reset/", {"email": alice.email})
        clock.shift(timedelta(minutes=20))
    assert answer.status_code == 429
    assert "Please try again in a few minutes. If that doesn’t help, try again tomorrow." in text(answer.content)


def test_invitations_wait_as_long_as_turns_do(
    mallory: User, bob: User, smtp: MailServer, clock: time_machine.Traveller
) -> None:
    Preferences.objects.create(user=bob, delay=30)
    tables.create(mallory, tables.TableSpec("duel", 2, invited=[bob], addresses=[ANN]))
    assert Invitation.objects.count() == 1
    dues = {notice.to: notice.due_at for notice in Notice.objects.select_related("recipient")}
    assert dues == {bob.email: START + 30 * MINUTE, ANN: START + DELAY}
