"""The host can free a seat before the start."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import create_confirmed, create_guest
from games.models import Game, Invitation, Notice, Seat
from games.services.clocks.moment import now
from games.services.tables import guests, invitations, tables
from games.services.tables.tables import TableSpec
from tests.factories import As, kinds, person, post
from tests.mails.reading import text as mail_text
from tests.mails.reading import write
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db

REFUSED = "Only players invited by the host can join this table."


@pytest.fixture
def table(alice: User, bob: User) -> Game:
    game = tables.create(alice, TableSpec("splendor", 3))
    tables.join(game, bob)
    return game


def free(as_: As, user: User | None, game: Game, name: str) -> Any:
    return as_(user).post(reverse("take_out", args=[game.key]), {"name": name}, follow=True)


def seated(game: Game) -> list[str]:
    return list(Seat.objects.filter(game=game).order_by("pk").values_list("user__username", flat=True))


def test_the_host_frees_a_seat_and_the_link_no_longer_gives_it(as_: As, table: Game, alice: User, bob: User) -> None:
    page = as_(alice).get(reverse("table", args=[table.key])).content.decode()
    assert page.count('aria-label="Free the seat of') == 1
    assert "Free the seat of bob" in page
    assert "2 seats are free" in text(free(as_, alice, table, "bob").content)
    assert (seated(table), kinds(table)) == (["alice"], ["joined", "taken_out"])
    answer = as_(bob).post(reverse("join", args=[table.key]), follow=True)
    assert REFUSED in text(answer.content)
    assert "The free seats are kept for players invited by the host." in text(answer.content)
    # Others can still join by the link.
    tables.join(table, person("dan"))
    tables.ask(table, alice, [bob])
    as_(bob).post(reverse("join", args=[table.key]))
    assert seated(table) == ["alice", "dan", "bob"]


def test_a_player_who_is_invited_again_gets_another_mail(as_: As, bob: User) -> None:
    """Bob is invited by name, and Eve by her address."""
    alma, eve = (create_confirmed(name, f"{name}@example.org", "correct horse") for name in ("alma", "eve"))
    table = tables.create(alma, TableSpec("splendor", 4))
    for times in range(1, 4):
        for _ in range(2):
            invitations.invite(table, alma, [bob], [eve.email])
            waiting = Notice.objects.filter(kind="invited", closed_at=None)
            waiting.update(closed_at=now(), outcome="sent")
        for user in (bob, eve):
            assert Notice.objects.filter(kind="invited", recipient=user).count() == times
            tables.join(table, user)
            free(as_, alma, table, user.username)


def test_the_player_is_told(as_: As, table: Game, alice: User, bob: User) -> None:
    free(as_, alice, table, "bob")
    post()
    [notice] = Notice.objects.filter(recipient=bob, outcome="sent")
    mail = write("closed", bob, table, key=notice.key)
    assert mail["Subject"] == f"Your seat was freed: Splendor · {table.called}"
    assert "The host freed your seat." in mail_text(mail)
    assert not Notice.objects.filter(recipient=alice).exists()


def test_nobody_is_told_who_has_a_seat_again(as_: As, table: Game, alice: User, bob: User) -> None:
    free(as_, alice, table, "bob")
    tables.ask(table, alice, [bob])
    tables.join(table, bob)
    post()
    assert not Notice.objects.filter(recipient=bob, kind="closed", outcome="sent").exists()


def test_only_the_host_can_and_only_before_the_start(as_: As, table: Game, alice: User, bob: User) -> None:
    carl = person("carl")
    for user in (bob, carl):
        assert "Only the host can do that." in text(free(as_, user, table, "alice").content)
    for name in ("alice", "carl", "nobody", ""):
        free(as_, alice, table, name)
    assert seated(table) == ["alice", "bob"]
    tables.join(table, carl)
    assert "This table is no longer open." in text(free(as_, alice, table, "bob").content)
    assert seated(table) == ["alice", "bob", "carl"]


def test_a_link_from_a_mail_is_withdrawn_with_the_seat(as_: As) -> None:
    host = create_confirmed("hilda", "hilda@example.org", "correct horse")
    guest = create_confirmed("gus", "gus@example.org", "correct horse")
    table = tables.create(host, TableSpec("splendor", 3, addresses=[guest.email], admission="named"))
    invitation = Invitation.objects.get()
    invitations.accept(invitation, guest)
    free(as_, host, table, "gus")
    path = reverse("invitation", args=[invitations.accept_url(invitation).split("/")[-2]])
    assert "hilda withdrew this invitation." in text(as_(guest).get(path).content)
    assert as_(guest).post(path).status_code == 409
    invitations.invite(table, host, addresses=[guest.email])
    assert as_(guest).post(path).status_code == 302
    assert seated(table) == ["hilda", "gus"]


def test_lists_offer_no_table_to_a_player_who_was_taken_out(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 4, admission="open"))
    tables.join(game, bob)
    free(as_, alice, game, "bob")
    pages = [reverse(name) for name in ("mine", "open")] + [reverse("profile", args=["alice"])]
    for reader, count in ((bob, 0), (person("dora"), 1)):
        for page in pages:
            assert as_(reader).get(page).content.decode().count(f'href="{address("table", game)}"') == count
    invitations.invite(game, alice, [bob])
    assert address("table", game) in as_(bob).get(reverse("mine")).content.decode()


def test_a_guest_who_was_taken_out_comes_back_neither_as_another_guest_nor_by_logging_in(
    as_: As, alice: User, bob: User
) -> None:
    table = tables.create(alice, TableSpec("splendor", 3))
    tables.join(table, guest := create_guest())
    free(as_, alice, table, guest.username)
    join = reverse("join", args=[table.key])
    for who in (guest, create_guest()):
        assert REFUSED in text(as_(who).post(join, follow=True).content)
    # A visitor is asked to log in.
    visitor = Client()
    page = text(visitor.get(reverse("table", args=[table.key])).content)
    assert ("Log in to join" in page, "you join as a guest" in page) == (True, False)
    assert visitor.post(join)["Location"].startswith(reverse("account_login"))
    guests.take_along(guest, bob)
    assert REFUSED in text(as_(bob).post(join, follow=True).content)
    assert seated(table) == ["alice"]
