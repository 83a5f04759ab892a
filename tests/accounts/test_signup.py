# ruff: noqa: RUF001, RUF003
import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.db.models.signals import pre_save
from django.test import Client
from django.utils import timezone

from accounts import names, services
from accounts.forms import NewcomerForm
from accounts.models import User
from accounts.services import free_name
from games.forms.guests import guests_of
from splendor_site import settings as site
from tests.accounts.pages import PASSWORD, last_code, log_in, mails, shown, sign_up, user_of

pytestmark = pytest.mark.django_db
CODE_PAGE = "/account/confirm-email/"


def error_of(response, field: str) -> list[str]:
    errors: list[str] = response.context["form"].errors.get(field, [])
    return list(errors)


def test_from_the_form_to_the_first_page(client):
    assert sign_up(client, address="Charlie@Example.org", time_zone="Asia/Tokyo").url == CODE_PAGE
    assert user_of(client) is None
    assert [(m.to, m.subject) for m in mails()] == [
        (["charlie@example.org"], f"{last_code()} is your code for Cabochon")
    ]

    response = client.post(CODE_PAGE, {"code": last_code().lower().replace("-", " ")})

    assert response.url == "/games/"
    assert user_of(client) == "Charlie"
    charlie = User.objects.get()
    assert (charlie.username, charlie.email, charlie.time_zone) == ("Charlie", "charlie@example.org", "Asia/Tokyo")


def test_passwords_are_kept_with_argon2(client, settings):
    settings.PASSWORD_HASHERS = site.PASSWORD_HASHERS
    sign_up(client)

    assert User.objects.get().password.startswith("argon2$argon2id$")


def test_mail_is_complete_as_text_and_as_html(client):
    sign_up(client)
    message = mails()[0]
    assert isinstance(message, EmailMultiAlternatives)
    ((html, _kind),) = message.alternatives

    for said in (last_code(), "Charlie, use this code to confirm your email address:", "It’s valid for 15 minutes."):
        assert said in str(message.body)
        assert said in str(html)


def test_without_script_the_zone_is_asked_for_once(client):
    sign_up(client)
    response = client.post(CODE_PAGE, {"code": last_code()})
    assert response.url == "/settings/time-zone/?next=%2Fgames%2F"

    response = client.post(response.url, {"time_zone": "Europe/Paris", "next": "/games/"})

    assert response.url == "/games/"
    client.post("/account/logout/")
    assert log_in(client, "Charlie").url == "/games/"


@pytest.mark.parametrize("zone", ["", "Nowhere/Town", "../etc/passwd"])
def test_zone_from_script_is_checked(client, zone):
    sign_up(client, time_zone=zone)

    assert User.objects.get().time_zone == ""


def test_log_in_on_the_code_page_does_not_lead_back_to_it(client, alice):
    sign_up(client)
    page = client.get(CODE_PAGE).content.decode()
    assert 'href="/account/login/"' not in page
    assert re.search(r'name="to" value="login">\s*Log in', page)
    answer = client.post("/account/start-again/", {"to": "login"})
    assert answer.url == "/account/login/"
    assert client.get(answer.url).status_code == 200
    assert list(User.objects.all()) == [alice]


def test_a_mistyped_address_can_be_corrected(client):
    sign_up(client, address="charly@example.org")
    assert client.post("/account/start-again/").url == "/account/signup/"
    assert not User.objects.exists()

    sign_up(client)
    client.post(CODE_PAGE, {"code": last_code()})

    assert user_of(client) == "Charlie"


def test_start_again_never_touches_a_confirmed_account(client, alice, settings):
    sign_up(client)
    state = dict(client.session)
    client.post(CODE_PAGE, {"code": last_code()})
    client.post("/account/start-again/")

    stale = Client()
    session = stale.session
    session.update(state)
    session.save()
    stale.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    stale.post("/account/start-again/")

    assert {user.username for user in User.objects.all()} == {"Alice", "Charlie"}


def test_an_unconfirmed_sign_up_holds_no_name_and_is_forgotten(client):
    with time_machine.travel(timezone.now()) as clock:
        stranger = Client()
        sign_up(stranger, "Charlie", "wrong@example.org")
        code = last_code()
        assert sign_up(client).url == CODE_PAGE
        assert User.objects.get().email == "charlie@example.org"
        assert stranger.post(CODE_PAGE, {"code": code}).status_code == 200
        sign_up(Client(), "Charles", "old@example.org")
        clock.shift(timedelta(hours=1, minutes=1))
        services.forget()
    assert not User.objects.exists()


def test_an_unconfirmed_sign_up_holds_no_address(client):
    with time_machine.travel(timezone.now()) as clock:
        sign_up(Client(), "Stranger")
        clock.shift(timedelta(seconds=11))
        sign_up(client)
        assert client.post(CODE_PAGE, {"code": last_code()}).status_code == 302
    assert user_of(client) == "Charlie"
    assert User.objects.count() == 1


def test_nobody_learns_from_a_name_or_a_log_in_whether_an_address_is_known(alice):
    """What a second browser can find out after a sign-up with the address of somebody else."""
    as_alice = Client()
    as_alice.force_login(alice)
    for address in ("alice@example.org", "unknown@example.org"):
        sign_up(Client(), "Probe", address, password1=PASSWORD)
        assert "Wrong name or password." in log_in(Client(), "Probe").content.decode()
        assert error_of(Client().post("/account/signup/", {"username": "Probe"}), "username") == []
        assert free_name("probe@example.net") == "probe"
        assert as_alice.get("/people/Probe/").status_code == 404
        with pytest.raises(ValidationError, match="Unknown player: Probe"):
            guests_of(["Probe"], besides=alice)


def test_a_second_browser_s_log_ins_are_counted_alike(alice):
    answers = []
    for address in ("alice@example.org", "unknown@example.org"):
        cache.clear()
        sign_up(Client(REMOTE_ADDR="192.0.2.1"), "Probe", address)
        stranger = Client(REMOTE_ADDR="192.0.2.2")
        answers.append([log_in(stranger, "Probe").status_code for _ in range(7)])
        answers[-1].append(log_in(stranger, address, "wrong").status_code)
    assert answers[0] == answers[1]
    assert 429 in answers[0]


@pytest.mark.parametrize("address", ["alice@example.org", "unknown@example.org"])
def test_a_sign_up_ends_another_with_its_name_whatever_its_address(client, alice, address):
    sign_up(client, "Probe", "mine@example.org")
    code = last_code()
    sign_up(Client(), "Probe", address)
    assert client.post(CODE_PAGE, {"code": code}).status_code == 200


def test_a_sign_up_that_gets_no_code_replaces_none(client, db):
    sign_up(client)
    code = last_code()
    assert sign_up(Client(), "Stranger").status_code == 429
    assert client.post(CODE_PAGE, {"code": code}).status_code == 302


def test_a_reset_confirms_no_stranger_s_sign_up(client, db):
    """There is no account yet, so the answer is that of an unknown address."""
    sign_up(Client(), "Mallory", "victim@example.org")
    told = []
    for address in ("victim@example.org", "unknown@example.org"):
        before = len(mails())
        assert client.post("/account/password/reset/", {"email": address}).status_code == 302
        told.append([message.subject for message in mails()[before:]])
    assert told[0] == told[1]
    assert not services.is_confirmed(User.objects.get())


def test_a_guest_can_take_the_name_of_an_unconfirmed_sign_up(client):
    sign_up(client)
    assert NewcomerForm({"username": "Charlie"}).is_valid()


class CountingHasher(MD5PasswordHasher):
    hashed = 0

    def encode(self, password, salt):
        CountingHasher.hashed += 1
        return super().encode(password, salt)


def test_a_known_address_costs_as_many_hashes_as_a_new_one(alice, settings):
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    costs = []
    for address in ("alice@example.org", "other@example.org"):
        CountingHasher.hashed = 0
        assert sign_up(Client(), "Charlie", address).url == CODE_PAGE
        costs.append(CountingHasher.hashed)
    assert costs[0] == costs[1] > 0


def test_an_address_belongs_to_its_reader(client, alice):
    """A stranger's unconfirmed sign-up does not block the real owner."""
    with time_machine.travel(timezone.now()) as clock:
        sign_up(Client(), "Stranger", "new@example.org")
        clock.shift(timedelta(seconds=11))
        log_in(client, "alice")
        client.post("/account/reauthenticate/", {"password": PASSWORD})
        client.post("/account/email/", {"email": "new@example.org", "action_add": ""})
        client.post(CODE_PAGE, {"code": last_code()})

    assert [(user.username, user.email) for user in User.objects.all()] == [("Alice", "new@example.org")]


def test_a_known_address_is_answered_like_a_new_one(alice):
    known, new = Client(), Client()
    answers = [
        [sign_up(client, "Charlie", address), client.get(CODE_PAGE), client.post(CODE_PAGE, {"code": "BBBB-BBBB"})]
        for client, address in ((known, "alice@example.org"), (new, "other@example.org"))
    ]

    for to_known, to_new in zip(*answers, strict=True):
        assert (to_known.status_code, to_known.get("Location")) == (to_new.status_code, to_new.get("Location"))
        assert shown(to_known).replace("alice@", "other@") == shown(to_new)
    assert sorted((message.to[0], message.subject) for message in mails()) == [
        ("alice@example.org", "You already have an account at Cabochon"),
        ("other@example.org", f"{last_code('other@example.org')} is your code for Cabochon"),
    ]
    back = [client.post("/account/start-again/")["Location"] for client in (known, new)]
    assert back == ["/account/signup/", "/account/signup/"]
    assert list(User.objects.all()) == [alice]


def test_a_name_taken_at_the_same_moment_is_refused(client):
    """Another sign-up takes the name between the check and the write; here it is rolled back with ours."""

    def rival(instance, **_kwargs):
        pre_save.disconnect(rival, User)
        User.objects.bulk_create([User(username="chaR1ie", name_key=names.skeleton("chaR1ie"), email="rival@x.org")])

    pre_save.connect(rival, User)
    response = sign_up(client)

    assert response.url == "/account/signup/"
    assert "has just taken this name" in client.get(response.url).content.decode()
    assert [user.username for user in User.objects.all()] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ana", "This name, or one that looks like it, is taken."),
        ("ANA", "This name, or one that looks like it, is taken."),
        ("Ána", "This name, or one that looks like it, is taken."),
        ("ana", "This name, or one that looks like it, is taken."),  # full-width letters
        ("аnа", "All letters in a name must come from the same alphabet."),  # Cyrillic а
        ("АНА", None),  # all Cyrillic, reads “aha”
        ("admin", "This name is reserved. Please choose another."),
        ("Adm1n", "This name is reserved. Please choose another."),
        ("rооt", "All letters in a name must come from the same alphabet."),  # Cyrillic о
        ("you", "This name is reserved. Please choose another."),
        ("Greedy", "This name is reserved. Please choose another."),
        ("Cabochon", "This name is reserved. Please choose another."),
        ("bot_7", "This name is reserved. Please choose another."),
        ("an", "A name needs at least 3 characters."),
        ("a" * 21, "Ensure this value has at most 20 characters (it has 21)."),
        ("ana ben", "Use letters and digits, with a single - _ or . between them."),
        ("ana@ben", "Use letters and digits, with a single - _ or . between them."),
        ("<b>ana", "Use letters and digits, with a single - _ or . between them."),
        ("an\u202ea", "Use letters and digits, with a single - _ or . between them."),  # right-to-left override
        ("ᴀna", "Use letters and digits, with a single - _ or . between them."),  # phonetic small capital
        ("ana-", "Use letters and digits, with a single - _ or . between them."),
        ("-ana", "Use letters and digits, with a single - _ or . between them."),
        ("a..na", "Use letters and digits, with a single - _ or . between them."),
        ("12-34", "A name needs at least one letter."),
        ("Éloïse", None),
        ("abc", None),
        ("a" * 20, None),
        ("a-b", None),
        ("Łukasz_2", None),
        ("Дмитрий", None),
        ("さくら花", None),
    ],
)
def test_names_are_checked(client, name, said):
    User.objects.create_user("ana", "ana@example.org")

    response = sign_up(client, name)

    if said is None:
        assert response.url == CODE_PAGE
        assert User.objects.filter(username=name).exists()
    else:
        assert error_of(response, "username")[0].replace("\xa0", " ") == said
        assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Luke", "Iuke"),
        ("corn", "com"),
        ("sоре".replace("s", "ѕ"), "sope"),
        ("ΑΒΕ", "ABE"),
        ("a_b", "a.b"),
        ("b0b", "bob"),
    ],
)
def test_lookalikes_share_a_skeleton(one, other):
    assert one != other
    assert names.skeleton(one) == names.skeleton(other)


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("short", "This password is too short. It must contain at least 12 characters."),
        ("eleven-char", "This password is too short. It must contain at least 12 characters."),
        ("1qaz2wsx3edc", "This password is too common."),
        ("102938475610", "This password is entirely numeric."),
        ("charlie@example", "The password is too similar to the address."),
    ],
)
def test_weak_passwords_are_refused(client, password, said):
    assert said in error_of(sign_up(client, password1=password), "password1")
    assert not User.objects.exists()


@pytest.mark.parametrize("address", ["", "nobody", f"{'a' * 250}@example.org", "a\x00b@example.org"])
def test_impossible_addresses_are_refused(client, address):
    assert error_of(sign_up(client, address=address), "email")


@pytest.mark.parametrize(("length", "said"), [(254, []), (255, ["This address is too long."])])
def test_addresses_have_a_maximum_length(client, length, said):
    host = ".".join(["a" * 60] * 3)
    address = f"{'b' * (length - 5 - len(host))}@{host}.org"

    assert len(address) == length
    response = sign_up(client, address=address)
    assert (error_of(response, "email") if response.status_code == 200 else []) == said
    assert User.objects.filter(email=address).exists() == (not said)
