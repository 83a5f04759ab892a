"""Mails about tables, and invitations."""

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
import time_machine

from accounts.models import User
from games.models import Block, Game, Invitation, Notice
from games.services import play
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.mailing import letters, links
from games.services.tables import tables
from tests.factories import actor, begun, deal, play_on
from tests.mails.reading import addresses, html_of, parsed, section, text, words, write
from tests.services.mailing.letters.reading import turn

pytestmark = pytest.mark.django_db

# --- tables ---


def time_is_up(game: Game) -> dict[str, EmailMessage]:
    """Let the player to act run out of time; return the mails about that, by reader."""
    assert game.deadline is not None
    Notice.objects.filter(game=game).update(closed_at=now(), outcome="sent")
    with time_machine.travel(game.deadline + timedelta(hours=1), tick=False):
        timeouts.time_out(game)
        owed = Notice.objects.filter(kind="absence", game=game).select_related("recipient")
        written = {str(each.recipient): letters.write(each) for each in owed}
    return {name: parsed(mail.message().as_bytes()) for name, mail in written.items() if mail}


@pytest.mark.parametrize(
    ("at_zero", "mine", "theirs"),
    [
        (
            "caretaker",
            "A bot is playing for you. Open the table to take your seat back at any time. "
            "If you’re back by {until} and before the bot’s fourth move, you can still win.",
            "A bot is playing, so nobody has to wait. {name} can come back. "
            "After {until}, or after the bot’s fourth move, {name} can no longer win.",
        ),
        (
            "forfeit",
            "At this table, that means you can no longer win. A bot is playing for you. "
            "Open the table to take your seat back at any time.",
            "At this table, that means {name} can no longer win. "
            "A bot is playing, so nobody has to wait. {name} can come back.",
        ),
        (
            "wait",
            "The others are waiting for your move.",
            "You’re waiting for {name} to move. You can give them more time.",
        ),
    ],
)
def test_everybody_is_told_when_a_player_runs_out_of_time(game: Game, at_zero: str, mine: str, theirs: str) -> None:
    Game.objects.filter(pk=game.pk).update(at_zero=at_zero)
    game = Game.objects.get(pk=game.pk)
    name = str(actor(game))
    found = time_is_up(game)
    assert found.keys() == {"alice", "bob", "charlie"}
    for reader, message in found.items():
        lead = "You ran out of time" if reader == name else f"{name} ran out of time"
        assert text(message).startswith(f"{lead}\n")
        told = re.sub(r"(by|After) .+? \(UTC\)", r"\1 {until}", words(html_of(message)))
        assert (mine if reader == name else theirs).replace("{name}", name) in told


def test_a_player_who_is_back_gets_no_mail_about_the_bot(game: Game) -> None:
    owner = actor(game)
    time_is_up(game)
    game = Game.objects.get(pk=game.pk)
    timeouts.come_back(game, owner)
    owed = Notice.objects.filter(kind="absence", game=game)
    assert [letters.write(each) for each in owed] == [None, None, None]


def test_the_mail_about_a_game_dealt_again_links_to_the_new_one(duel: Game) -> None:
    absent = actor(duel)
    found = time_is_up(duel)
    again = Game.objects.get(follows=duel)
    for reader, message in found.items():
        assert addresses(message)[0] == f"http://127.0.0.1:8000/table/{again.key}/"
        assert ("You never made your first move" in text(message)) == (reader == str(absent))


def test_no_mail_promises_a_seat_to_a_player_whom_the_host_has_blocked(duel: Game) -> None:
    absent, host = actor(duel), next(seat.user for seat in duel.seat_set.all() if seat.index != duel.to_act)
    assert host
    Game.objects.filter(pk=duel.pk).update(host=host)
    Block.objects.create(by=host, blocked=absent, at=now())
    found = time_is_up(Game.objects.with_seats().get(pk=duel.pk))
    again = Game.objects.get(follows=duel)
    mine, theirs = found[str(absent)], found[str(host)]
    assert again.key not in text(mine)
    assert "seat" not in words(html_of(mine))
    assert "You have a seat at a new table with a new deal." in words(html_of(theirs))
    assert "is invited" not in text(theirs)
    assert again.key in text(theirs)


def test_a_player_who_had_left_is_told_of_an_invitation_to_the_new_table(alice: User, bob: User, charlie: User) -> None:
    game = begun([alice, bob, charlie], "splendor")
    left = next(seat.user for seat in game.seat_set.all() if seat.index != game.to_act)
    assert left
    play.resign(game, left)
    found = time_is_up(Game.objects.with_seats().get(pk=game.pk))
    assert "You’re invited to it." in words(html_of(found[str(left)]))


def test_the_mail_about_the_end_has_the_standing(alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 3)
    play_on(game, 4, 600)
    winner = game.seat_set.get(won=True)
    loser = game.seat_set.get(won=False)
    assert winner.user is not None
    message = write("finished", winner.user, game)
    assert message["Subject"] == f"Game over: Splendor with {loser} · {game.short_key}"
    assert text(message).startswith("You won by ")
    assert f"You won with {winner.score} points." in text(message)
    rows = [line.split() for line in section(message, "Final standings").split("\n")[:3]]
    assert rows[0] == ["Points", "Cards", "+", "nobles", "Cards"]
    assert rows[1][:4] == ["1.", "You", "(winner)", str(winner.score)]
    assert rows[2][:3] == ["2.", str(loser), str(loser.score)]
    assert "On a tie, the player with fewer cards wins." in words(html_of(message))


def test_the_mail_about_the_end_names_players_who_resigned(duel: Game, alice: User, bob: User) -> None:
    play.resign(duel, bob)
    assert text(write("finished", alice, duel)).startswith("You won\n")
    assert "\n\nbob resigned.\n\n" in text(write("finished", alice, duel))


# --- invitations ---


def test_an_invitation_to_a_stranger_has_fixed_words_and_a_user_name(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(username="buy.example.com")
    table = tables.create(User.objects.get(pk=alice.pk), tables.TableSpec("splendor", 3, bots=["greedy"]))
    asked = Invitation.objects.create(game=table, address="eve@example.net", invited_by_id=alice.pk, at=now())
    message = write("invited", asked.address, table, key=f"invited:{asked.pk}", invitation=asked.pk)
    assert message["To"] == "eve@example.net"
    name = "buy.\N{WORD JOINER}example.\N{WORD JOINER}com"
    accept, never = addresses(message)
    assert text(message) == (
        f"{name} invites you to Splendor\n\n"
        f"Table for 3 · {table.short_key}\n\n"
        f"{name} invites you to a game of Splendor by correspondence.\n"
        "Everyone moves when they have time.\n\n"
        "You don’t need an account. One click shows you the table; a second one gives\nyou a seat.\n\n\n"
        "THE TABLE\n\n"
        f"At the table  {name} and Greedy bot · 1 seat free\n"
        "Pace          about two weeks\n"
        "Time          Starts at 3\xa0days, +12\xa0hours per turn, up to 1\xa0week. If a\n"
        "              player runs out of time, a bot plays until they’re back.\n"
        "              Clocks stop while a player is on vacation or has a day off.\n"
        "Rating        This game isn’t rated.\n"
        "Answer by     Monday 16 November, 09:00 (UTC)\n\n\n"
        f"View the table and answer:\n{accept}\n\n"
        "-- \n"
        "You’re getting this email because someone at Cabochon invited this address.\n"
        f"\nNever email me again:\n{never}\n"
    )
    assert str(message["List-Unsubscribe"]).strip() == f"<{never}>"


def test_a_second_invitation_says_that_it_is_a_reminder(alice: User, bob: User) -> None:
    table = tables.create(alice, tables.TableSpec("duel", 2, invited=[bob]))
    facts = {"by": alice.pk, "again": True}
    for kind in ("invited", "rematch"):
        message = write(kind, bob, table, key=f"{kind}-again:game:{table.pk}", **facts)
        assert "You haven’t answered yet, and the table closes soon." in text(message)
        assert addresses(message)[0] == f"http://127.0.0.1:8000/table/{table.key}/"


def test_the_mail_about_a_closed_table(alice: User, bob: User) -> None:
    table = tables.create(alice, tables.TableSpec("duel", 2, invited=[bob]))
    tables.cancel(table, alice)
    assert "The host cancelled it." in text(write("closed", bob, table))
    Game.objects.filter(pk=table.pk).update(ending=Game.Ending.EXPIRED)
    assert "It didn’t fill in time." in text(write("closed", alice, table))


def test_links_in_a_mail_are_for_its_reader(game: Game) -> None:
    message = turn(game)
    found = [links.read(address.split("/")[4]) for address in addresses(message) if "/m/" in address]
    assert {(link.key, link.seat, link.turn) for link in found} == {(game.key, game.to_act, game.turn_number)}
    assert message["To"] == actor(game).email
