"""The page of mail preferences."""

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.models import Preferences
from games.services.mailing import bounces
from games.services.outbox import preferences
from tests.factories import As
from tests.views.mailing.owed import EVERYTHING, GONE, LIST, SETTINGS
from tests.views.reading import text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", [SETTINGS, LIST, "/settings/vacation/"])
def test_strangers_are_asked_to_log_in(as_: As, address: str) -> None:
    assert as_(None).get(address)["Location"] == f"/account/login/?next={address}"


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("test_mail", LIST),
        ("mail_works", LIST),
        ("renew_calendar", SETTINGS),
        ("stop_calendar", SETTINGS),
        ("vacation_back", "/settings/vacation/"),
        ("time_off", "/settings/vacation/"),
        ("accounts:end_other_sessions", "/settings/sessions/"),
    ],
)
def test_a_post_after_logging_out_leads_back_to_its_page(as_: As, alice: User, name: str, page: str) -> None:
    assert as_(None).post(reverse(name))["Location"] == f"/account/login/?next={page}"
    assert as_(alice).get(page).status_code == 200
    refused = as_(alice).get(reverse(name))
    assert (refused.status_code, refused["Allow"]) == (405, "POST")
    assert f'<a class="btn btn-act" href="{page}">Open that page</a>' in refused.content.decode()


def test_a_table_is_muted_only_by_posts_of_users(as_: As, alice: User) -> None:
    assert as_(None).post("/table/ABC/mute/")["Location"] == f"/account/login/?next={SETTINGS}"
    assert as_(alice).get("/table/ABC/mute/").status_code == 405


def test_every_mail_is_on_by_default(as_: As, alice: User) -> None:
    page = as_(alice).get(SETTINGS)
    form = page.context["form"]
    chosen = {field.name: field.value() for field in form}
    assert chosen["reminders"] == ["50", "25", "2h"]
    assert (chosen["mails"], chosen["delay"], chosen["more"]) == ("", 3, ["links"])
    assert page.content.decode().count(" checked") == 1 + 10 + 1 + 3 + 1

    as_(alice).post(SETTINGS, EVERYTHING)
    kept, default = Preferences.objects.get(user=alice), Preferences(user=alice)
    names = ("off", "delay", "reminders", "always", "links", "trouble")
    assert [getattr(kept, name) for name in names] == [getattr(default, name) for name in names]


def test_preferences_are_kept_and_shown(as_: As, alice: User, bob: User) -> None:
    bounces.failed(alice, GONE)
    wishes = {
        "mails": "",
        "acting": ["turn"],
        "offers": ["invited"],
        "hour": "18",
        "delay": "0",
        "reminders": ["10", "24h"],
        "more": ["always"],
    }
    client = as_(alice)
    assert client.post(SETTINGS, wishes)["Location"] == SETTINGS
    page = client.get(SETTINGS)
    assert "Settings saved." in text(page.content)
    assert page.content.decode().count(" checked") == 1 + 2 + 1 + 2 + 1

    kept = Preferences.objects.get(user=alice)
    assert kept.off == ["unfinished", "reminder", "vacation", "absence", "started", "finished", "rematch", "closed"]
    assert (kept.delay, kept.reminders, kept.always, kept.links) == (0, ["10", "24h"], True, False)
    assert kept.trouble == GONE
    assert [kind for kind in preferences.SWITCHABLE_KINDS if kept.wants(kind)] == ["turn", "invited"]
    assert not Preferences.objects.filter(user=bob).exists()


def test_all_mails_can_be_switched_off(as_: As, alice: User) -> None:
    client = as_(alice)
    client.post(SETTINGS, EVERYTHING | {"mails": "all", "offers": []})
    kept = Preferences.objects.get(user=alice)
    assert kept.off == ["invited", "rematch", "all"]
    assert not any(kept.wants(kind) for kind in preferences.SWITCHABLE_KINDS)

    # The other choices are kept for when mails are switched on again.
    client.post(SETTINGS, EVERYTHING | {"offers": []})
    assert Preferences.objects.get(user=alice).off == ["invited", "rematch"]


def test_a_daily_mail_has_an_hour(as_: As, alice: User) -> None:
    client = as_(alice)
    for hour in ("7", "0"):
        client.post(SETTINGS, EVERYTHING | {"mails": "daily", "hour": hour})
        assert Preferences.of(alice).digest_hour == int(hour)
        assert client.get(SETTINGS).context["form"]["hour"].value() == int(hour)
    client.post(SETTINGS, EVERYTHING | {"hour": "7"})
    assert Preferences.of(alice).digest_hour is None


@pytest.mark.parametrize(
    ("field", "nonsense"),
    [
        ("mails", "some"),
        ("hour", "24"),
        ("hour", ""),
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
