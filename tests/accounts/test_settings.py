import re
from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils.timezone import now

from accounts import services, zones
from accounts.models import Offence, User
from accounts.services import create_confirmed
from accounts.sessions import Device
from games.services.mailing import bounces
from tests.accounts.pages import PASSWORD, last_code, log_in, user_of

pytestmark = pytest.mark.django_db
MINE = {"time_zone": "Europe/Paris", "language": "", "theme": "auto"}
OWN_PAGES = [
    "/settings/",
    "/settings/time-zone/",
    "/settings/sessions/",
    "/settings/passkeys/",
    "/settings/passkeys/add/",
    "/account/email/",
    "/account/password/change/",
    "/account/reauthenticate/",
]


@pytest.mark.parametrize("path", OWN_PAGES)
def test_strangers_are_asked_to_log_in(client, path):
    assert client.get(path).url.startswith("/account/login/?next=")
    assert client.post(path, MINE).url.startswith("/account/login/?next=")


@pytest.mark.parametrize("path", ["/settings/", "/settings/time-zone/", "/settings/sessions/"])
def test_settings_are_never_cached(client, alice, path):
    log_in(client, "alice")
    assert "no-store" in client.get(path)["Cache-Control"]


@pytest.mark.parametrize("path", ["/settings/sessions/1/end/", "/settings/sessions/end-others/"])
def test_a_session_ends_by_a_post_of_its_owner(client, alice, path):
    assert client.post(path).url.startswith("/account/login/?next=")
    log_in(client, "alice")
    assert client.get(path).status_code == 405


def test_starting_again_takes_a_post(client, alice):
    assert client.get("/account/start-again/").status_code == 405


def test_saved_settings_take_effect(client, alice):
    log_in(client, "alice")
    with time_machine.travel(datetime(2026, 1, 1, 23, 30, tzinfo=UTC)):
        before = client.get("/settings/")
        assert "Friday 00:30 (Europe/Paris)" in before.content.decode()
        assert "data-theme" not in before.content.decode()
        assert before["Content-Language"] == "en"

        answer = client.post("/settings/", {"time_zone": "Asia/Tokyo", "language": "fr", "theme": "dark"})
        assert answer.url == "/settings/"

        after = client.get("/settings/")
        assert "Réglages enregistrés." in after.content.decode()
        assert "08:30 (Asia/Tokyo)" in after.content.decode()
        assert 'data-theme="dark"' in after.content.decode()
        assert after["Content-Language"] == "fr"
        assert client.get("/")["Content-Language"] == "fr"
    assert Client().get("/")["Content-Language"] == "en"


def test_the_browser_decides_if_nothing_is_chosen(client, alice):
    log_in(client, "alice")

    assert client.get("/settings/", headers={"accept-language": "fr"})["Content-Language"] == "fr"


@pytest.mark.parametrize(
    "nonsense", [{"time_zone": "Nowhere/Town"}, {"time_zone": ""}, {"language": "xx"}, {"theme": "pink"}]
)
def test_nonsense_is_refused(client, alice, nonsense):
    log_in(client, "alice")
    response = client.post("/settings/", {**MINE, **nonsense})

    assert response.status_code == 422
    (field,) = nonsense
    assert list(response.context["form"].errors) == [field]
    assert getattr(User.objects.get(), field) == MINE[field]


@pytest.mark.parametrize(
    ("start", "end"), [("22:00", "08:00"), ("23:30", "06:15"), ("01:00", "02:00"), ("14:00", "00:00"), ("", "")]
)
def test_quiet_hours(client, alice, start, end):
    log_in(client, "alice")
    User.objects.update(quiet_from=time(1), quiet_until=time(2))
    assert client.post("/settings/", {**MINE, "quiet_from": start, "quiet_until": end}).url == "/settings/"

    user = User.objects.get()
    kept = [at.isoformat("minutes") if at else "" for at in (user.quiet_from, user.quiet_until)]
    assert kept == [start, end]
    page = client.get("/settings/")
    assert [page.context["form"][name].value() for name in ("quiet_from", "quiet_until")] == [
        user.quiet_from,
        user.quiet_until,
    ]
    assert "apply from your next turn" in page.content.decode()


@pytest.mark.parametrize(
    ("start", "end", "field", "complaint"),
    [
        ("22:00", "08:01", "quiet_until", "Quiet hours can last up to 10 hours."),
        ("08:00", "08:00", "quiet_until", "Quiet hours can last up to 10 hours."),
        ("22:00", "", "quiet_until", "Quiet hours need a start and an end. For no quiet hours, leave both empty."),
        ("", "08:00", "quiet_from", "Quiet hours need a start and an end. For no quiet hours, leave both empty."),
        ("late", "08:00", "quiet_from", "Enter a time of day, such as 22:30."),
        ("22:00", "25:00", "quiet_until", "Enter a time of day, such as 22:30."),
    ],
)
def test_impossible_quiet_hours_are_refused(client, alice, start, end, field, complaint):
    log_in(client, "alice")
    response = client.post("/settings/", {**MINE, "quiet_from": start, "quiet_until": end})

    assert response.status_code == 422
    assert response.context["form"].errors == {field: [complaint]}
    assert complaint in response.content.decode()
    assert User.objects.get().quiet_from is None


def test_a_new_address_has_no_mail_trouble(client, alice):
    bounces.failed(alice, "550 no such mailbox here")
    log_in(client, "alice")
    assert "Our emails aren’t reaching you" in client.get("/settings/").content.decode()
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post("/account/email/", {"email": "new@example.org", "action_add": "1"})
    assert "Our emails aren’t reaching you" in client.get("/settings/").content.decode()
    client.post("/account/confirm-email/", {"code": last_code()})

    assert User.objects.get().email == "new@example.org"
    assert "Our emails aren’t reaching you" not in client.get("/settings/").content.decode()


def test_the_form_writes_no_other_field(client, alice):
    log_in(client, "alice")
    client.post("/settings/", {**MINE, "username": "root", "email": "x@example.org", "is_staff": "1"})

    user = User.objects.get()
    assert (user.username, user.email, user.is_staff) == ("Alice", "alice@example.org", False)


def test_an_unknown_zone_counts_as_utc(client, alice):
    User.objects.update(time_zone="Europe/Atlantis")
    log_in(client, "alice")

    assert "(UTC)" in client.get("/settings/").content.decode()


def test_only_zones_of_places_are_known():
    assert {"Europe/Paris", "America/Argentina/Buenos_Aires", "UTC"} <= zones.known()
    assert not {"posixrules", "EST5EDT", "Etc/GMT+5", "Factory"} & zones.known()


def test_zones_are_grouped_by_region():
    regions = {str(region): dict(places) for region, places in zones.by_region()}

    assert next(iter(regions)) == "Africa"
    assert regions["Other"] == {"UTC": "UTC"}
    assert {name for places in regions.values() for name in places} == zones.offered()
    assert regions["America"]["America/Argentina/Buenos_Aires"] == "Argentina, Buenos Aires"
    assert regions["Atlantic Ocean"]["Atlantic/Azores"] == "Azores"


def test_former_names_of_zones_are_understood_but_not_offered(client, alice):
    assert not {"Asia/Calcutta", "Europe/Kiev", "America/Buenos_Aires", "Pacific/Enderbury"} & zones.offered()
    assert {"Asia/Kolkata", "Europe/Kyiv", "Europe/Oslo", "UTC"} <= zones.offered() <= zones.known()
    # Every other name of a city leads to one that is offered, at the same time of day.
    for former, present in zones.former_names().items():
        moment = datetime(2026, 7, 1)
        assert (
            moment.replace(tzinfo=zones.find(former)).timestamp()
            == moment.replace(tzinfo=zones.find(present)).timestamp()
        )
    log_in(client, "alice")
    User.objects.update(time_zone="Europe/Kiev")
    page = client.get("/settings/").content.decode()
    assert re.search(r'value="Europe/Kyiv" selected data-former="[^"]*Europe/Kiev[^"]*"', page)
    assert 'Europe/Kiev"' not in page.replace('data-former="Europe/Kiev', "")
    client.post("/settings/", MINE | {"time_zone": "Asia/Calcutta"})
    assert User.objects.get().time_zone == "Asia/Kolkata"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/537 Edg/126", "Edge on Windows"),
        ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/1 Safari/537", "Chrome on ChromeOS"),
        ("Firefox/130.0", "Firefox"),
        ("(Macintosh; Intel Mac OS X)", "macOS"),
        ("curl/8", "Unknown browser"),
    ],
)
def test_devices_are_named(agent, name):
    assert Device(UserSession(user_agent=agent), current=False).name == name


def test_sessions_are_listed_and_revoked(client, alice, bob):
    phone = Client(headers={"user-agent": "Mozilla/5.0 (iPhone; CPU) Version/17.0 Mobile Safari/604.1"})
    client.defaults["HTTP_USER_AGENT"] = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
    log_in(client, "alice")
    log_in(phone, "alice")
    log_in(stranger := Client(), "bob")

    page = client.get("/settings/sessions/").content.decode()
    assert page.index("Firefox on Linux") < page.index("This session") < page.index("Safari on iPhone")
    assert page.count('<li class="row">') == 2
    row = UserSession.objects.get(user=alice, user_agent__contains="iPhone")

    assert stranger.post(f"/settings/sessions/{row.pk}/end/").status_code == 404
    assert client.get(f"/settings/sessions/{row.pk}/end/").status_code == 405
    assert user_of(phone) == "Alice"
    response = client.post(f"/settings/sessions/{row.pk}/end/", follow=True)
    assert response.redirect_chain == [("/settings/sessions/", 302)]
    assert "Session logged out." in response.content.decode()

    assert (user_of(client), user_of(phone), user_of(stranger)) == ("Alice", None, "Bob")
    assert client.get("/settings/sessions/").content.decode().count('<li class="row">') == 1


def test_all_other_sessions_are_revoked(client, alice, bob):
    others = [Client(), Client()]
    for one in (client, *others):
        log_in(one, "alice")
    log_in(stranger := Client(), "bob")

    response = client.post("/settings/sessions/end-others/", follow=True)

    assert "Logged out 2 other sessions." in response.content.decode()
    assert [user_of(one) for one in (client, *others, stranger)] == ["Alice", None, None, "Bob"]


def test_a_changed_password_empties_the_list(client, alice):
    log_in(Client(), "alice")
    log_in(client, "alice")
    client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": "four green emeralds"})

    assert client.get("/settings/sessions/").content.decode().count('<li class="row">') == 1


def test_an_expired_session_is_not_listed(client, alice):
    log_in(Client(), "alice")
    Session.objects.update(expire_date=now())
    log_in(client, "alice")

    assert client.get("/settings/sessions/").content.decode().count('<li class="row">') == 1


@pytest.mark.parametrize("path", ["/settings/", "/settings/sessions/", "/settings/passkeys/"])
def test_queries_do_not_grow(client, alice, django_assert_num_queries, path):
    log_in(client, "alice")
    Authenticator.objects.create(user=alice, type="webauthn", data={"name": "First"})
    count = {"/settings/": 7, "/settings/sessions/": 4, "/settings/passkeys/": 3}[path]
    with django_assert_num_queries(count):
        client.get(path)

    for n in range(5):
        log_in(Client(), "alice")
        Authenticator.objects.create(user=alice, type="webauthn", data={"name": f"Key {n}"})
    with django_assert_num_queries(count):
        client.get(path)


def test_users_created_in_code_can_log_in(client, db):
    create_confirmed("Dana", "Dana@Example.org", PASSWORD, time_zone="UTC", theme="dark")

    assert log_in(client, "dana@example.org").url == "/games/"
    assert 'data-theme="dark"' in client.get("/").content.decode()


def test_a_new_key_ends_no_session(client, alice, settings):
    log_in(client, "alice")
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    # A visit signs the session again.
    for fallbacks in ([former], []):
        settings.SECRET_KEY_FALLBACKS = fallbacks
        assert "This session" in client.get("/settings/sessions/").content.decode()


def test_a_new_password_undoes_no_suspension(client, alice):
    """The row may change while the password is hashed."""
    stale = User.objects.get(pk=alice.pk)
    services.suspend(alice, now() + timedelta(days=3), Offence.ABUSE, "")
    get_adapter().set_password(stale, "another long password")
    alice.refresh_from_db()
    assert alice.is_suspended
    assert alice.check_password("another long password")
