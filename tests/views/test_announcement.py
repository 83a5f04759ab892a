"""The operator's line on every page."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Announcement, Game
from games.services.clocks.moment import now
from games.services.work import sweep
from tests.factories import START, As, at

pytestmark = pytest.mark.django_db
TEXT = "Down for an hour <tonight>"
UNTIL = (START + timedelta(hours=6)).isoformat()


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    cache.clear()


def line(client: Client, address: str = "/") -> str:
    """What every page says above its content."""
    page = client.get(address).content.decode()
    return page.partition('role="note">')[2].partition("</p>")[0].partition("</svg>")[2].strip()


def test_every_page_shows_the_line_until_its_end(as_: As, alice: User, duel: Game) -> None:
    with at(START):
        call_command("announce", TEXT, "--until", UNTIL)
        for client in (as_(alice), Client()):
            for address in (f"/table/{duel.key}/", "/nowhere/", "/learn/"):
                assert line(client, address) == "Down for an hour &lt;tonight&gt;"
    with at(START + timedelta(hours=6)):
        assert line(Client()) == ""
        sweep.sweep()
    assert not cache.get("announcement")


def test_readers_of_other_languages_get_their_own_line(as_: As, alice: User) -> None:
    User.objects.update(language="fr")
    with at(START):
        call_command("announce", TEXT, "--until", UNTIL, "--fr", "Pause ce soir")
        assert line(as_(alice)) == "Pause ce soir"
        assert line(Client()) == "Down for an hour &lt;tonight&gt;"
        call_command("announce", TEXT, "--until", UNTIL)
        assert line(as_(alice)) == "Down for an hour &lt;tonight&gt;"


def test_the_line_costs_no_query_and_comes_back_after_the_cache_is_lost() -> None:
    client = Client()
    with CaptureQueriesContext(connection) as before:
        client.get("/learn/")
    call_command("announce", TEXT, "--until", (now() + timedelta(hours=1)).isoformat())
    with CaptureQueriesContext(connection) as after:
        assert line(client, "/learn/")
    assert len(after) == len(before)
    cache.clear()
    assert line(client) == ""
    sweep.sweep()
    assert line(client)


def test_the_line_can_be_replaced_and_cleared() -> None:
    until = (now() + timedelta(hours=1)).isoformat()
    call_command("announce", TEXT, "--until", until)
    call_command("announce", "Up again", "--until", until)
    assert line(Client()) == "Up again"
    assert Announcement.objects.count() == 1
    call_command("announce", "--clear")
    assert line(Client()) == ""


def test_wrong_requests_are_explained() -> None:
    with at(START):
        for words, why in (
            ([TEXT], "Give the text and --until"),
            (["--until", UNTIL], "Give the text and --until"),
            ([TEXT, "--until", "tomorrow"], "is not an instant"),
            ([TEXT, "--until", "2026-05-04T13:30+02:00"], "2026-05-04 11:30 UTC is over"),
        ):
            with pytest.raises(CommandError, match=why):
                call_command("announce", *words)
    assert not Announcement.objects.exists()
