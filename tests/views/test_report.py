"""Names that other people wrote can be reported, wherever they stand."""

import re
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.services import create_guest
from games.models import Game, Report
from games.services import play
from games.services.tables import reports, tables
from games.tasks import forget
from tests.factories import DAY, START, As, at, begun, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(alice: User) -> Game:
    return tables.create(alice, tables.TableSpec("splendor", 3, name="Rude words"))


def keys(html: str) -> list[str]:
    """The texts that the page offers to report."""
    return re.findall(r'name="text" value="([^"]+)"', html)


def page(as_: As, user: User, game: Game) -> str:
    return as_(user).get(reverse("people", args=[game.key])).content.decode()


def send(as_: As, user: User | None, game: Game, text: str, **data: str) -> Any:
    return as_(user).post(reverse("report", args=[game.key]), {"text": text, **data})


def test_the_texts_of_other_people_can_be_reported(as_: As, table: Game, alice: User, bob: User, charlie: User) -> None:
    tables.join(table, bob)
    tables.ask(table, alice, [charlie])
    table.refresh_from_db()
    names = ["user_name:alice", "user_name:bob", "user_name:charlie", "table_name:alice"]
    assert keys(page(as_, bob, table)) == [names[0], names[2], names[3]]
    assert keys(page(as_, charlie, table)) == [names[0], names[1], names[3]]
    # A stranger does not see the names of invited people, and nobody reports their own texts.
    assert keys(page(as_, person("dan"), table)) == [names[0], names[1], names[3]]
    assert keys(page(as_, alice, table)) == names[1:3]


def test_the_site_named_guests_so_only_their_hosts_can_be_reported(as_: As, table: Game, bob: User) -> None:
    tables.join(table, guest := create_guest())
    assert keys(page(as_, bob, table)) == keys(page(as_, guest, table)) == ["user_name:alice", "table_name:alice"]


def test_a_deleted_player_is_not_offered(as_: As, alice: User, bob: User) -> None:
    game = begun([alice, bob])
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert keys(page(as_, bob, game)) == []
    assert "Nobody else is at this table." in page(as_, bob, game)


def test_a_report_keeps_its_own_copy(as_: As, table: Game, alice: User, bob: User) -> None:
    with at(START):
        answer = send(as_, bob, table, "table_name:alice", sentence=" This is an insult. ")
    assert answer.status_code == 302
    tables.rename(table, alice, "")
    User.objects.filter(pk=alice.pk).update(username="alma")
    [report] = Report.objects.values()
    assert report == {
        "id": report["id"],
        "reporter_id": bob.pk,
        "kind": "table_name",
        "text": "Rude words",
        "author_id": alice.pk,
        "author_name": "alice",
        "game_id": table.pk,
        "table": table.key,
        "sentence": "This is an insult.",
        "at": START,
    }


def test_a_report_outlives_its_subject(as_: As, bob: User) -> None:
    host = person("rude")
    game = tables.create(host, tables.TableSpec("duel", 2))
    send(as_, bob, game, "user_name:rude")
    game.delete()
    host.delete()
    report = Report.objects.get()
    assert (report.text, report.author, report.author_name, report.game, report.table) == (
        "rude", None, "rude", None, game.key,
    )  # fmt: skip


def test_reports_are_forgotten_after_a_year(as_: As, table: Game, alice: User, bob: User) -> None:
    tables.join(table, bob)
    for instant in (START, START + DAY):
        with at(instant):
            send(as_, bob, table, f"user_name:{alice.username}")
    with at(START + 365 * DAY):
        forget()
    assert [report.at for report in Report.objects.all()] == [START + DAY]


def test_twenty_reports_a_day(as_: As, table: Game, alice: User, bob: User, charlie: User) -> None:
    with at(START):
        for number in range(reports.MAX_REPORTS_A_DAY):
            reports.report(table, bob, reports.Text(Report.Kind.TABLE_NAME, f"Name {number}", alice))
        answer = send(as_, bob, table, "user_name:alice")
        assert (answer.status_code, answer["Retry-After"]) == (429, "86401")
        assert "You’ve reached the daily limit of reports." in answer.content.decode()
        # Reporting the same text again changes nothing; others are not affected.
        reports.report(table, bob, reports.Text(Report.Kind.TABLE_NAME, "Name 0", alice))
        assert send(as_, charlie, table, "user_name:alice").status_code == 302
    assert Report.objects.filter(reporter=bob).count() == reports.MAX_REPORTS_A_DAY
    with at(START + DAY):
        assert send(as_, bob, table, "user_name:alice").status_code == 302


def test_refused_reports(as_: As, table: Game, bob: User) -> None:
    for text in ("", "user_name:bob", "user_name:nobody", "table_name:bob"):
        answer = send(as_, bob, table, text)
        assert (answer.status_code, "Choose what you want to report." in answer.content.decode()) == (422, True)
    answer = send(as_, bob, table, "user_name:alice", sentence="x" * 301)
    assert (answer.status_code, "Use up to 300 characters." in answer.content.decode()) == (422, True)
    assert send(as_, None, table, "user_name:alice").status_code == 302
    secret = tables.create(person("dan"), tables.TableSpec("duel", 2, audience="seats"))
    assert send(as_, bob, secret, "user_name:dan").status_code == 404
    assert not Report.objects.exists()


def test_every_page_with_names_leads_there(as_: As, table: Game, alice: User, bob: User) -> None:
    def linked(user: User | None, game: Game, path: str = "") -> bool:
        html = as_(user).get(path or reverse("table", args=[game.key])).content.decode()
        return f'href="{reverse("people", args=[game.key])}"' in html

    running = begun([alice, bob])
    over = begun([alice, bob])
    play.resign(over, alice)
    cancelled = tables.create(alice, tables.TableSpec("duel", 2))
    tables.cancel(cancelled, alice)
    for game in (table, running, over, cancelled):
        assert linked(bob, game)
        assert not linked(None, game)
    # Nobody else is at these tables.
    assert not linked(alice, table)
    assert not linked(alice, begun([alice], bots=1))
