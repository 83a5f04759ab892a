"""The mail about a turn."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from games.catalogue import TITLES
from games.mails.parts import bonuses
from games.mails.words import standing
from games.models import Game, Invitation, Preferences, Seat
from games.models.position import Position
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import letters
from games.services.play import own_seat
from games.services.tables import tables
from tests.factories import actor, deal, play_on, state
from tests.mails.reading import actions, addresses, headings, html_of, notice, section, text, words, write
from tests.services.mailing.letters.reading import MONDAY, others, turn

pytestmark = pytest.mark.django_db

# --- the turn ---


def test_sections_of_a_turn_mail_are_in_order(game: Game) -> None:
    reader = actor(game)
    User.objects.filter(pk=reader.pk).update(time_zone="Europe/Paris")
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(days=3, hours=8))
    own_seat.keep_note(game, reader, "Wait for the rubies.")
    message = turn(game)

    assert message["Subject"] == f"Your turn: Splendor with {others(game, reader)} · {game.short_key}"
    assert (message["To"], message["From"]) == (reader.email, "Cabochon <no-reply@localhost>")
    lead, about, intro = text(message).split("\n\n")[:3]
    assert re.fullmatch(r".+ · Move by Thu 18:00 \(Paris\)", lead)
    assert about == f"Splendor with {others(game, reader)} · {game.short_key}"
    assert " ".join(intro.split()) == (
        "It’s your turn. You have 3 days, 8 hours left, until Thursday 5 November, 18:00 (Paris)."
    )
    assert headings(message) == [
        "Since your last turn",
        "What you have",
        "What you still need for the nobles",
        "Your note",
        "Your options",
    ]
    assert section(message, "Your note") == "Wait for the rubies."
    assert f"\n\n\nOpen the board:\nhttp://127.0.0.1:8000/table/{game.key}/\n" in text(message)


def test_the_first_line_compares_the_best_with_the_reader() -> None:
    def lead(points: tuple[int, int, int], reader: int) -> str:
        return standing(points, reader, ["Ana", "Ben", "Chloé"])

    assert lead((12, 9, 3), 1) == "Ana leads 12–9"
    assert lead((12, 9, 3), 0) == "You lead 12–9"
    assert lead((12, 12, 3), 2) == "Ana and Ben lead 12–3"
    assert lead((12, 12, 3), 1) == "You and Ana are tied for the lead at 12"
    assert lead((0, 0, 0), 1) == "Tied at 0"


def test_possessions_in_a_mail_are_those_on_the_board(game: Game) -> None:
    look = play.look(game, actor(game))
    assert look.seat is not None
    me = look.seen.players[look.seat]
    has = section(turn(game), "What you have")
    names = [str(seat) for seat in game.seat_set.order_by("index")]
    order = [(look.seat + step) % 3 for step in (1, 2)]
    rivals = " · ".join(f"{names[seat]} {look.seen.players[seat].points}" for seat in order)
    assert f"Points    {me.points} of 15 · {rivals}\n" in has
    assert f"{sum(me.tokens)} of 10" in has
    colours = ("white", "blue", "green", "red", "black")
    owned = [f"{number} {colour}" for number, colour in zip(me.bonuses, colours, strict=True) if number]
    assert f"Bonuses   {', '.join(owned) or 'none'}" in has


def test_duel_tells_the_three_ways_to_win(alice: User, bob: User) -> None:
    game = deal("duel", [alice, bob], 3)
    play_on(game, 3, 40)
    while game.number != game.turn_number:
        play_on(game, 3, 1)
    look = play.look(game, actor(game))
    assert look.seat is not None
    me, rival = look.seen.players[look.seat], look.seen.players[1 - look.seat]
    name = next(seat for seat in game.seat_set.all() if seat.index != look.seat)
    message = turn(game)
    assert headings(message) == ["Since your last turn", "What you have", "Your options"]
    rows = [" ".join(line.split()) for line in section(message, "What you have").split("\n")]
    assert rows[0] == f"Points {me.points} of 20 · {name} {rival.points}"
    assert rows[1] == f"Crowns {me.crowns} of 10 · {name} {rival.crowns}"
    assert rows[2].startswith(f"One colour {max(me.colour_points)} of 10")


def test_purchases_and_two_takes_are_links_that_stage_them(game: Game, client: Client) -> None:
    reader = actor(game)
    while not {"buy", "take"} <= {action.word for action in play.look(game, reader).legal}:
        play_on(game, game.number, 1)
        reader = actor(game)
    staged, legal = actions(turn(game)), play.look(game, reader).legal
    defaults = list(dict.fromkeys(str(action).split(" = ")[0] for action in legal if action.word == "buy"))
    assert sorted(action.split(" = ")[0] for action in staged if action.startswith("buy")) == sorted(defaults)
    assert len([action for action in staged if action.startswith("take")]) == 2
    assert staged[-1] == ""
    assert set(staged) - {""} <= set(map(str, legal))
    for address in addresses(turn(game)):
        if "/m/" in address:
            assert client.get(address.removeprefix("http://127.0.0.1:8000"), follow=True).status_code == 200
    assert Game.objects.get(pk=game.pk).number == game.number


def test_text_and_html_have_the_same_links(game: Game) -> None:
    message = turn(game)
    assert [word for word in text(message).split() if word.startswith("http")] == addresses(message)


def test_a_mail_without_move_links_cannot_play(game: Game) -> None:
    Preferences.objects.create(user=actor(game), links=False)
    message = turn(game)
    assert actions(message) == []
    assert "/m/" not in text(message) + html_of(message)
    assert "orwarding" not in text(message)
    assert "Other moves" not in text(message)
    assert headings(message)[-1] == "Your options"
    assert f"http://127.0.0.1:8000/table/{game.key}/" in addresses(message)


def test_the_mail_about_a_half_done_turn_offers_its_next_decision(alice: User, bob: User) -> None:
    game = deal("duel", [alice, bob], 0)
    for seed in range(200):
        play_on(game, seed, 1)
        legal = play.look(game, actor(game)).legal if game.is_active else []
        if {action.word for action in legal} == {"return"}:
            break
    message = write("unfinished", actor(game), game)
    assert "You’ve started your turn but haven’t finished it." in words(html_of(message))
    assert set(actions(message)) == {*map(str, legal[:8]), ""}
    assert message["Subject"] == turn(game)["Subject"]
    reminder = write("reminder", actor(game), game, key=f"reminder:{game.pk}:{game.turn_number}:2h")
    assert "It’s still your turn. You have 1 week left" in words(html_of(reminder))
    assert section(reminder, "Your options") == section(message, "Your options")


def test_a_reminder_says_how_much_time_is_left(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(hours=2))
    message = write("reminder", actor(game), game, key=f"reminder:{game.pk}:{game.turn_number}:2h")
    assert text(message).startswith("2\N{NO-BREAK SPACE}hours left · Move by Mon 11:00 (UTC) · Tied at 0\n\n")
    assert message["Subject"] == turn(game)["Subject"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"pace": "none"}, "This table has no time limit."),
        ({"paused_at": MONDAY}, "The game is paused, so the clocks are stopped."),
        ({}, "You ran out of time, and the others are waiting."),
    ],
)
def test_a_missing_deadline_is_explained(game: Game, fields: dict[str, object], told: str) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=None, clock_started_at=None, **fields)
    message = turn(game)
    assert told in text(message)
    assert "Move by" not in text(message)


def test_a_distant_deadline_is_given_as_a_date(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(days=9))
    assert "Move by Wed 11 Nov 09:00 (UTC)" in text(turn(game))


def test_incidents_are_listed_between_the_moves(game: Game) -> None:
    reader = actor(game)
    leaver = next(seat.user for seat in game.seat_set.all() if seat.user and seat.user != reader)
    play.resign(game, leaver)
    since = section(write("turn", reader, Game.objects.get(pk=game.pk)), "Since your last turn")
    assert f"{leaver} resigned." in since


# --- facts that are no longer true ---


def test_outdated_facts_are_not_written(game: Game, alice: User, bob: User) -> None:
    reader = actor(game)
    about_turn = [
        notice("turn", reader, game),
        notice("unfinished", reader, game),
        notice("reminder", reader, game, key=f"reminder:{game.pk}:{game.turn_number}:50"),
    ]
    assert all(letters.write(each) for each in about_turn)
    play_on(game, 1, 3)
    assert [letters.write(each) for each in about_turn] == [None, None, None]
    stranger = notice("turn", actor(game), game, key=f"turn:{game.pk}:{game.number - 1}")
    assert letters.write(stranger) is None
    Seat.objects.filter(game=game, index=game.to_act).update(caretaker="greedy")
    assert letters.write(notice("turn", actor(game), game)) is None


def test_a_decision_made_meanwhile_is_not_asked_for(game: Game) -> None:
    """The mail is written from the position, which is read after the game."""
    reader = actor(game)
    ruleset, before = TITLES[game.title].ruleset, state(game)
    assert letters.write(notice("turn", reader, game))
    after = ruleset.apply(before, ruleset.legal_actions(before)[0]).state
    Position.objects.filter(game=game).update(state=ruleset.dump(after))
    assert letters.write(notice("turn", reader, game)) is None


def test_mails_about_start_and_end_are_sent_while_they_are_true(game: Game, alice: User, bob: User) -> None:
    waits = next(user for user in (alice, bob) if user != actor(game))
    started, closed = notice("started", waits, game), notice("closed", waits, game)
    assert letters.write(started)
    assert letters.write(closed) is None
    for user in (alice, bob):
        play.resign(game, user)
    assert letters.write(started) is None


def test_invitation_mails_end_with_the_table_the_answer_or_the_seat(alice: User, bob: User, charlie: User) -> None:
    table = tables.create(alice, tables.TableSpec("duel", 2, invited=[bob]))
    named = notice("invited", bob, table, key=f"invited:game:{table.pk}", by=alice.pk)
    assert letters.write(named)
    table.invited.remove(bob)
    assert letters.write(named) is None
    asked = Invitation.objects.create(game=table, address="eve@example.net", invited_by=alice, at=now())
    written = notice("invited", asked.address, table, key=f"invited:{asked.pk}", invitation=asked.pk)
    for answer in Invitation.Answer:
        Invitation.objects.filter(pk=asked.pk).update(answer=answer)
        assert bool(letters.write(written)) == (answer == "")
    Invitation.objects.filter(pk=asked.pk).update(answer="")
    tables.join(table, charlie)
    assert letters.write(written) is None


# --- languages and zones ---


def test_mails_use_the_language_and_zone_of_their_reader(game: Game) -> None:
    reader = actor(game)
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(days=3, hours=8))
    User.objects.filter(pk=reader.pk).update(language="fr", time_zone="America/Argentina/Buenos_Aires")
    message = turn(game)
    assert '<html lang="fr">' in html_of(message)
    assert "14:00 (Buenos Aires)" in text(message)
    User.objects.filter(pk=reader.pk).update(language="en", time_zone="")
    assert "17:00 (UTC)" in text(turn(game))


def test_mails_use_the_language_of_the_reader_s_newest_page(game: Game, client: Client) -> None:
    reader, spoken = actor(game), list[str]()
    client.force_login(reader)
    for browser, chosen in (("fr", ""), ("fr", "en"), ("en", "")):
        User.objects.filter(pk=reader.pk).update(language=chosen)
        client.get("/games/", headers={"accept-language": browser})
        spoken += re.findall(r'<html lang="(\w+)">', html_of(turn(game)))
    assert spoken == ["fr", "en", "en"]


def test_bonuses_agree_with_their_number() -> None:
    with translation.override("fr"):
        assert bonuses([("w", 1), ("g", 3), ("r", 0), ("k", 2)]).text == "1 blanc, 3 verts, 2 noirs"
    assert bonuses([("w", 1), ("g", 3)]).text == "1 white, 3 green"
