from unittest.mock import Mock

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.sessions.models import Session
from django.core.signing import get_cookie_signer
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import create_confirmed
from accounts.sessions import BROWSER_SALT
from splendor_site import settings as site
from tests.accounts.pages import PASSWORD, last_code, log_in, mails, shown, user_of
from tests.factories import DAY, START

pytestmark = pytest.mark.django_db
SAID = "Wrong name or password."


@pytest.mark.parametrize("login", ["Alice", "alice", "alice@example.org", "ALICE@example.org"])
def test_log_in_by_name_or_address(client, alice, login):
    assert log_in(client, login).url == "/games/"
    assert user_of(client) == "Alice"


@pytest.mark.parametrize("login", ["Éloïse", "éloïse", "ÉLOÏSE", "É\u200bloïse", "eloise"])
def test_the_case_of_a_name_does_not_count_in_any_alphabet(client, db, login):
    create_confirmed("Éloïse", "eloise@example.org", PASSWORD)
    answer = log_in(client, login)
    # A name that only looks like hers does not let anybody in.
    assert (answer.status_code == 302) == (login.casefold() == "éloïse")


def test_a_name_in_wide_letters_lets_its_owner_in(client, alice):
    assert log_in(client, "Ａｌｉｃｅ").status_code == 302  # noqa: RUF001


def test_login_leads_back_to_the_requested_page(client, alice):
    asked = client.get("/settings/")
    assert asked.url == "/account/login/?next=/settings/"

    assert log_in(client, "alice", next="/settings/").url == "/settings/"


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_login_never_leads_to_another_site(client, alice, path):
    assert log_in(client, "alice", next=path).url == "/games/"
    assert client.post("/settings/time-zone/", {"time_zone": "UTC", "next": path}).url == "/games/"


def test_the_page_to_return_to_may_have_any_name(client, alice):
    log_in(client, "alice")
    assert client.post("/settings/time-zone/?next=foo", {"time_zone": "UTC"}).url == "foo"


def test_wrong_passwords_reveal_nothing(alice):
    known = log_in(Client(), "alice", "wrong")
    unknown = log_in(Client(), "alicf", "wrong")
    address = log_in(Client(), "alicf@example.org", "wrong")

    assert SAID in known.content.decode()
    assert shown(known) == shown(unknown).replace("alicf", "alice")
    assert shown(known) == shown(address).replace("alicf@example.org", "alice")


@pytest.mark.parametrize("login", ["alice", "alice@example.org", "nobody"])
def test_brute_force_is_answered_429(client, alice, login):
    answers = [log_in(client, login, f"guess {n}") for n in range(10)]

    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 5
    assert "One gem at a time" in answers[-1].content.decode()


def test_the_name_and_the_address_of_an_account_are_counted_together(client, alice):
    logins = ["alice", "alice@example.org", "ALICE", "Alice@Example.org"] * 2
    assert [log_in(client, login, "a guess").status_code for login in logins] == [200] * 5 + [429] * 3

    # A new password ends the count.
    client.post("/account/password/reset/", {"email": "alice@example.org"})
    client.post("/account/password/reset/confirm/", {"code": last_code()})
    client.post("/account/password/reset/complete/", {"password1": "four green emeralds"})
    assert log_in(Client(), "alice", "four green emeralds").status_code == 302


@pytest.mark.parametrize("login", ["alice", "alice@example.org"])
def test_a_stranger_elsewhere_locks_nobody_out(alice, login):
    stranger = Client(REMOTE_ADDR="192.0.2.7")
    assert {log_in(stranger, login, f"guess {n}").status_code for n in range(8)} == {200, 429}

    assert log_in(Client(), login).status_code == 302


def test_many_networks_together_guess_at_most_a_hundred_passwords_in_an_hour(alice):
    logins = ("alice", "alice@example.org")
    at_home = Client(REMOTE_ADDR="2001:db8::1")
    assert log_in(at_home, "alice").status_code == 302

    answers = [log_in(Client(REMOTE_ADDR=f"192.0.2.{n}"), logins[n % 2], "a guess").status_code for n in range(110)]
    assert answers == [200] * 99 + [429] * 11
    assert log_in(Client(REMOTE_ADDR="198.51.100.7"), "alice").status_code == 429

    # Their owner can still log in from a network that has a session of theirs.
    assert log_in(Client(REMOTE_ADDR="2001:db8::2"), "alice").status_code == 302


def test_the_counters_hold_without_the_cache(alice, settings):
    lost = {"BACKEND": "splendor_site.cache.ForgivingRedisCache", "LOCATION": "redis://127.0.0.1:1"}
    settings.CACHES = {**site.CACHES, "default": lost}

    assert [log_in(Client(), "alice", f"guess {n}").status_code for n in range(7)] == [200] * 5 + [429] * 2
    page = "/account/password/reset/"
    answers = [Client().post(page, {"email": "alice@example.org"}).status_code for _ in range(7)]
    assert answers == [302] * 5 + [429] * 2


@pytest.mark.parametrize("login", ["alice", "alice@example.org", "nobody", "nobody@example.org", "guest-1234"])
def test_each_log_in_hashes_one_password(alice, login, monkeypatch):
    encode = Mock(wraps=MD5PasswordHasher().encode)
    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    log_in(Client(), login, "wrong")

    assert encode.call_count == 1


def test_brute_force_against_many_accounts_is_answered_429(client, alice):
    answers = [log_in(client, f"person{n}", "password") for n in range(12)]

    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2


def test_the_right_password_is_never_limited(client, alice):
    for _ in range(12):
        assert log_in(Client(), "alice").status_code == 302


def test_a_log_in_renews_the_session(client, alice):
    client.get("/account/login/")
    session = client.session
    session["visited"] = True
    session.save()
    client.cookies["sessionid"] = before = session.session_key
    log_in(client, "alice")

    cookie = client.cookies["sessionid"]
    assert cookie.value != before
    assert not Session.objects.filter(session_key=before).exists()
    assert (cookie["samesite"], cookie["httponly"]) == ("Lax", True)


def test_zone_from_script_fills_a_gap_only(client, alice):
    log_in(client, "alice", time_zone="Asia/Tokyo")
    assert User.objects.get().time_zone == "Europe/Paris"

    User.objects.update(time_zone="")
    log_in(Client(), "alice", time_zone="Asia/Tokyo")
    assert User.objects.get().time_zone == "Asia/Tokyo"


def test_log_out_needs_a_post(client, alice):
    log_in(client, "alice")
    assert "Log out?" in client.get("/account/logout/").content.decode()
    assert user_of(client) == "Alice"

    assert client.post("/account/logout/").url == "/"
    assert user_of(client) is None


def test_forged_forms_are_refused(alice):
    forger = Client(enforce_csrf_checks=True)
    forger.get("/account/login/")
    response = log_in(forger, "alice")

    assert response.status_code == 403
    assert "This form has expired" in response.content.decode()


def test_a_closed_account_cannot_log_in(client, alice):
    User.objects.update(is_active=False)
    response = client.get(log_in(client, "alice").url)

    assert "This account is closed" in response.content.decode()
    assert user_of(client) is None


def test_the_rail_fits_the_visitor(client, alice):
    before = client.get("/account/signup/").content.decode()
    log_in(client, "alice")
    after = client.get("/settings/").content.decode()

    assert ("Sign up</a>" in before, "<bdi>Alice</bdi>" in before) == (True, False)
    assert ("Sign up</a>" in after, "<bdi>Alice</bdi>" in after) == (False, True)


def test_passwords_stay_out_of_pages(client, alice):
    page = log_in(client, "alice", "a wrong secret").content.decode()

    assert "a wrong secret" not in page
    assert PASSWORD not in page


def test_an_account_with_a_short_password_still_logs_in(client, alice):
    """Passwords of 10 characters were allowed once."""
    alice.set_password("ten letter")
    alice.save()

    assert log_in(client, "alice", "ten letter").url == "/games/"


def test_a_log_in_from_a_new_browser_is_mailed(alice):
    """The first log-in of all is expected, and so is every one in a browser that was used before."""
    known, new = Client(), Client(headers={"User-Agent": "Mozilla/5.0 (X11) Firefox/140.0"})
    for _visit in range(2):
        log_in(known, "alice")
        known.get("/settings/")
        known.post("/account/logout/")
    log_in(new, "alice", "not the password")
    assert mails() == []
    for _visit in range(2):
        log_in(new, "alice")
        new.get("/settings/")
        new.post("/account/logout/")
    [mail] = mails()
    assert (mail.to, mail.subject) == (["alice@example.org"], "Someone logged in to your Cabochon account")
    assert "in a browser where it wasn’t used before" in mail.body
    assert "Firefox/140.0" in mail.body


def test_a_browser_knows_every_account_that_was_used_in_it(client, alice, bob):
    User.objects.update(last_login=timezone.now())
    for name in ("alice", "bob", "alice", "bob"):
        log_in(client, name)
        client.get("/settings/")
        client.post("/account/logout/")
    assert [mail.to for mail in mails()] == [["alice@example.org"], ["bob@example.org"]]


def test_nobody_can_forge_a_known_browser(client, alice):
    User.objects.update(last_login=timezone.now())
    client.cookies[settings.BROWSER_COOKIE_NAME] = str(alice.pk)
    log_in(client, "alice")
    assert len(mails()) == 1
    client.get("/settings/")
    kept = client.cookies[settings.BROWSER_COOKIE_NAME]
    assert (kept["httponly"], kept["samesite"], kept["max-age"]) == (True, "Lax", 365 * 24 * 3600)


def test_a_browser_can_lose_what_is_no_number(client, alice):
    """A browser once got such a cookie from a guest who logged in after midnight."""
    User.objects.update(last_login=timezone.now())
    signer = get_cookie_signer(salt=settings.BROWSER_COOKIE_NAME + BROWSER_SALT)
    client.cookies[settings.BROWSER_COOKIE_NAME] = signer.sign(f"None.{alice.pk}")
    log_in(client, "alice")
    assert client.get("/settings/").status_code == 200
    assert mails() == []
    assert client.cookies[settings.BROWSER_COOKIE_NAME].value.partition(":")[0] == str(alice.pk)


def test_a_browser_that_is_used_every_month_stays_known(client, alice):
    """More than a year after the log-in, the next one is not in a new browser. The cookie is renewed once a day."""
    User.objects.update(last_login=START)
    with time_machine.travel(START, tick=False) as clock:
        log_in(client, "alice")
        assert len(mails()) == 1
        for _month in range(13):
            clock.shift(29 * DAY)
            before = client.cookies[settings.BROWSER_COOKIE_NAME].value
            for _visit in range(2):
                client.get("/settings/")
            assert client.cookies[settings.BROWSER_COOKIE_NAME].value != before
        assert not client.get("/settings/").cookies.get(settings.BROWSER_COOKIE_NAME)
        client.post("/account/logout/")
        log_in(client, "alice")
        assert len(mails()) == 1
