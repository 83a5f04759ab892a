"""The page about a user's mails."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Delivery, Game, Notice, Seat
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.outbox import notices, preferences
from games.services.tables import invitations, tables
from tests.factories import As
from tests.smtp import MailServer
from tests.views.mailing.owed import GONE, LIST, SETTINGS, Kind
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db


def test_a_user_can_send_a_test_mail(as_: As, alice: User, bob: User, smtp: MailServer) -> None:
    preferences.change(alice, off=["all"])
    client = as_(alice)
    page = client.post("/settings/mail/test/", follow=True)
    assert page.redirect_chain == [(LIST, 302)]
    assert "We’re sending a test email to alice@example.org." in text(page.content)
    assert "Waiting to be sent A test Being sent now." in text(page.content)

    [notice] = Notice.objects.all()
    deliveries.deliver(notice.pk)
    assert len(smtp.to("alice@example.org")) == len(smtp.messages) == 1
    assert "A test Sent to alice@example.org." in text(client.get(LIST).content)
    assert "Nothing yet." in text(as_(bob).get(LIST).content)


def test_too_many_test_mails_are_refused(as_: As, alice: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"test_mail": "2/h/user"}
    cache.clear()
    client = as_(alice)
    assert [client.post("/settings/mail/test/").status_code for _ in range(3)] == [302, 302, 429]
    assert Notice.objects.count() == 2


def test_the_list_shows_the_outcome_of_each_mail(as_: As, alice: User, duel: Game) -> None:
    Notice.objects.all().delete()
    at = now()

    def owed(kind: str, minutes: int, outcome: str = "", **delivery: Any) -> None:
        due = at + timedelta(minutes=minutes)
        closed = due if outcome else None
        notice = Notice.objects.create(
            recipient=alice,
            kind=kind,
            key=f"{kind}:{minutes}",
            game=duel if kind != "test" else None,
            created_at=due,
            due_at=due,
            closed_at=closed,
            outcome=outcome,
        )
        if delivery:
            Delivery.objects.create(notice=notice, address=alice.email, **delivery)

    owed("turn", -1, "seen")
    owed("turn", -2, "outdated")
    owed("finished", -3, "unwanted")
    owed("closed", -4, "outdated")
    owed("started", -5, "failed", attempts=8, result="451 try again later")
    owed("invited", -6, "failed", attempts=1, result=GONE)
    owed("test", -7, "sent", attempts=1, sent_at=at, result="552 mailbox full")
    owed("rematch", -10, "failed")
    owed("unfinished", 20)
    owed("invited", 30)
    owed("absence", -8, attempts=2, result="451 greylisted", claimed_until=at + timedelta(minutes=5))
    owed("rematch", -9, attempts=1, claimed_until=at + timedelta(minutes=5))
    # Mails that were never due are left out.
    for kind in ("reminder", "turn"):
        Notice.objects.create(
            recipient=alice,
            kind=kind,
            key=kind,
            game=duel,
            created_at=at,
            due_at=at + timedelta(minutes=3),
            closed_at=at,
            outcome="outdated",
        )
    page = as_(alice).get(LIST)
    board = page.context["deliveries"]
    assert [(row.notice.kind, row.fate, row.said, row.is_wrong) for row in board.past] == [
        ("turn", "Not sent: you were looking at the table.", "", False),
        ("turn", "Not sent: the turn was already over.", "", False),
        ("finished", "Not sent: you switched these emails off, or muted this game.", "", False),
        ("closed", "Not sent: it was out of date.", "", False),
        ("started", "Not sent: we gave up after 8 attempts.", "451 try again later", True),
        ("invited", "Not sent: the mail server refused it.", GONE, True),
        ("test", "Sent to alice@example.org, but it came back.", "552 mailbox full", True),
        ("rematch", "Not sent: the mail server refused it.", "", True),
    ]
    assert [(row.notice.kind, row.fate, row.said, row.at) for row in board.coming] == [
        ("rematch", "On its way.", "", at - timedelta(minutes=9)),
        (
            "absence",
            "The mail server refused it 2 times. We’ll try again.",
            "451 greylisted",
            at + timedelta(minutes=5),
        ),
        ("unfinished", "Will be sent then, if it’s still your turn.", "", at + timedelta(minutes=20)),
        ("invited", "Will be sent then, if the seat is still offered.", "", at + timedelta(minutes=30)),
    ]
    shown = text(page.content)
    assert f"Someone invites me Splendor Duel {duel.short_key} Not sent: the mail server refused it. {GONE}" in shown


def test_a_table_that_the_reader_may_no_longer_open_is_no_link(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("duel", 2, invited=[bob], audience="seats"))
    Notice.objects.update(closed_at=now(), outcome="sent")
    link = f'href="{address("table", game)}"'
    assert link in as_(bob).get(LIST).content.decode()
    invitations.decline_seat(game, bob)
    page = as_(bob).get(LIST).content
    assert f"Splendor Duel {game.short_key}" in text(page)
    assert link not in page.decode()


def test_queries_do_not_grow(as_: As, alice: User, bob: User) -> None:
    client = as_(alice)

    def cost(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        return len(queries)

    def more(number: int) -> None:
        for _ in range(number):
            game = tables.create(alice, tables.TableSpec("splendor", 2))
            tables.join(game, bob)
            notices.owe(Kind.STARTED, alice, key=f"another:{game.pk}", game=game)
            Notice.objects.filter(key=f"another:{game.pk}").update(closed_at=now(), outcome="seen")
        Seat.objects.filter(user=alice).update(muted=True)
        Game.objects.update(vacations=False)

    # Each page reads the session and its user. The first also reads preferences, trouble and muted games; the second
    # trouble, two lists and their deliveries; the third the vacation, a planned one, the year's vacations, and tables
    # without vacations.
    expected = {SETTINGS: 2 + 3, LIST: 2 + 5, "/settings/vacation/": 2 + 4}
    more(1)
    assert {path: cost(path) for path in expected} == expected
    more(12)
    assert {path: cost(path) for path in expected} == expected
