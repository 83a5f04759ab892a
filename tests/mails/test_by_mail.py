"""People who never log in: they read the mails accepted by a real mail server, and follow the links in them."""

import html
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game
from tests.factories import START, actor, deal, person, play_until, play_well, post
from tests.mails.every import of_tables
from tests.mails.reading import addresses, write
from tests.smtp import MailServer
from tests.views.link.pages import form, rows
from tests.views.reading import text

pytestmark = pytest.mark.django_db


def paths(message: object, beginning: str = "/") -> list[str]:
    found = (urlsplit(address) for address in addresses(message))  # type: ignore[arg-type]
    return [each.path for each in found if each.path.startswith(beginning)]


def choices(page: Any) -> list[str]:
    """The addresses of drafts that the page offers."""
    return [html.unescape(found) for found in dict.fromkeys(re.findall(r'href="(\?draft=[^"]+)"', page.text))]


def confirmable(client: Client, path: str, page: Any, depth: int = 4) -> Any | None:
    """The page itself, or a page that its links lead to, with something to confirm."""
    if form(page.content):
        return page
    for choice in choices(page) if depth else []:
        found = confirmable(client, path, client.get(path + choice), depth - 1)
        if found:
            return found
    return None


@pytest.mark.parametrize("left", [5, pytest.param(None, marks=pytest.mark.long)], ids=["short", "long"])
@pytest.mark.parametrize(
    ("title", "seats"), [pytest.param("splendor", 2, marks=pytest.mark.long), ("splendor", 3), ("duel", 2)]
)
def test_a_whole_game_can_be_played_by_mail(
    title: str, seats: int, left: int | None, alice: User, bob: User, charlie: User, smtp: MailServer
) -> None:
    """The short form plays the first turns and about `left` decisions at the end by mail. The decisions between
    them are played directly; their mails are outdated before they are sent."""
    people = [alice, bob, charlie][:seats]
    browsers = {user.email: Client() for user in people}

    def turn_by_mail() -> None:
        clock.shift(timedelta(minutes=4))
        read = len(smtp.messages)
        post()
        [message] = [mail for mail in smtp.messages[read:] if mail["Subject"].strip().startswith("Your turn")]
        assert message["To"] == actor(game).email
        client, turn = browsers[message["To"]], game.turn_number
        page: Any = client.get(paths(message, "/m/")[0], follow=True)
        path = page.request["PATH_INFO"]
        while game.is_active and game.turn_number == turn:
            staged = confirmable(client, path, page)
            assert staged
            page = client.post(path, form(staged.content), follow=True)
            assert page.status_code == 200
            game.refresh_from_db()
        assert "Move played" in text(page.content)

    with time_machine.travel(START, tick=False) as clock:
        game = deal(title, people, 7)
        between = range(0)
        if left:
            for _ in people:
                turn_by_mail()
            begun = game.number
            play_until(game, left)
            between = range(begun, game.number)
            assert len(between) > 20
        while game.is_active:
            turn_by_mail()
        clock.shift(timedelta(minutes=4))
        post()
    assert game.ending == Game.Ending.PLAYED
    assert game.number > 40
    assert set(game.move_set.exclude(number__in=between).values_list("actor", flat=True)) == {"link"}
    assert not any("sessionid" in browser.cookies for browser in browsers.values())
    ends = [mail for mail in smtp.messages if not mail["Subject"].strip().startswith("Your turn")]
    assert {mail["To"] for mail in ends if "over" in mail.as_string() or "win" in mail.as_string()} == set(browsers)


def open_all(messages: Iterable[EmailMessage]) -> int:
    """Open every link of these mails, as people and programs do, and check that nothing changes. Returns the number of
    links."""
    opened = set[str]()
    for message in messages:
        before = rows()
        for path in set(paths(message)) - opened:
            for answer in (
                Client().head(path, follow=True),
                Client().get(path, follow=True),
                Client().get(path, headers={"Sec-Purpose": "prefetch"}, follow=True),
                Client().get(path, headers={"Purpose": "prefetch", "X-Moz": "prefetch"}, follow=True),
            ):
                assert answer.status_code == 200, path
            opened.add(path)
        assert rows() == before
    return len(opened)


@pytest.mark.repeated(10)
@pytest.mark.parametrize("title", TITLES)
def test_opening_links_of_turn_mails_changes_nothing(title: str, seed: int, alice: User, bob: User) -> None:
    rng = Random(seed)

    def turns() -> Iterator[EmailMessage]:
        """Mails at three stages of a game."""
        game = deal(title, [alice, bob], seed)
        for _ in range(3):
            play_well(game, seed, rng.randint(1, 12))
            if not game.is_active:
                return
            yield write("turn", actor(game), game)

    assert open_all(turns()) >= 10


def test_opening_links_of_other_mails_changes_nothing(alice: User, bob: User) -> None:
    mails = dict(of_tables([alice, bob, person("dora"), person("emil")]))
    assert open_all(mails.values()) > 20
