"""The calendar of a user's deadlines."""

import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services.outbox import calendar
from tests.factories import START, As, acting, at, begun, each_began, take_turn
from tests.views.reading import text

pytestmark = pytest.mark.django_db


def feed(user: User) -> str:
    answer = Client().get(urlsplit(calendar.renew(user)).path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies
    return answer.content.decode()


def values(name: str, said: str) -> list[str]:
    """The values of that property, with long lines unfolded."""
    return re.findall(rf"^{name}:(.*)\r$", said.replace("\r\n ", ""), re.MULTILINE)


@pytest.fixture
def games(alice: User, bob: User) -> list[Game]:
    """Two games with a clock and one without."""
    with at(START):
        found = [begun([alice, bob]), begun([alice, bob], "duel"), begun([alice, bob], pace="none")]
        for game in found:
            each_began(game)
    return found


def test_each_deadline_is_an_event_with_the_name_of_the_table(games: list[Game], alice: User, bob: User) -> None:
    for user in (alice, bob):
        mine = [game for game in games[:2] if acting(game).user == user]
        said = feed(user)
        assert values("SUMMARY", said) == [game.called for game in mine]
        assert [datetime.strptime(f"{due}+0000", "%Y%m%dT%H%M%SZ%z") for due in values("DTSTART", said)] == [
            game.deadline for game in mine if game.deadline
        ]
        of_events = {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "TRANSP"} if mine else set()
        assert {line.partition(":")[0].partition(";")[0] for line in said.replace("\r\n ", "").splitlines()} == {
            "BEGIN", "VERSION", "PRODID", "X-WR-CALNAME", "REFRESH-INTERVAL", "END", *of_events,
        }  # fmt: skip
        assert not any(game.key in said for game in games)


def test_an_event_is_the_same_for_the_whole_turn(games: list[Game]) -> None:
    game = games[0]
    user = acting(game).user
    assert user
    [number] = [uid for uid in values("UID", feed(user)) if uid.startswith(f"{game.pk}-")]
    Game.objects.filter(pk=game.pk).update(deadline=START + timedelta(days=9))
    assert number in values("UID", feed(user))
    take_turn(game)
    take_turn(game)
    assert number not in values("UID", feed(user))


def test_long_names_are_folded_and_marks_escaped(games: list[Game]) -> None:
    game = games[0]
    user, name = acting(game).user, "Ö;,\\" + "é" * 36
    assert user
    Game.objects.filter(pk=game.pk).update(name=name)
    said = feed(user)
    assert max(len(line.encode()) for line in said.split("\r\n")) <= 75
    assert re.sub(r"\\(.)", r"\1", values("SUMMARY", said)[0]) == name
    assert "\n" not in said.replace("\r\n", "")


def test_the_address_is_shown_once(as_: As, alice: User) -> None:
    client = as_(alice)
    assert "Create an address" in text(client.get(reverse("mail_wishes")).content)
    shown = client.post(reverse("renew_calendar"))
    [address] = re.findall(r'value="(http[^"]*/calendar/[^"]*)"', shown.content.decode())
    assert Client().get(urlsplit(address).path).status_code == 200
    # The browser sends the form once more when the page is loaded again.
    again = client.post(reverse("renew_calendar"), {"replaces": ""}, follow=True)
    assert "Your calendar already has a new address." in text(again.content)
    assert Client().get(urlsplit(address).path).status_code == 200
    page = client.get(reverse("mail_wishes")).content
    assert "Replace the address" in text(page)
    assert urlsplit(address).path not in page.decode()
    [replaces] = re.findall(r'name="replaces" value="(.+?)"', page.decode())
    client.post(reverse("renew_calendar"), {"replaces": replaces})
    assert Client().get(urlsplit(address).path).status_code == 410
    client.post(reverse("stop_calendar"))
    assert Client().get(urlsplit(address).path).status_code == 410


def test_many_games_cost_as_much_as_one(games: list[Game], alice: User, bob: User) -> None:
    path = urlsplit(calendar.renew(alice)).path
    with CaptureQueriesContext(connection) as few:
        Client().get(path)
    for _game in range(8):
        begun([alice, bob])
    with CaptureQueriesContext(connection) as many:
        Client().get(path)
    assert len(many) == len(few) == 2
