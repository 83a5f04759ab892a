import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.mails.words import standing
from games.models import Game, Invitation, Notice, Preferences, Seat
from games.services import absence, letters, links, play, seats, tables
from games.services.moment import now
from tests.mails.reading import actions, addresses, headings, html_of, notice, parsed, section, text, words, write
from tests.smtp import MailServer
from tests.views.dealt import actor, deal, play_on

pytestmark = pytest.mark.django_db

MONDAY = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _monday():
    with time_machine.travel(MONDAY, tick=False):
        yield


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    """Everybody has played a few turns, and somebody begins the next."""
    game = deal("splendor", [alice, bob, charlie], 3)
    play_on(game, 3, 20)
    while game.number != game.turn_number:
        play_on(game, 3, 1)
    return game


def turn(game: Game) -> EmailMessage:
    return write("turn", actor(game), game)


def others(game: Game, reader: User) -> str:
    names = [str(seat) for seat in game.seat_set.order_by("index") if seat.user != reader]
    return f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]


# --- the turn ---


def test_a_turn_mail_tells_what_matters_in_this_order(game: Game) -> None:
    reader = actor(game)
    User.objects.filter(pk=reader.pk).update(time_zone="Europe/Paris")
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(days=3, hours=8))
    seats.plan(game, reader, "Wait for the rubies.")
    message = turn(game)

    assert message["Subject"] == f"Your turn: Splendor with {others(game, reader)} · {game.short_key}"
    assert (message["To"], message["From"]) == (reader.email, "Cabochon <no-reply@localhost>")
    lead, about, intro = text(message).split("\n\n")[:3]
    assert re.fullmatch(r".+ · move by Thu 18:00 \(Paris\)", lead)
    assert about == f"Splendor with {others(game, reader)} · {game.short_key}"
    assert " ".join(intro.split()) == (
        "It is your turn. You have 3 days, 8 hours left, until Thursday 5 November, 18:00 (Paris)."
    )
    assert headings(message) == [
        "Since your last turn",
        "What you have",
        "What you lack for the nobles",
        "Your plan",
        "You could",
    ]
    assert section(message, "Your plan") == "Wait for the rubies."
    assert f"\n\n\nOpen the board:\nhttp://127.0.0.1:8000/table/{game.key}/\n" in text(message)


def test_the_first_line_compares_the_best_with_the_reader() -> None:
    def lead(points: tuple[int, int, int], reader: int) -> str:
        return standing(points, reader, ["Ana", "Ben", "Chloé"])

    assert lead((12, 9, 3), 1) == "Ana leads 12–9"
    assert lead((12, 9, 3), 0) == "You lead 12–9"
    assert lead((12, 12, 3), 2) == "Ana and Ben lead 12–3"
    assert lead((12, 12, 3), 1) == "You and Ana lead, level at 12"
    assert lead((0, 0, 0), 1) == "All are level at 0"


def test_what_the_reader_has_is_what_the_board_shows(game: Game) -> None:
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
    assert headings(message) == ["Since your last turn", "What you have", "You could"]
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


def test_both_parts_lead_to_the_same_places(game: Game) -> None:
    message = turn(game)
    assert [word for word in text(message).split() if word.startswith("http")] == addresses(message)


def test_without_links_nothing_in_a_mail_plays(game: Game) -> None:
    Preferences.objects.create(user=actor(game), links=False)
    message = turn(game)
    assert actions(message) == []
    assert "/m/" not in text(message) + html_of(message)
    assert "orwarding" not in text(message)
    assert "Something else" not in text(message)
    assert headings(message)[-1] == "You could"
    assert f"http://127.0.0.1:8000/table/{game.key}/" in addresses(message)


def test_a_turn_half_done_offers_what_is_to_be_decided(alice: User, bob: User) -> None:
    game = deal("duel", [alice, bob], 0)
    for seed in range(200):
        play_on(game, seed, 1)
        legal = play.look(game, actor(game)).legal if game.is_active else []
        if {action.word for action in legal} == {"return"}:
            break
    message = write("unfinished", actor(game), game)
    assert "You have begun your turn, and something is left to decide." in words(html_of(message))
    assert set(actions(message)) == {*map(str, legal[:8]), ""}
    assert message["Subject"] == turn(game)["Subject"]


def test_a_reminder_tells_what_remains(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(hours=2))
    message = write("reminder", actor(game), game, key=f"reminder:{game.pk}:{game.turn_number}:2h")
    assert text(message).startswith("2\N{NO-BREAK SPACE}hours left · move by Mon 11:00 (UTC)\n\n")
    assert message["Subject"] == turn(game)["Subject"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"pace": "none"}, "There is no clock."),
        ({"paused_at": MONDAY}, "The game is paused, so no clock runs."),
        ({}, "Your time is up, and the others wait."),
    ],
)
def test_no_deadline_is_explained(game: Game, fields: dict[str, object], told: str) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=None, clock_started_at=None, **fields)
    message = turn(game)
    assert told in text(message)
    assert "move by" not in text(message)


def test_a_deadline_far_off_has_its_date(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(days=9))
    assert "move by Wed 11 Nov 09:00 (UTC)" in text(turn(game))


def test_what_else_happened_stands_between_the_moves(game: Game) -> None:
    reader = actor(game)
    leaver = next(seat.user for seat in game.seat_set.all() if seat.user and seat.user != reader)
    play.resign(game, leaver)
    since = section(write("turn", reader, Game.objects.get(pk=game.pk)), "Since your last turn")
    assert f"{leaver} resigned." in since


# --- no longer true ---


def test_what_is_no_longer_true_is_not_written(game: Game, alice: User, bob: User) -> None:
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


def test_invitations_end_with_the_table_the_answer_and_the_seat(alice: User, bob: User, charlie: User) -> None:
    table = tables.create(alice, tables.Plan("duel", 2, invited=[bob]))
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


# --- headers ---


def test_headers_as_they_arrive(game: Game, smtp: MailServer) -> None:
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


def test_ways_to_have_fewer_mails(game: Game, alice: User) -> None:
    labels = re.findall(r'<a class="quiet"[^>]*>(.*?)</a>', html_of(turn(game)))
    assert labels == ["Mute this game", "Mail settings", "Unsubscribe"]
    assert re.findall(r'<a class="quiet"[^>]*>(.*?)</a>', html_of(write("test", alice)))[0] == "Mail settings"


# --- languages and zones ---


def test_everybody_reads_their_language_and_zone(game: Game) -> None:
    reader = actor(game)
    Game.objects.filter(pk=game.pk).update(deadline=MONDAY + timedelta(days=3, hours=8))
    User.objects.filter(pk=reader.pk).update(language="fr", time_zone="America/Argentina/Buenos_Aires")
    message = turn(game)
    assert '<html lang="fr">' in html_of(message)
    assert "14:00 (Buenos Aires)" in text(message)
    User.objects.filter(pk=reader.pk).update(language="en", time_zone="")
    assert "17:00 (UTC)" in text(turn(game))


# --- what happens to a table ---


def time_is_up(game: Game) -> dict[str, EmailMessage]:
    """The mails about it, by reader."""
    assert game.deadline is not None
    Notice.objects.filter(game=game).update(closed_at=now(), outcome="sent")
    with time_machine.travel(game.deadline + timedelta(hours=1), tick=False):
        absence.time_out(game)
        owed = Notice.objects.filter(kind="absence", game=game).select_related("recipient")
        written = {str(each.recipient): letters.write(each) for each in owed}
    return {name: parsed(mail.message().as_bytes()) for name, mail in written.items() if mail}


@pytest.mark.parametrize(
    ("at_zero", "mine", "theirs"),
    [
        (
            "caretaker",
            "A bot plays on for you. Take your seat back on the page of the table whenever you like. "
            "Until {until}, and before the bot’s fourth decision, nothing is lost; later you cannot win.",
            "A bot plays on, so nobody has to wait. {name} may come back. "
            "After {until}, or the bot’s fourth decision, {name} cannot win any more.",
        ),
        (
            "forfeit",
            "At this table that means that you are out; a bot plays on for you, and cannot win.",
            "At this table that means that {name} is out; a bot plays on, and cannot win.",
        ),
        (
            "wait",
            "At this table nothing else happens: the others wait for your move.",
            "At this table nothing else happens: you wait for the move of {name}. You can give more time.",
        ),
    ],
)
def test_everybody_is_told_that_somebodys_time_is_up(game: Game, at_zero: str, mine: str, theirs: str) -> None:
    Game.objects.filter(pk=game.pk).update(at_zero=at_zero)
    game = Game.objects.get(pk=game.pk)
    name = str(actor(game))
    found = time_is_up(game)
    assert found.keys() == {"alice", "bob", "charlie"}
    for reader, message in found.items():
        lead = "Your time is up" if reader == name else f"The time of {name} is up"
        assert text(message).startswith(f"{lead}\n")
        told = re.sub(r"(Until|After) .+? \(UTC\)", r"\1 {until}", words(html_of(message)))
        assert (mine if reader == name else theirs).replace("{name}", name) in told


def test_who_is_back_needs_no_mail_about_it(game: Game) -> None:
    owner = actor(game)
    time_is_up(game)
    game = Game.objects.get(pk=game.pk)
    absence.come_back(game, owner)
    owed = Notice.objects.filter(kind="absence", game=game)
    assert [letters.write(each) for each in owed] == [None, None, None]


def test_a_game_that_never_began_leads_to_the_new_one(duel: Game) -> None:
    absent = actor(duel)
    found = time_is_up(duel)
    again = Game.objects.get(follows=duel)
    for reader, message in found.items():
        assert addresses(message)[0] == f"http://127.0.0.1:8000/table/{again.key}/"
        assert ("You never made your first move" in text(message)) == (reader == str(absent))


def test_the_end_is_told_with_the_standing(alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 3)
    play_on(game, 4, 600)
    winner = game.seat_set.get(won=True)
    loser = game.seat_set.get(won=False)
    assert winner.user is not None
    message = write("finished", winner.user, game)
    assert message["Subject"] == f"Game over: Splendor with {loser} · {game.short_key}"
    assert text(message).startswith(f"You win with {winner.score} points")
    rows = [line.split() for line in section(message, "Standing").split("\n")[:3]]
    assert rows[0] == ["Points", "Cards", "Nobles"]
    assert rows[1][:4] == ["1.", "You", "(winner)", str(winner.score)]
    assert rows[2][:3] == ["2.", str(loser), str(loser.score)]
    assert "A tie goes to who bought fewer cards" in words(html_of(message))


def test_resigning_is_told(duel: Game, alice: User, bob: User) -> None:
    play.resign(duel, bob)
    assert text(write("finished", alice, duel)).startswith("You win.\n")
    assert "\n\nbob resigned.\n\n" in text(write("finished", alice, duel))


# --- invitations ---


def test_a_stranger_reads_a_fixed_wording_and_a_user_name(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(username="buy.example.com")
    table = tables.create(User.objects.get(pk=alice.pk), tables.Plan("splendor", 3, bots=["greedy"]))
    asked = Invitation.objects.create(game=table, address="eve@example.net", invited_by_id=alice.pk, at=now())
    message = write("invited", asked.address, table, key=f"invited:{asked.pk}", invitation=asked.pk)
    assert message["To"] == "eve@example.net"
    name = "buy.\N{WORD JOINER}example.\N{WORD JOINER}com"
    accept, never = addresses(message)
    assert text(message) == (
        f"{name} invites you to Splendor\n\n"
        f"Table for 3 · {table.short_key}\n\n"
        f"{name} invites you to a game of Splendor by correspondence: each\n"
        "plays when there is time.\n\n"
        "You need no account yet: one click shows the table, another sits you down.\n"
        "This address is enough.\n\n\n"
        "THE TABLE\n\n"
        f"At the table  {name} and Greedy bot · 1 seat free\n"
        "Pace          about two weeks\n"
        "Time          3 d to begin with, 12 h more after every turn, 7 d at most.\n"
        "              When somebody’s time is up, a bot plays on until they are\n"
        "              back. Clocks stand while their owners are on vacation.\n"
        "Answer by     Monday 16 November, 09:00 (UTC)\n\n\n"
        f"See the table and answer:\n{accept}\n\n"
        "-- \n"
        "You get this mail because somebody at Cabochon wrote your address into an\n"
        f"invitation.\n\nNever write to me again:\n{never}\n"
    )
    assert str(message["List-Unsubscribe"]).strip() == f"<{never}>"


def test_people_who_are_asked_once_more_are_told_so(alice: User, bob: User) -> None:
    table = tables.create(alice, tables.Plan("duel", 2, invited=[bob]))
    facts = {"by": alice.pk, "again": True}
    for kind in ("invited", "rematch"):
        message = write(kind, bob, table, key=f"{kind}-again:game:{table.pk}", **facts)
        assert "You have not answered yet, and the table closes soon." in text(message)
        assert addresses(message)[0] == f"http://127.0.0.1:8000/table/{table.key}/"


def test_a_table_that_closes_is_told(alice: User, bob: User) -> None:
    table = tables.create(alice, tables.Plan("duel", 2, invited=[bob]))
    tables.cancel(table, alice)
    assert "Its maker has given it up." in text(write("closed", bob, table))
    Game.objects.filter(pk=table.pk).update(ending=Game.Ending.EXPIRED)
    assert "Not enough players sat down in time." in text(write("closed", alice, table))


def test_links_are_for_the_seat_that_the_mail_goes_to(game: Game) -> None:
    reader = actor(game)
    for address in addresses(turn(game)):
        if "/m/" in address:
            link = links.read(address.split("/")[4])
            assert (link.key, link.seat, link.turn) == (game.key, game.to_act, game.turn_number)
    assert game.seat_set.get(index=game.to_act).user == reader
