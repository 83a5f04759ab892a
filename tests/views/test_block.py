"""Blocking a person is silent: they meet tables that they are not invited to, and their offers go nowhere."""

import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import create_confirmed, create_guest
from games.models import Block, Game, Invitation, Notice, Seat
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import letters
from games.services.tables import blocks, guests, invitations, rematch, tables
from games.services.tables.tables import TableSpec
from games.services.work import sweep
from tests.factories import HOUR, START, As, at, begun, person, post
from tests.views.reading import text

pytestmark = pytest.mark.django_db

KEPT = "The free seats are kept for players invited by the host."
REFUSED = "Only players invited by the host can join this table."


def seated(game: Game) -> set[User]:
    return {seat.user for seat in Seat.objects.filter(game=game, bot="").select_related("user") if seat.user}


def page(as_: As, user: User | None, name: str, *args: str) -> str:
    return text(as_(user).get(reverse(name, args=args)).content)


def refusal(answer: Any) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]


def told(user: User) -> list[str]:
    """The kinds of mail that the user gets."""
    with at(START + HOUR):
        post()
    return list(Notice.objects.filter(recipient=user, outcome="sent").values_list("kind", flat=True))


# --- block and unblock ---


def test_a_person_at_a_table_can_be_blocked_and_unblocked(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(bob, TableSpec("splendor", 3))
    client, path = as_(alice), reverse("block", args=[game.key])
    answer = client.post(path, {"name": "bob"}, follow=True)
    assert answer.redirect_chain == [(reverse("blocked"), 302)]
    assert "You’ve blocked bob." in text(answer.content)
    assert client.post(path, {"name": "bob"}).status_code == 302
    assert Block.objects.values_list("by", "blocked").get() == (alice.pk, bob.pk)
    for name in ("charlie", "alice", "nobody", ""):
        assert client.post(path, {"name": name}).status_code == 404
    assert "Unblock: bob" in client.get(reverse("people", args=[game.key])).content.decode()
    # Only the person who blocked somebody can undo it.
    assert as_(charlie).post(reverse("blocked"), {"name": "bob"}).status_code == 404
    answer = client.post(reverse("blocked"), {"name": "bob"}, follow=True)
    assert "You’ve unblocked bob." in text(answer.content)
    assert "You haven’t blocked anyone." in text(answer.content)
    assert not Block.objects.exists()


def test_the_settings_lead_to_the_list(as_: As, alice: User, bob: User) -> None:
    blocks.block(alice, bob)
    assert reverse("blocked") in as_(alice).get(reverse("accounts:settings")).content.decode()
    assert "bob" in page(as_, alice, "blocked")
    assert "alice" not in re.sub("Settings.*?Blocked", "", page(as_, bob, "blocked"), count=1)
    assert "You haven’t blocked anyone." in page(as_, bob, "blocked")


# --- my tables ---


@pytest.mark.parametrize("admission", ["link", "open", "named"])
def test_a_blocked_person_meets_a_table_for_invited_players(
    as_: As, alice: User, bob: User, charlie: User, admission: str
) -> None:
    """The blocked person reads and is answered exactly what a stranger is at a table for invited players."""
    game = tables.create(alice, TableSpec("splendor", 3, admission=admission))
    blocks.block(alice, bob)
    shown = page(as_, bob, "table", game.key).replace("bob", "charlie")
    answer = as_(bob).post(reverse("join", args=[game.key]))
    assert (answer.status_code, refusal(answer)) == (302, [REFUSED])
    assert seated(game) == {alice}
    assert KEPT in shown
    Game.objects.filter(pk=game.pk).update(admission="named")
    assert shown == page(as_, charlie, "table", game.key)
    answer = as_(charlie).post(reverse("join", args=[game.key]))
    assert (answer.status_code, refusal(answer)) == (302, [REFUSED])


def test_a_blocked_person_is_told_first_what_everybody_is_told(alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2))
    blocks.block(alice, bob)
    tables.cancel(game, alice)
    with pytest.raises(tables.TableRefusal, match=r"^not_open$"):
        tables.join(game, bob)


def test_an_unblocked_person_can_join(alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3))
    blocks.block(alice, bob)
    blocks.unblock(alice, bob)
    tables.join(game, bob)
    assert seated(game) == {alice, bob}


def test_neither_sees_the_other_one_s_open_tables(as_: As, alice: User, bob: User, charlie: User) -> None:
    for host in (alice, bob, charlie):
        tables.create(host, TableSpec("duel", 2, name=f"Table of {host}", admission="open"))
    blocks.block(alice, bob)
    for reader, host in ((alice, bob), (bob, alice)):
        for name in ("mine", "open"):
            shown = page(as_, reader, name)
            assert ("Table of charlie" in shown, f"Table of {host}" in shown) == (True, False)
    assert "Table of alice" in page(as_, charlie, "open")
    assert "Table of bob" in page(as_, charlie, "open")


def test_running_games_and_taken_seats_go_on(as_: As, alice: User, bob: User, charlie: User) -> None:
    running = begun([alice, bob])
    waiting = tables.create(alice, TableSpec("splendor", 3))
    tables.join(waiting, bob)
    blocks.block(alice, bob)
    play.submit(running, play.Actor(actor := running.seat_set.get(index=running.to_act).user), 0, ["take wug"])
    assert actor in (alice, bob)
    assert waiting.short_key in page(as_, bob, "mine")
    tables.join(waiting, charlie)
    assert Game.objects.get(pk=waiting.pk).is_active


# --- invitations ---


def test_a_blocked_host_sees_an_invitation_without_an_answer(as_: As, alice: User, bob: User, charlie: User) -> None:
    blocks.block(alice, bob)
    with at(START):
        game = tables.create(bob, TableSpec("splendor", 3, name="Come", admission="named", audience="seats"))
        answer = as_(bob).post(reverse("invite", args=[game.key]), {"guests": "alice charlie"}, follow=True)
    assert "Invited: alice and charlie." in text(answer.content)
    assert text(answer.content).count("hasn’t answered yet") == 2
    assert (told(alice), told(charlie)) == ([], ["invited"])
    assert "Come" not in page(as_, alice, "mine")
    assert "Come" in page(as_, charlie, "mine")
    assert "bob invites you" not in page(as_, alice, "table", game.key)


def test_a_person_is_not_told_that_a_blocked_host_s_table_has_closed(alice: User, bob: User, charlie: User) -> None:
    table = tables.create(alice, TableSpec("splendor", 4, invited=[bob, charlie]))
    Notice.objects.filter(game=table).update(closed_at=now(), outcome="sent")
    blocks.block(bob, alice)
    tables.cancel(table, alice)
    owed = Notice.objects.filter(kind="closed").select_related("recipient")
    found = {str(notice.recipient): letters.write(notice) is not None for notice in owed}
    assert found == {"bob": False, "charlie": True}


def test_an_invitation_that_waits_for_its_mail_is_dropped(alice: User, bob: User) -> None:
    with at(START):
        tables.create(bob, TableSpec("duel", 2, invited=[alice]))
        blocks.block(alice, bob)
    assert told(alice) == []


def test_blocking_withdraws_the_invitations_to_a_person(as_: As, alice: User, bob: User, charlie: User) -> None:
    with at(START):
        game = tables.create(alice, TableSpec("splendor", 3, invited=[bob, charlie], admission="named"))
        blocks.block(alice, bob)
    assert set(game.invited.all()) == {charlie}
    assert told(bob) == []
    assert KEPT in page(as_, bob, "table", game.key)


def test_a_letter_to_a_blocked_person_is_void(as_: As, alice: User, bob: User) -> None:
    """The host does not learn that the address belongs to the person they have blocked."""
    host = create_confirmed("hilda", "hilda@example.org", "correct horse")
    with at(START):
        game = tables.create(host, TableSpec("duel", 2, addresses=[bob.email], admission="named"))
        listed = page(as_, host, "table", game.key)
        blocks.block(host, bob)
    assert page(as_, host, "table", game.key) == listed
    assert told(bob) == []
    assert game.called not in page(as_, bob, "mine")
    invitation = Invitation.objects.get()
    token = invitations.accept_url(invitation).split("/")[-2]
    for reader in (bob, None):
        assert "hilda withdrew this invitation." in page(as_, reader, "invitation", token)
        assert as_(reader).post(reverse("invitation", args=[token])).status_code == 409
    with pytest.raises(tables.TableRefusal, match=r"^revoked$"):
        invitations.accept(invitation, bob)
    assert seated(game) == {host}


def test_a_letter_from_a_blocked_person_is_not_sent(as_: As, alice: User) -> None:
    host = create_confirmed("hilda", "hilda@example.org", "correct horse")
    blocks.block(alice, host)
    with at(START):
        game = tables.create(host, TableSpec("duel", 2, addresses=[alice.email]))
    assert "alice@example.org hasn’t answered yet" in page(as_, host, "table", game.key)
    assert told(alice) == []
    assert game.called not in page(as_, alice, "mine")


def test_the_person_who_blocks_is_reminded_of_it(as_: As, alice: User, bob: User) -> None:
    begun([alice, bob])
    assert "bob" in page(as_, alice, "new")
    blocks.block(alice, bob)
    assert "bob" not in page(as_, alice, "new")
    game = tables.create(alice, TableSpec("splendor", 3))
    answer = as_(alice).post(reverse("invite", args=[game.key]), {"guests": "bob"})
    assert (answer.status_code, "You’ve blocked bob." in text(answer.content)) == (422, True)
    assert not game.invited.exists()
    # The blocked person can still choose them.
    assert "alice" in page(as_, bob, "new")


# --- rematches ---


@pytest.fixture
def over(duel: Game, alice: User) -> Game:
    play.resign(duel, alice)
    duel.refresh_from_db()
    return duel


def test_a_blocked_person_s_rematch_reaches_nobody(as_: As, over: Game, alice: User, bob: User) -> None:
    blocks.block(alice, bob)
    with at(START):
        table = rematch.offer(over, bob)
    assert told(alice) == []
    assert table.short_key not in page(as_, alice, "mine")
    with pytest.raises(tables.TableRefusal, match=r"^blocked$"):
        rematch.offer(over, alice)
    assert seated(table) == {bob}
    assert "alice hasn’t answered yet" in page(as_, bob, "table", table.key)


def test_a_blocked_person_cannot_accept_a_rematch(as_: As, over: Game, alice: User, bob: User) -> None:
    with at(START):
        table = rematch.offer(over, alice)
        blocks.block(alice, bob)
    assert told(bob) == []
    answer = as_(bob).post(reverse("rematch", args=[over.key]))
    assert (answer.status_code, refusal(answer)) == (302, [REFUSED])
    assert seated(table) == {alice}


def test_a_later_rematch_does_not_ask_a_blocked_person(over: Game, alice: User, bob: User) -> None:
    blocks.block(alice, bob)
    assert not rematch.offer(over, alice).invited.exists()


# --- guests ---


def test_a_blocked_person_does_not_come_back_as_a_guest(as_: As, alice: User) -> None:
    """The browser knows the accounts that were used in it."""
    dan = create_confirmed("dan", "dan@example.org", "correct horse")
    game = tables.create(alice, TableSpec("splendor", 4, admission=Game.Admission.LINK))
    blocks.block(alice, dan)
    client, path = as_(None), reverse("join", args=[game.key])
    client.post(reverse("account_login"), {"login": "dan", "password": "correct horse"})
    client.post(reverse("account_logout"))
    assert REFUSED in refusal(client.post(path))
    assert seated(game) == {alice}
    Client().post(path)
    assert len(seated(game)) == 2


def test_a_blocked_guest_stays_blocked_as_a_user(client: Client, alice: User, bob: User) -> None:
    """Logging in takes the blocks along, in both directions."""
    guest = create_guest()
    blocks.block(alice, guest)
    blocks.block(guest, person("dan"))
    blocks.block(guest, bob)
    guests.take_along(guest, bob)
    assert set(Block.objects.values_list("by__username", "blocked__username")) == {("alice", "bob"), ("bob", "dan")}


def test_a_blocked_person_does_not_get_a_guest_s_seat(alice: User, bob: User) -> None:
    open_ = tables.create(alice, TableSpec("splendor", 3))
    running = tables.create(alice, TableSpec("duel", 2))
    guest = create_guest()
    for game in (open_, running):
        tables.join(game, guest)
    blocks.block(alice, bob)
    assert guests.take_along(guest, bob) == []
    assert (seated(open_), seated(running)) == ({alice}, {alice, bob})
    sweep.sweep()
