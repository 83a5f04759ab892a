"""The clocks on a table's pages, and its players' actions: give time, pause, come back."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, Notice, Seat, Vacation
from games.pages.dashboard import Dashboard
from games.services import play
from games.services.absence import pauses, timeouts
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from tests.factories import As, actor, begun, kinds, take_turn
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 25, 12, tzinfo=UTC)
"""Noon on a Wednesday, in UTC."""
HOUR = timedelta(hours=1)
ACTS = ("pause", "resume", "withdraw_pause", "stop", "play_on", "more_time", "come_back")


@pytest.fixture(autouse=True)
def noon():
    """Freeze time at noon until a test moves it."""
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game that Alice and Bob have just begun, in which Alice is to move."""
    return begin(alice, bob)


def begin(alice: User, bob: User, **spec: object) -> Game:
    while True:
        game = tables.create(alice, TableSpec("splendor", 2, **spec))  # type: ignore[arg-type]
        tables.join(game, bob)
        if actor(game) == alice:
            return game
        game.delete()


def words(part: bytes) -> str:
    return text(b"<main" + part + b"</main>")


def clock_of(page: bytes) -> str:
    """The text about time in the rail."""
    return words(page.split(b'id="clock"')[1].split(b">", 1)[1].split(b"</p>")[0])


def test_the_page_counts_down_in_whole_patterns(as_: As, alice: User, game: Game) -> None:
    page = table(as_(alice), game).decode()
    assert re.findall(r'data-(days|hours|minutes)="(.*?)"', page) == [
        ("days", "%(days)s d %(hours)s h"),
        ("hours", "%(hours)s h %(minutes)s min"),
        ("minutes", "%(minutes)s min"),
    ]


def seat_of(page: bytes, user: User, game: Game) -> str:
    """The remark beside that player's name."""
    index = Seat.objects.get(game=game, user=user).index or 0
    return words(page.split(b'id="name-%d"' % index)[1].split(b"</a>")[0].split(b">", 1)[1])


def table(client: Client, game: Game) -> bytes:
    return client.get(address("table", game)).content


def act(client: Client, name: str, game: Game) -> str:
    """Do the action; return the text of the table after it."""
    return text(client.post(address(name, game), follow=True).content)


# --- the page ---


def test_everybody_sees_all_clocks(
    as_: As, game: Game, alice: User, bob: User, charlie: User, noon: time_machine.Traveller
) -> None:
    noon.shift(5 * HOUR + timedelta(minutes=10))
    for reader in (alice, bob, charlie, None):
        page = table(as_(reader), game)
        assert clock_of(page) == "Time left: 2 d 18 h until Sat 12:00 UTC"
        assert "time left: 2 d 18 h" in seat_of(page, alice, game)
        assert "time left: 3 d 0 h" in seat_of(page, bob, game)
    play.submit(game, play.Actor(alice), 0, ["take wug"])
    page = table(as_(charlie), game)
    assert clock_of(page) == "Time left: 3 d 0 h until Sat 17:10 UTC"
    # The time used is subtracted, and twelve hours are added.
    assert "time left: 3 d 6 h" in seat_of(page, alice, game)
    # Positions of the past show no clocks.
    page = as_(alice).get(f"{address('table', game)}?at=0").content
    assert clock_of(page) == ""
    assert "time left" not in seat_of(page, bob, game)


def test_less_than_a_day_is_shown_in_words(as_: As, game: Game, alice: User, noon: time_machine.Traveller) -> None:
    noon.shift(66 * HOUR - timedelta(minutes=1))
    assert "less than a day" not in clock_of(table(as_(alice), game))
    noon.shift(timedelta(minutes=1))
    assert clock_of(table(as_(alice), game)) == "Time left: 6 h 0 min less than a day until today 12:00 UTC"
    noon.shift(6 * HOUR + timedelta(minutes=1))
    assert clock_of(table(as_(alice), game)).startswith("Time left: out of time until")


def test_quiet_hours_are_in_the_deadline(as_: As, alice: User, bob: User) -> None:
    alice.time_zone, alice.quiet_from, alice.quiet_until = (
        "Asia/Tokyo",
        datetime.min.time(),
        datetime(1, 1, 1, 8).time(),
    )
    alice.save()
    game = begin(alice, bob, pace=Game.Pace.DAYS, days=4)
    # 21:00 in Tokyo is not quiet.
    assert clock_of(table(as_(alice), game)) == "Time left: 4 d 0 h until Sun 21:00"
    with time_machine.travel(NOON + 4 * HOUR, tick=False):
        game = begin(alice, bob)
        # Without quiet hours the clock would run out at 1:00.
        assert clock_of(table(as_(alice), game)) == "Time left: 3 d 7 h until Sun 08:00"
        assert clock_of(table(as_(bob), game)) == "Time left: 3 d 7 h until Sat 23:00 UTC"


@pytest.mark.parametrize(
    ("spec", "terms"),
    [
        (
            {},
            "Starts at 3 days, +12 hours per turn, up to 1 week. If a player runs out of time, a bot plays "
            "until they’re back. Clocks stop while a player is on vacation or has a day off.",
        ),
        (
            {"pace": "fast", "at_zero": "forfeit", "vacations": False},
            "Starts at 1 day, +8 hours per turn, up to 3 days. A player whose time runs out is out. "
            "Clocks keep running during vacations.",
        ),
        (
            {"pace": "days", "days": 2, "at_zero": "wait"},
            "2 days per turn. Unused time doesn’t carry over. If a player runs out of time, the others wait.",
        ),
    ],
)
def test_the_table_shows_its_terms(as_: As, alice: User, bob: User, spec: dict[str, object], terms: str) -> None:
    game = begin(alice, bob, **spec)
    for page in (table(as_(None), game), as_(None).get(address("clock", game)).content):
        assert terms in text(page)


def test_a_table_without_clocks_shows_none(as_: As, alice: User, bob: User) -> None:
    game = begin(alice, bob, pace=Game.Pace.NONE)
    page = table(as_(bob), game)
    assert clock_of(page) == ""
    assert "time left" not in text(page)
    page = as_(bob).get(address("clock", game)).content
    assert "No time limit This table has no clocks." in text(page)
    for word in ("a pause", "one more day"):
        assert word not in text(page)
    assert "This clock can’t be paused" in act(as_(bob), "pause", game)
    assert "This clock can’t be paused" in act(as_(bob), "more_time", game)


def test_a_vacation_is_shown(as_: As, game: Game, alice: User, bob: User) -> None:
    for user in (alice, bob):
        Vacation.objects.create(user=user, begins_at=NOON - 48 * HOUR, ends_at=NOON + 48 * HOUR)
        User.objects.filter(pk=user.pk).update(away_until=NOON + 48 * HOUR)
    page = table(as_(bob), game)
    assert clock_of(page) == "on vacation until Fri 12:00 UTC"
    for user in (alice, bob):
        assert "on vacation until Fri" in seat_of(page, user, game)
    assert "on vacation until Fri" in text(as_(None).get(address("clock", game)).content)
    with time_machine.travel(NOON + 48 * HOUR, tick=False):
        assert "vacation until" not in text(table(as_(bob), game))
    Game.objects.update(vacations=False)
    assert "vacation until" not in text(table(as_(bob), game))


# --- more time ---


def test_a_player_can_give_another_player_an_extra_day(as_: As, game: Game, alice: User, bob: User) -> None:
    page = text(as_(bob).get(address("clock", game)).content)
    assert "Give alice one more day" in page
    assert "alice has one more day." in act(as_(bob), "more_time", game)
    page_ = table(as_(alice), game)
    assert clock_of(page_) == "Time left: 4 d 0 h until Sun 12:00 UTC"
    assert "bob gave you one more day." in text(page_)
    # Extra time can be given once for each decision.
    assert "You gave alice one more day for this move." in text(as_(bob).get(address("clock", game)).content)
    act(as_(bob), "more_time", game)
    assert clock_of(table(as_(alice), game)) == "Time left: 4 d 0 h until Sun 12:00 UTC"


def test_extra_time_goes_to_nobody_but_the_player_on_the_page(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = begun([alice, bob, charlie])
    giver = game.seat_set.get(index=2).user
    page = as_(giver).get(address("clock", game)).content.decode()
    assert re.findall(r'name="seat" value="(\d)"', page) == ["0"]
    take_turn(game)
    answer = as_(giver).post(address("more_time", game), {"seat": "0"}, follow=True)
    assert "That player has moved in the meantime." in text(answer.content)
    assert "gave_time" not in kinds(game)
    answer = as_(giver).post(address("more_time", game), {"seat": "1"}, follow=True)
    assert f"{game.seat_set.get(index=1)} has one more day." in text(answer.content)


def test_players_cannot_give_themselves_time(as_: As, game: Game, alice: User) -> None:
    assert "one more day" not in text(as_(alice).get(address("clock", game)).content)
    assert "You can’t give yourself more time." in act(as_(alice), "more_time", game)
    assert clock_of(table(as_(alice), game)) == "Time left: 3 d 0 h until Sat 12:00 UTC"


# --- pauses ---


def test_a_pause_begins_when_all_agree(
    as_: As, game: Game, alice: User, bob: User, charlie: User, noon: time_machine.Traveller
) -> None:
    noon.shift(HOUR)
    assert "Ask for a pause" in text(as_(alice).get(address("clock", game)).content)
    assert "The others can see that you’re asking for a pause." in act(as_(alice), "pause", game)
    assert "alice wants to pause" not in text(table(as_(alice), game)).split("Ledger")[0]
    assert "It starts when bob agrees." in text(as_(alice).get(address("clock", game)).content)
    for page in (table(as_(bob), game), as_(bob).get(address("clock", game)).content):
        assert "alice wants to pause" in text(page)
        assert "Agree" in text(page)
    assert "alice asked for a pause." in text(table(as_(charlie), game))
    assert "Agree" not in text(table(as_(charlie), game))

    assert "The clocks are paused until a player resumes the game." in act(as_(bob), "pause", game)
    noon.shift(240 * HOUR)
    for reader in (alice, bob, charlie):
        page = table(as_(reader), game)
        assert clock_of(page) == "paused since 25 Mar, 13:00 UTC"
        assert "time left: 2 d 23 h" in seat_of(page, alice, game)
        assert ("Resume the game" in text(page)) == (reader != charlie)
    assert "The clocks are running again." in act(as_(alice), "resume", game)
    page = table(as_(bob), game)
    assert clock_of(page) == "Time left: 2 d 23 h until Tue 12:00 UTC"
    ledger = text(page).split("Ledger")[1]
    told = ["alice resumed the game.", "You agreed to pause. The clocks are paused.", "alice asked for a pause."]
    assert [line for line in told if line in ledger] == told
    assert sorted(told, key=ledger.index) == told


def test_players_can_move_during_a_pause(as_: As, game: Game, alice: User, bob: User) -> None:
    for user in (alice, bob):
        pauses.ask(game, user)
    assert "Your turn" in table(as_(alice), game).decode()
    as_(alice).post(address("table", game), {"number": 0, "moves": "take wug"})
    assert clock_of(table(as_(bob), game)) == "paused since today 12:00 UTC"


def test_a_request_for_a_pause_is_withdrawn(as_: As, game: Game, alice: User, bob: User) -> None:
    pauses.ask(game, alice)
    assert "You withdrew your request for a pause." in act(as_(alice), "withdraw_pause", game)
    assert "Agree" not in text(table(as_(bob), game))


# --- caretakers ---


def be_away(game: Game, hours: int) -> None:
    """Alice ran out of time that many hours ago."""
    Notice.objects.update(closed_at=NOON, outcome=Notice.Outcome.SENT)
    with time_machine.travel(NOON, tick=False):
        timeouts.time_out(game)
    game.refresh_from_db()
    Seat.objects.filter(caretaker__gt="").update(absent_since=NOON - hours * HOUR)


@pytest.fixture
def away(game: Game, alice: User, bob: User) -> Game:
    """Alice has decided once; then, an hour ago, she ran out of time."""
    play.submit(game, play.Actor(alice), 0, ["take wug"])
    play.submit(game, play.Actor(bob), 1, ["take wug"])
    Game.objects.update(deadline=NOON)
    Seat.objects.update(bank=timedelta(0))
    game.refresh_from_db()
    be_away(game, 1)
    return game


def test_everybody_sees_that_a_bot_plays_for_a_player(as_: As, away: Game, alice: User, bob: User) -> None:
    page = table(as_(bob), away)
    assert "is thinking" in seat_of(page, alice, away)
    assert "alice ran out of time. A bot plays for alice until they’re back." in text(page)
    assert "alice is thinking" in page.decode().split("<main")[0]
    play.submit(away, play.BOT, 2, ["take wug"])
    page = table(as_(bob), away)
    assert "away; a bot is playing" in seat_of(page, alice, away)
    assert "away; a bot is playing" in text(as_(bob).get(address("clock", away)).content)
    assert "Take my seat back" not in text(page)


def test_an_absent_player_takes_the_seat_back(as_: As, away: Game, alice: User) -> None:
    client = as_(alice)
    page = text(table(client, away))
    assert (
        "A bot has your seat You ran out of time (today 11:00 UTC). The bot has made 0 moves since. "
        "You can still win if you’re back by Fri 11:00 UTC and before the bot makes 4 more moves. Take my seat back"
        in page
    )
    # Until then it is the bot's turn.
    assert "A bot is playing for you" in page
    assert "Your turn" not in table(client, away).decode().split("<main")[0]
    assert client.post(address("table", away), {"number": 2, "moves": "take wug"}).status_code == 404
    play.submit(away, play.BOT, 2, ["take wug"])
    assert "The bot has made 1 move since. You can still win if you’re back" in text(table(client, away))

    page = act(client, "come_back", away)
    assert "You’re back in your seat." in page
    assert "You’re back." in page
    assert "A bot is playing for you" not in page
    # Doing it again changes nothing.
    assert "You’re back in your seat." in act(client, "come_back", away)


def test_a_player_who_is_back_sees_what_happened_meanwhile(as_: As, away: Game, alice: User, bob: User) -> None:
    """The decision before, that of the bot, and the answer to it; the turn is not half done."""
    for each in (play.BOT, play.Actor(bob)):
        play.submit(away, each, away.number, ["take wug"])
        away.refresh_from_db()
    timeouts.come_back(away, alice)
    strip = table(as_(alice), away).decode().split('id="since"')[1].split("</section>")[0]
    assert strip.count("<li>") == 3
    [row] = Dashboard(alice).your_turn
    assert (row.has_begun_turn, [move.number for move in row.moves]) == (False, [1, 2, 3])


def test_a_player_away_too_long_cannot_win(as_: As, away: Game, alice: User) -> None:
    Seat.objects.filter(caretaker__gt="").update(absent_since=NOON - 49 * HOUR)
    page = text(table(as_(alice), away))
    assert "You can no longer win, but you can play on. Take my seat back" in page
    assert "if you’re back by" not in page


def test_a_forfeit_is_explained(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3, at_zero=Game.AtZero.FORFEIT))
    tables.join(game, bob)
    tables.join(game, charlie)
    game.refresh_from_db()
    people = [seat.user for seat in game.seat_set.select_related("user").order_by("index")]
    for number, user in enumerate(people):
        play.submit(game, play.Actor(user), number, ["take wug"])
        game.refresh_from_db()
    Game.objects.update(deadline=NOON)
    Seat.objects.update(bank=timedelta(0))
    game.refresh_from_db()
    be_away(game, 1)
    page = table(as_(people[1]), game)
    assert f"{people[0]} ran out of time. {people[0]} is out of the game. A bot takes over." in text(page)


def test_the_others_wait_for_a_player_without_time(as_: As, alice: User, bob: User) -> None:
    game = begin(alice, bob, at_zero=Game.AtZero.WAIT)
    play.submit(game, play.Actor(alice), 0, ["take wug"])
    play.submit(game, play.Actor(bob), 1, ["take wug"])
    Game.objects.update(deadline=NOON)
    Seat.objects.update(bank=timedelta(0))
    game.refresh_from_db()
    be_away(game, 1)
    page = table(as_(bob), game)
    assert clock_of(page) == "out of time"
    assert "alice ran out of time. The others are waiting." in text(page)
    assert "Give alice one more day" in text(as_(bob).get(address("clock", game)).content)
    act(as_(bob), "more_time", game)
    assert clock_of(table(as_(alice), game)) == "Time left: 1 d 0 h until tomorrow 12:00 UTC"


# --- permissions ---


@pytest.mark.parametrize("name", ACTS)
def test_only_players_change_the_clocks(as_: As, game: Game, alice: User, charlie: User, name: str) -> None:
    path = address(name, game)
    assert as_(charlie).post(path).status_code == 404
    # The address of the post takes no GET, so the log-in leads to the table.
    back = address("table", game)
    assert as_(None).post(path).url == f"{reverse('account_login')}?next={back}"  # type: ignore[attr-defined]
    assert as_(None).post(path, headers={"HX-Request": "true"}).status_code == 401
    assert as_(alice).get(path).status_code == 405
    play.resign(game, alice)
    assert as_(alice).post(path).url == back  # type: ignore[attr-defined]
    assert as_(charlie).post(path).status_code == 404


def test_agreeing_twice_to_stop_leads_to_the_table(as_: As, game: Game, alice: User, bob: User) -> None:
    act(as_(alice), "stop", game)
    client = as_(bob)
    assert [client.post(address("stop", game)).status_code for _ in range(2)] == [302, 302]
    assert "The game is stopped. It doesn’t count." in text(client.get(address("table", game)).content)
    assert Game.objects.get(pk=game.pk).status == Game.Status.CANCELLED


def test_only_absent_players_can_return(as_: As, game: Game, alice: User) -> None:
    play.submit(game, play.Actor(alice), 0, ["take wug"])
    assert "You’re back in your seat." in act(as_(alice), "come_back", game)
    assert list(game.incident_set.filter(kind="came_back")) == []


def test_the_page_of_clocks_shows_each_reader_their_controls(
    as_: As, game: Game, alice: User, bob: User, charlie: User
) -> None:
    path = address("clock", game)
    page = text(as_(bob).get(path).content)
    assert "alice to move by Sat 12:00 UTC 3 d 0 h" in page
    assert "Mute this game" in page
    act(as_(bob), "mute_table", game)
    for reader in (charlie, None):
        other = as_(reader).get(path).content
        assert b"<form" not in other.split(b"<main")[1].split(b"</main>")[0]
        assert "You at this table" not in text(other)
    Game.objects.update(audience=Game.Audience.SEATS)
    assert as_(charlie).get(path).status_code == 404
    lobby = tables.create(alice, TableSpec("duel", 2))
    assert as_(alice).get(address("clock", lobby)).url == address("table", lobby)  # type: ignore[attr-defined]
