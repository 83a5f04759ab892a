"""Headers of mails: threads, and ways to opt out."""

import re

import pytest

from accounts.models import User
from games.models import Game
from games.services.mailing import letters
from tests.factories import actor, deal, play_on
from tests.mails.reading import addresses, html_of, notice, text, write
from tests.services.mailing.letters.reading import turn
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db


def test_mails_arrive_with_all_their_headers(game: Game, smtp: MailServer) -> None:
    reader = actor(game)
    owed = notice("turn", reader, game)
    for _twice in range(2):
        written = letters.write(owed)
        assert written is not None
        written.send()
    first, second = smtp.to(reader.email)
    assert first["Message-ID"] == second["Message-ID"]
    assert str(first["Message-ID"]).endswith("@127.0.0.1>")
    assert first["References"] == first["In-Reply-To"] != first["Message-ID"]
    assert first["Auto-Submitted"] == "auto-generated"
    assert first["List-Id"] == "Cabochon <games.127.0.0.1>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert str(first["List-Unsubscribe"]).strip() == f"<{addresses(first)[-1]}>"
    assert text(first) == text(second)
    assert html_of(first) == html_of(second)


def test_the_list_of_a_site_of_any_name_can_be_read(game: Game, smtp: MailServer, settings) -> None:
    settings.SITE_NAME = "Chez l’Ami: œufs"
    written = letters.write(notice("turn", actor(game), game))
    assert written is not None
    written.send()
    [mail] = smtp.messages
    [raw] = [value for name, value in mail.raw_items() if name == "List-Id"]
    assert raw.endswith(" <games.127.0.0.1>")
    assert str(mail["List-Id"]) == "Chez l’Ami: œufs <games.127.0.0.1>"


def test_all_mails_about_a_game_are_one_thread_for_each_reader(game: Game) -> None:
    reader = actor(game)
    waits = next(seat.user for seat in game.seat_set.all() if seat.user and seat.user != reader)
    mine = [turn(game), write("reminder", reader, game, key=f"reminder:{game.pk}:{game.turn_number}:50")]
    yours = write("started", waits, game)
    again = deal("splendor", [reader, waits], 4)
    elsewhere = write("turn", actor(again), again)
    assert len({str(each["References"]) for each in mine}) == 1
    assert len({str(each["Message-ID"]) for each in (*mine, yours, elsewhere)}) == 4
    assert len({str(each["References"]) for each in (mine[0], yours, elsewhere)}) == 3
    assert write("test", reader)["References"] is None


def test_the_subject_stays_the_same_as_long_as_the_game(alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 3)
    subjects: dict[str, set[str]] = {"alice": set(), "bob": set()}
    for seed in range(12):
        kind = "turn" if game.number == game.turn_number else "unfinished"
        subjects[actor(game).username].add(str(write(kind, actor(game), game)["Subject"]))
        play_on(game, seed, 1)
    assert subjects == {
        "alice": {f"Your turn: Splendor with bob · {game.short_key}"},
        "bob": {f"Your turn: Splendor with alice · {game.short_key}"},
    }


def test_mails_offer_ways_to_get_fewer(game: Game, alice: User) -> None:
    labels = re.findall(r'<a class="quiet"[^>]*>(.*?)</a>', html_of(turn(game)))
    assert labels == ["Mute this game", "Email settings", "Unsubscribe"]
    assert re.findall(r'<a class="quiet"[^>]*>(.*?)</a>', html_of(write("test", alice)))[0] == "Email settings"
