"""Opting out of mails with one click, without a log-in."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, NeverAgain, Preferences, Seat
from games.services.outbox import opt_out, preferences, site
from tests.factories import As
from tests.views.mailing.owed import SETTINGS, Kind, path
from tests.views.reading import text

pytestmark = pytest.mark.django_db

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def test_one_click_ends_a_kind(anybody: Client, alice: User, bob: User) -> None:
    url = path(opt_out.unsubscribe_url(alice, Kind.REMINDER))
    for look in (anybody.get, anybody.head):
        assert look(url).status_code == 200
    assert not Preferences.objects.exists()
    page = anybody.get(url)
    assert "Stop these emails?" in text(page.content)
    assert page["Cache-Control"] == "private, no-store"

    for _twice in range(2):
        done = anybody.post(url, ONE_CLICK)
        assert (done.status_code, done.has_header("Location")) == (200, False)
        assert "Emails stopped" in text(done.content)
        assert Preferences.objects.get(user=alice).off == ["reminder"]
    assert not Preferences.objects.filter(user=bob).exists()


def test_the_page_switches_mails_off_and_on(anybody: Client, alice: User) -> None:
    url = path(opt_out.unsubscribe_url(alice, Kind.TURN))
    assert anybody.post(url)["Location"] == url
    page = anybody.get(url)
    assert "alice won’t get any more “It’s my turn” emails." in text(page.content)
    assert Preferences.objects.get(user=alice).off == ["turn"]

    assert anybody.post(url, {"again": "1"})["Location"] == url
    assert Preferences.objects.get(user=alice).off == []
    assert "Stop these emails?" in text(anybody.get(url).content)


def test_all_mails_can_be_switched_off_and_one_kind_on_again(anybody: Client, alice: User) -> None:
    kind, everything = (path(opt_out.unsubscribe_url(alice, word)) for word in ("turn", "all"))
    assert f'href="{site.url(everything)}"' in anybody.get(kind).content.decode()
    anybody.post(everything, ONE_CLICK)
    assert Preferences.objects.get(user=alice).off == ["all"]
    assert "Emails stopped" in text(anybody.get(kind).content)

    anybody.post(kind, {"again": "1"})
    kept = Preferences.objects.get(user=alice)
    assert [kind for kind in preferences.SWITCHABLE_KINDS if kept.wants(kind)] == ["turn"]


def test_a_game_can_be_muted(anybody: Client, as_: As, alice: User, bob: User, duel: Game) -> None:
    mine = Seat.objects.get(game=duel, user=alice)
    url = path(opt_out.mute_url(mine))
    assert f"Mute {duel.short_key}?" in text(anybody.get(url).content)
    assert not Seat.objects.filter(muted=True).exists()
    version = Game.objects.get().version

    anybody.post(url, ONE_CLICK)
    assert [seat.user for seat in Seat.objects.filter(muted=True)] == [alice]
    assert Game.objects.get().version == version
    assert f"Splendor Duel {duel.short_key} Email me again" in text(as_(alice).get(SETTINGS).content)
    assert "Muted tables" not in text(as_(bob).get(SETTINGS).content)

    anybody.post(url, {"again": "1"})
    assert not Seat.objects.filter(muted=True).exists()


def test_a_seat_of_nobody_cannot_be_muted(anybody: Client, alice: User, duel: Game) -> None:
    url = path(opt_out.mute_url(Seat.objects.get(game=duel, user=alice)))
    User.objects.filter(pk=alice.pk).update(email="")
    for look in (anybody.get, anybody.post):
        assert look(url).status_code == 404
    assert not Seat.objects.filter(muted=True).exists()


def test_only_players_mute_a_game(as_: As, alice: User, charlie: User, duel: Game) -> None:
    url = f"/table/{duel.key}/mute/"
    assert as_(charlie).post(url, {"muted": "1"}).status_code == 404
    client = as_(alice)
    assert client.post(url, {"muted": "1"})["Location"] == f"/table/{duel.key}/clock/"
    assert [seat.user for seat in Seat.objects.filter(muted=True)] == [alice]
    assert client.post(url, {"muted": "0", "settings": "1"})["Location"] == SETTINGS
    assert f"You’ll get emails about {duel.short_key} again." in text(client.get(SETTINGS).content)
    assert not Seat.objects.filter(muted=True).exists()


def test_an_opted_out_address_gets_no_more_mail(anybody: Client) -> None:
    url = path(opt_out.never_again_url("Stranger@Example.net"))
    assert "Someone invited stranger@example.net to a game" in text(anybody.get(url).content)
    assert not NeverAgain.objects.exists()

    for _twice in range(2):
        assert anybody.post(url, ONE_CLICK).status_code == 200
    assert [row.address for row in NeverAgain.objects.all()] == ["stranger@example.net"]
    assert opt_out.is_refused("STRANGER@example.net")

    anybody.post(url, {"again": "1"})
    assert not opt_out.is_refused("stranger@example.net")


def test_forged_links_are_refused(anybody: Client, alice: User, bob: User, duel: Game) -> None:
    url = path(opt_out.unsubscribe_url(alice, Kind.TURN))
    token = url.split("/")[-2]
    of_bob = path(opt_out.unsubscribe_url(bob, Kind.TURN)).split("/")[-2]
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

    muted = path(opt_out.mute_url(Seat.objects.get(user=alice)))
    Game.objects.all().delete()
    assert anybody.post(muted, ONE_CLICK).status_code == 404
    User.objects.filter(pk=alice.pk).delete()
    assert anybody.post(url, ONE_CLICK).status_code == 404
