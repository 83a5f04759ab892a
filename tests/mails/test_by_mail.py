"""People who never log in: they read the mails accepted by a real mail server, and follow the links in them."""

import html
import re
from datetime import timedelta
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Notice
from games.services.clocks.moment import now
from games.services.mailing import deliveries, letters
from tests.factories import START, actor, deal, person, play_well
from tests.mails.every import of_tables
from tests.mails.reading import addresses, notice, parsed
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


@pytest.mark.parametrize(
    ("title", "seats"), [pytest.param("splendor", 2, marks=pytest.mark.long), ("splendor", 3), ("duel", 2)]
)
def test_a_whole_game_by_mail_alone(
    title: str, seats: int, alice: User, bob: User, charlie: User, smtp: MailServer
) -> None:
    people = [alice, bob, charlie][:seats]
    browsers = {user.email: Client() for user in people}
    with time_machine.travel(START, tick=False) as clock:
        game = deal(title, people, 7)
        while game.is_active:
            clock.shift(timedelta(minutes=4))
            read = len(smtp.messages)
            for due in Notice.objects.due(now()):
                deliveries.deliver(due.pk)
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
            assert "Done" in text(page.content)
        clock.shift(timedelta(minutes=4))
        for due in Notice.objects.due(now()):
            deliveries.deliver(due.pk)
    assert game.ending == Game.Ending.PLAYED
    assert game.number > 40
    assert set(game.move_set.values_list("actor", flat=True)) == {"link"}
    assert not any("sessionid" in browser.cookies for browser in browsers.values())
    ends = [mail for mail in smtp.messages if not mail["Subject"].strip().startswith("Your turn")]
    assert {mail["To"] for mail in ends if "over" in mail.as_string() or "win" in mail.as_string()} == set(browsers)


@pytest.mark.slow
def test_every_link_of_a_hundred_mails_can_be_opened_and_nothing_changes(alice: User, bob: User) -> None:
    people = [alice, bob, person("dora"), person("emil")]
    rng, opened, read = Random(1), set[str](), 0

    def look(message: object) -> None:
        nonlocal read
        read += 1
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

    for title in TITLES:
        game = deal(title, people[:2], 5)
        for number in range(50):
            if not game.is_active:
                game = deal(title, people[:2], 100 + number)
            play_well(game, number, rng.randint(1, 3))
            if game.is_active:
                letter = letters.write(notice("turn", actor(game), game))
                assert letter is not None
                look(parsed(letter.message().as_bytes()))
    for _name, message in of_tables(people):
        look(message)
    assert read >= 100
    assert len(opened) > 400
