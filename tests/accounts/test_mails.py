"""Mails about accounts: a worker sends them, so the mail server never delays a page."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from email.message import EmailMessage

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Offence, User
from games.models import NeverAgain, Notice, Preferences
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.outbox import preferences
from tests.accounts.pages import PASSWORD, last_code, log_in, mails
from tests.factories import START, at, post
from tests.mails.reading import html_of
from tests.smtp import MailServer
from tests.staff import member, used_passkey
from tests.styles import light_colours

pytestmark = pytest.mark.django_db
NEW = "four green emeralds"
MINUTE = timedelta(minutes=1)
CODE = re.compile(r"\b[B-Z]{4}-[B-Z]{4}\b")
LIST = "/settings/mail/deliveries/"


def sign_up(client: Client) -> int:
    fields = {"username": "Charlie", "email": "charlie@example.org", "password1": PASSWORD}
    return client.post("/account/signup/", fields).status_code


def reset(client: Client) -> int:
    return client.post("/account/password/reset/", {"email": "alice@example.org"}).status_code


def change_password(client: Client) -> int:
    log_in(client, "alice")
    return client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW}).status_code


def change_address(client: Client) -> int:
    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client.post("/account/email/", {"email": "new@example.org", "action_add": ""}).status_code


def remove_passkey(client: Client) -> int:
    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    key = Authenticator.objects.create(user=User.objects.get(), type="webauthn", data={"name": "phone"})
    return client.post(f"/settings/passkeys/keys/{key.pk}/remove/").status_code


def come_in_a_new_browser(client: Client) -> int:
    User.objects.update(last_login=START)
    return int(log_in(client, "alice").status_code)


def rename(client: Client) -> int:
    return _act(client, "rename", name="Rosalind", reason="Rude")


def suspend(client: Client) -> int:
    return _act(client, "suspend", offence=Offence.values[0], note="", days="3")


def _act(client: Client, act: str, **fields: str) -> int:
    alice = User.objects.get()
    return used_passkey(client, member()).post(f"/staff/people/{alice.pk}/{act}/", fields).status_code


FLOWS: dict[Callable[[Client], int], tuple[str, str]] = {
    sign_up: ("charlie@example.org", r"[B-Z]{4}-[B-Z]{4} is your code for Cabochon"),
    reset: ("alice@example.org", r"[B-Z]{4}-[B-Z]{4} is your code for Cabochon"),
    change_password: ("alice@example.org", "Your Cabochon password has changed"),
    change_address: ("new@example.org", r"[B-Z]{4}-[B-Z]{4} is your code for Cabochon"),
    remove_passkey: ("alice@example.org", "A passkey was removed from your Cabochon account"),
    come_in_a_new_browser: ("alice@example.org", "Someone logged in to your Cabochon account"),
    rename: ("alice@example.org", "Your Cabochon user name has changed"),
    suspend: ("alice@example.org", "Your Cabochon account is suspended"),
}
"""Actions of users and staff, with the mails they cause."""


def taken(server: MailServer) -> tuple[str, str]:
    [message] = server.messages
    return message["To"], message["Subject"]


@pytest.mark.parametrize("server", ["refuses", "is silent"])
@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.__name__)
def test_the_page_answers_and_the_mail_comes_when_the_server_does(
    client: Client, alice: User, smtp: MailServer, flow: Callable[[Client], int], server: str
) -> None:
    address, subject = FLOWS[flow]
    if server == "refuses":
        smtp.refuse[address] = "451 try again later"
    with at(START), smtp.silence() if server == "is silent" else nullcontext():
        assert flow(client) == 302
        # The page did not wait for the server, which has received no request.
        assert smtp.unanswered == 0
        assert Notice.objects.get().delivery_set.count() == 0
        post()
    assert (smtp.unanswered, smtp.messages) == (int(server == "is silent"), [])
    smtp.refuse.clear()
    with at(START + MINUTE):
        post()
        post()
    assert taken(smtp)[0] == address
    assert re.fullmatch(subject, taken(smtp)[1])


def test_a_code_arrives_late_and_is_valid(client: Client, smtp: MailServer) -> None:
    with time_machine.travel(START, tick=False) as clock:
        smtp.refuse["charlie@example.org"] = "451 try again later"
        sign_up(client)
        for _minute in range(12):
            post()
            clock.shift(MINUTE)
        smtp.refuse.clear()
        post()
        [message] = smtp.messages
        code = CODE.search(str(message["Subject"]))
        assert code
        assert client.post("/account/confirm-email/", {"code": code[0]}).status_code == 302
    assert User.objects.get().last_login


def test_the_mail_of_a_code_expires_with_it(client: Client, smtp: MailServer) -> None:
    with time_machine.travel(START, tick=False) as clock:
        smtp.refuse["charlie@example.org"] = "451 try again later"
        sign_up(client)
        assert CODE.search(str(Notice.objects.values_list("facts", flat=True).get()))
        for _minute in range(15):
            post()
            clock.shift(MINUTE)
        # The mail is tried every minute until the code expires.
        assert Notice.objects.get().delivery_set.get().attempts == 15
        smtp.refuse.clear()
        post()
        deliveries.dispatch()
    notice = Notice.objects.get()
    assert (notice.outcome, notice.closed_at, notice.facts) == ("outdated", START + 15 * MINUTE, {})
    assert smtp.messages == []


def test_mails_that_expire_go_out_first(client: Client, alice: User, bob: User) -> None:
    change_password(client)
    with time_machine.travel(timezone.now() + MINUTE):
        reset(Client())
        assert [bool(CODE.search(notice.key + str(notice.facts))) for notice in Notice.objects.due(now())] == [
            True,
            False,
        ]


@pytest.mark.parametrize("answer", ["250 OK", "550 no such mailbox here"])
def test_no_code_is_kept(client: Client, alice: User, smtp: MailServer, answer: str) -> None:
    reset(client)
    if answer != "250 OK":
        smtp.refuse["alice@example.org"] = answer
    post()
    notice = Notice.objects.get()
    assert notice.closed_at is not None
    assert notice.facts == {}
    assert not any(CODE.search(str(row)) for row in (*Notice.objects.values(), *notice.delivery_set.values()))


def test_account_mails_cannot_be_switched_off(client: Client, alice: User) -> None:
    preferences.switch(alice, preferences.ALL, on=False)
    for address in ("alice@example.org", "charlie@example.org"):
        NeverAgain.objects.create(address=address, at=now())
    reset(client)
    sign_up(Client())
    assert sorted(message.to[0] for message in mails()) == ["alice@example.org", "charlie@example.org"]
    headers = [name for message in mails() for name in message.extra_headers]
    assert sorted(headers) == ["Auto-Submitted", "Auto-Submitted", "Message-ID", "Message-ID"]


def test_the_list_of_mails_shows_them_without_their_code(client: Client, alice: User) -> None:
    reset(Client())
    log_in(client, "alice")
    coming = client.get(LIST).content.decode()
    code = last_code()
    past = client.get(LIST).content.decode()
    for page in (coming, past):
        assert "My account" in page
        assert code not in page
        assert not CODE.search(page)
    assert "Sent to alice@example.org." in past


def test_the_list_shows_that_a_code_expired(client: Client, alice: User) -> None:
    with time_machine.travel(START, tick=False) as clock:
        reset(Client())
        clock.shift(16 * MINUTE)
        deliveries.dispatch()
        log_in(client, "alice")
        assert "Not sent: it would have come too late." in client.get(LIST).content.decode()


def test_mails_use_the_language_and_zone_of_the_reader(client: Client, alice: User) -> None:
    User.objects.update(language="fr", time_zone="Asia/Tokyo")
    with at(START):
        reset(client)
        client.post("/account/password/reset/confirm/", {"code": last_code()})
        client.post("/account/password/reset/complete/", {"password1": NEW})
        assert "4 mai 2026 à 21:00" in str(mails()[-1].body)


def test_mails_use_the_language_of_the_readers_browser_not_of_the_one_who_asks(client: Client, alice: User) -> None:
    User.objects.update(language="", seen_language="fr", last_login=START)
    reset(client)
    assert "est votre code" in mails()[-1].subject


def test_a_warning_goes_to_the_address_at_that_time(client: Client, alice: User) -> None:
    """Somebody who takes over the account and then changes the address does not get the warning."""
    change_password(client)
    cache.clear()
    client.post("/account/reauthenticate/", {"password": NEW})
    client.post("/account/email/", {"email": "thief@example.org", "action_add": ""})
    notice = Notice.objects.get(address="thief@example.org")
    code = CODE.search(notice.facts["text"])
    assert code
    client.post("/account/confirm-email/", {"code": code[0]})
    assert User.objects.get().email == "thief@example.org"
    assert sorted((message.to[0], message.subject) for message in mails()) == [
        ("alice@example.org", "Your Cabochon email address has changed"),
        ("alice@example.org", "Your Cabochon password has changed"),
        ("thief@example.org", f"{code[0]} is your code for Cabochon"),
    ]


def test_only_refusals_of_the_confirmed_address_count(client: Client, alice: User, smtp: MailServer) -> None:
    smtp.refuse |= dict.fromkeys(("new@example.org", "alice@example.org"), "550 no such mailbox here")
    change_address(client)
    post()
    assert Preferences.of(alice).trouble == ""
    reset(Client())
    post()
    assert Preferences.of(alice).trouble == "550 no such mailbox here"


def test_notices_of_a_withdrawn_sign_up_are_deleted(client: Client, smtp: MailServer) -> None:
    sign_up(client)
    client.post("/account/start-again/")
    assert not Notice.objects.exists()
    post()
    assert smtp.messages == []


def test_each_request_sends_a_separate_mail(client: Client, alice: User, smtp: MailServer) -> None:
    for _time in range(2):
        reset(client)
    post()
    first, second = smtp.messages
    assert isinstance(first, EmailMessage)
    assert first["Message-ID"] != second["Message-ID"]
    assert first["Subject"] != second["Subject"]


def test_mails_have_the_colours_of_the_pages(client: Client, smtp: MailServer) -> None:
    sign_up(client)
    post()
    [message] = smtp.messages
    assert isinstance(message, EmailMessage)
    page = html_of(message)
    found = set(re.findall("#[0-9a-f]{3,8}", page))
    assert found == {"#ebe1ca", "#f7f1e1", "#cdbc98", "#331815", "#e6c682", "#2b1d13", "#fffaf0", "#b4924a", "#57432f"}
    assert found <= light_colours()
    # Mail programs support neither variables nor style sheets.
    assert "var(" not in page
    assert "<style" not in page
