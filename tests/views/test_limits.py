"""Limits: users who post too fast must wait, but quick players are never stopped. Users with too many tables or too
many invitations learn when they may continue."""

from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.urls import reverse

from accounts.models import User
from accounts.services import create_confirmed
from games.models import Game, Incident, Invitation, Move, Seat
from games.models.position import Position
from games.services import play
from games.services.tables import tables
from splendor_site import settings as site
from tests.factories import As, actor

pytestmark = pytest.mark.django_db

NEW = {
    "title": "duel",
    "seats": "2",
    "bots": "1",
    "strength": "medium",
    "admission": "link",
    "audience": "link",
    "pace": "none",
}
FOR_PEOPLE = NEW | {"bots": "0"}


@pytest.fixture(autouse=True)
def limits(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"decide": "2/m/user", "new": "2/h/user", "seat": "2/m/user"}
    cache.clear()


def rows() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Game, Position, Seat, Move, Incident)]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_decisions_are_limited(as_: As, duel: Game, headers: dict[str, str]) -> None:
    user = actor(duel)
    client, path = as_(user), reverse("table", args=[duel.key])
    decision = {"number": 0, "moves": str(play.look(duel, user).legal[0])}
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False) as clock:
        assert [client.post(path, {"number": 0, "moves": "x"}).status_code for _ in range(2)] == [422, 422]
        before = rows()
        answer = client.post(path, decision, headers=headers)
        assert (answer.status_code, answer["Retry-After"]) == (429, "60")
        page = answer.content.decode()
        if headers:
            assert ("<html" in page, page.count('id="table"'), page.count('role="alert"')) == (False, 1, 1)
            assert "Please wait a minute and try again." in page
            assert f'name="moves" value="{decision["moves"]}"' in page
        else:
            assert "One gem at a time" in page
        assert rows() == before
        # The user can still read, and others are not affected.
        assert client.get(path).status_code == client.get(f"{path}poll/").status_code == 200
        other = duel.seat_set.exclude(user=user).get().user
        assert as_(other).post(path, decision).status_code == 404
        clock.shift(timedelta(seconds=61))
        assert client.post(path, decision).status_code == 302
    assert Move.objects.count() == 1


def test_new_tables_are_limited(as_: As, alice: User) -> None:
    client = as_(alice)
    answers = [client.post(reverse("new"), NEW) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert answers[2]["Retry-After"] == "3600"
    assert Game.objects.count() == 2
    assert client.get(reverse("new")).status_code == 200


@pytest.mark.parametrize("name", ["join", "leave", "cancel", "resign"])
def test_requests_about_seats_are_limited(as_: As, alice: User, bob: User, duel: Game, name: str) -> None:
    table = tables.create(alice, tables.TableSpec("splendor", 3))
    tables.join(table, bob)
    user, game = {
        "join": (alice, tables.create(bob, tables.TableSpec("duel", 2))),
        "leave": (bob, table),
        "cancel": (alice, table),
        "resign": (alice, duel),
    }[name]
    client = as_(user)
    for _ in range(2):
        client.post(reverse("leave", args=[duel.key]))
    before = rows()
    answer = client.post(reverse(name, args=[game.key]))
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert "One gem at a time" in answer.content.decode()
    assert rows() == before
    cache.clear()
    assert client.post(reverse(name, args=[game.key])).status_code == 302
    assert rows() != before


def test_newcomers_cannot_join_a_sixth_table(as_: As, alice: User, bob: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS, settings.NEWCOMER_TABLES = {}, 5
    client, other = as_(alice), tables.create(bob, tables.TableSpec("duel", 2))
    for _ in range(5):
        assert client.post(reverse("new"), FOR_PEOPLE).status_code == 302
    before = rows()
    for path, data, status in ((reverse("new"), FOR_PEOPLE, 422), (reverse("join", args=[other.key]), {}, 200)):
        answer = client.post(path, data, follow=True)
        assert answer.status_code == status
        assert "You can join more tables after finishing your first game" in answer.content.decode()
        assert rows() == before
    tables.cancel(Game.objects.filter(status="open", host=alice)[0], alice)
    assert client.post(reverse("new"), FOR_PEOPLE).status_code == 302
    assert client.post(reverse("new"), FOR_PEOPLE).status_code == 422
    # Games against bots alone do not count.
    assert client.post(reverse("new"), NEW).status_code == 302


@pytest.mark.parametrize(
    ("number", "words"), [(1, "You can have one running game"), (3, "You can have 3 running games")]
)
def test_too_many_games_against_bots_are_refused(as_: As, alice: User, settings: Any, number: int, words: str) -> None:
    settings.ACCOUNT_RATE_LIMITS, settings.BOT_TABLES = {}, number
    client = as_(alice)
    for _ in range(number):
        assert client.post(reverse("new"), NEW).status_code == 302
    before = rows()
    answer = client.post(reverse("new"), NEW)
    assert answer.status_code == 422
    assert f"{words} against bots." in answer.content.decode()
    assert rows() == before
    play.resign(Game.objects.filter(status="active")[0], alice)
    assert client.post(reverse("new"), NEW).status_code == 302


def test_an_eleventh_address_in_a_day_is_refused(as_: As, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    client = as_(create_confirmed("alice", "alice@example.org", "correct horse"))
    named = NEW | {"bots": "0", "admission": "named"}
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False) as clock:
        first = " ".join(f"guest{place}@example.net" for place in range(9))
        assert client.post(reverse("new"), named | {"invited": first}).status_code == 302
        clock.shift(timedelta(hours=1))
        path = reverse("invite", args=[Game.objects.get().key])
        before = [*rows(), *Invitation.objects.values()]
        two = "ann@example.net, bea@example.net"
        for address, data in ((reverse("new"), named | {"invited": two}), (path, {"guests": two})):
            answer = client.post(address, data)
            assert (answer.status_code, answer["Retry-After"]) == (429, str(23 * 3600 + 1))
            page = answer.content.decode()
            assert "the daily limit of email invitations" in page
            # The form keeps the typed values.
            assert f'value="{two}"' in page
            assert [*rows(), *Invitation.objects.values()] == before
        assert client.post(path, {"guests": "ann@example.net"}).status_code == 302
        assert client.post(path, {"guests": "bea@example.net"}).status_code == 429
        clock.shift(timedelta(hours=23))
        assert client.post(path, {"guests": "bea@example.net"}).status_code == 302


def test_hosts_without_a_confirmed_address_cannot_invite_by_mail(as_: As, alice: User) -> None:
    client = as_(alice)
    answer = client.post(reverse("new"), NEW | {"bots": "0", "admission": "named", "invited": "ann@example.net"})
    assert answer.status_code == 422
    assert "Confirm your own email address in the settings" in answer.content.decode()
    assert not Game.objects.exists()


def test_quick_players_are_not_stopped(as_: As, duel: Game, settings: Any) -> None:
    """A player who clicks everything twice and decides every second, for more than a minute."""
    settings.ACCOUNT_RATE_LIMITS = site.ACCOUNT_RATE_LIMITS
    client, path = as_(actor(duel)), reverse("table", args=[duel.key])
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False) as clock:
        for step in islice(cycle([0.01, 1.19]), 110):
            assert client.post(path, {"number": 9, "moves": "pass"}).status_code == 409
            clock.shift(timedelta(seconds=step))
