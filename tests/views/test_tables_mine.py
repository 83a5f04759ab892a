"""The dashboard: every table in its group, each row with the players' points and the news."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from accounts.models import User
from accounts.services import create_guest
from games.models import Game, Vacation
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from tests.factories import As, begun, deal
from tests.views.reading import rows, text

pytestmark = pytest.mark.django_db


def test_every_table_is_in_its_group(as_: As, alice: User, bob: User, charlie: User, duel: Game) -> None:
    waiting_for_others = tables.create(alice, TableSpec("splendor", 3))
    invitation = tables.create(bob, TableSpec("splendor", 2, invited=[alice], admission="named", audience="seats"))
    listed = tables.create(charlie, TableSpec("splendor", 4, admission="open"))
    tables.create(charlie, TableSpec("splendor", 4))
    watched = tables.create(charlie, TableSpec("duel", 2, bots=["greedy"], audience="anyone"))
    tables.create(charlie, TableSpec("duel", 2, bots=["greedy"]))
    lost = tables.create(alice, TableSpec("duel", 2))
    tables.join(lost, charlie)
    play.resign(lost, alice)
    first, second = sorted((alice, bob), key=lambda user: duel.seat_set.get(user=user).index or 0)

    page = as_(first).get(reverse("mine")).content
    assert len(rows(page, "turn")) == 1
    assert duel.short_key in rows(page, "turn")[0]
    assert "The cards are dealt, and you go first." in rows(page, "turn")[0]
    assert "One table is waiting for you" in text(page)
    assert "(1)" in page.decode().split("</title>")[0]
    page = as_(second).get(reverse("mine")).content
    assert duel.short_key in rows(page, "waiting")[0]
    assert f"It’s {first}’s turn" in rows(page, "waiting")[0]

    page = as_(alice).get(reverse("mine")).content
    by_name, own, by_list = rows(page, "open")
    assert invitation.short_key in by_name
    assert "bob invites you · 1 seat free · about two weeks" in by_name
    assert by_name.endswith("Answer")
    assert waiting_for_others.short_key in own
    assert "No other players yet" in own
    assert "2 seats free · about two weeks" in own
    assert own.endswith("Open")
    assert listed.short_key in by_list
    assert "3 seats free" in by_list
    assert by_list.endswith("Join")
    [row] = rows(page, "watch")
    assert watched.short_key in row
    [row] = rows(page, "unseen")
    assert lost.short_key in row
    assert "charlie won. You resigned." in row
    assert reverse("history") in page.decode().split("<main", 1)[1]
    [row] = rows(as_(charlie).get(reverse("mine")).content, "unseen")
    assert "You won. alice resigned." in row


def test_a_list_that_is_cut_has_no_count(as_: As, alice: User, bob: User) -> None:
    for spec, heading in (
        (TableSpec("splendor", 4, admission="open"), "Open tables"),
        (TableSpec("duel", 2, bots=["greedy"], audience="anyone"), "Games to watch"),
    ):
        for number in range(1, 7):
            tables.create(bob, spec)
            page = text(as_(alice).get(reverse("mine")).content)
            assert re.findall(rf"{heading} (\d) ", page) == ([f"{number}"] if number < 6 else [])


def test_a_long_list_of_unseen_results_is_cut(as_: As, alice: User, bob: User) -> None:
    """The newest are listed, and all are counted."""
    games = [begun([alice, bob], "duel") for _ in range(22)]
    for game in games:
        play.resign(game, alice)
    page = as_(bob).get(reverse("mine")).content
    found = "".join(rows(page, "unseen"))
    assert [game.short_key in found for game in games] == [False] * 2 + [True] * 20
    assert "22 finished games you haven’t seen yet." in text(page)
    assert re.findall(r"Finished and unseen (\d+) ", text(page)) == []


def test_the_last_decision_is_shown_in_words(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 2))
    tables.join(game, bob)
    first, second = (seat.user for seat in game.seat_set.order_by("index"))
    assert first
    assert second
    game.refresh_from_db()
    play.submit(game, play.Actor(first), 0, ["take wug"])
    [row] = rows(as_(second).get(reverse("mine")).content, "turn")
    assert f"{first} took 1 diamond, 1 sapphire and 1 emerald" in row
    # The scores, the reader's first.
    assert f"You 0 {first} 0" in row


def test_a_row_says_what_happened_last(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = deal("splendor", [alice, bob, charlie], 5)
    first, second, third = (seat.user for seat in game.seat_set.order_by("index"))
    for number, (user, move) in enumerate([(first, "take wug"), (second, "take rku")]):
        play.submit(game, play.Actor(user), number, [move])
    [row] = rows(as_(third).get(reverse("mine")).content, "turn")
    assert f"{second} took 1 sapphire, 1 ruby and 1 onyx ." in row
    assert f"{first} took" not in row
    # A waiting reader also sees whose turn it is.
    [row] = rows(as_(first).get(reverse("mine")).content, "waiting")
    assert f"It’s {third}’s turn. {second} took 1 sapphire, 1 ruby and 1 onyx ." in row
    assert f"{first} took" not in row
    [row] = rows(as_(second).get(reverse("mine")).content, "waiting")
    assert "took" not in row


def test_a_hidden_card_is_shown_to_its_owner_only(as_: As, alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 5)
    first, second = (seat.user for seat in game.seat_set.order_by("index"))
    play.submit(game, play.Actor(first), 0, ["reserve L2"])
    [row] = rows(as_(second).get(reverse("mine")).content, "turn")
    assert f"{first} reserved the top card of the level 2 deck." in row


def test_a_half_done_turn_is_marked(as_: As, alice: User, bob: User) -> None:
    game = deal("duel", [alice, bob], 5)
    first, second = (seat.user for seat in game.seat_set.order_by("index"))
    assert first
    assert second
    for number, (user, word) in enumerate([(first, "take"), (second, "privilege")]):
        notation = next(str(action) for action in play.look(game, user).legal if action.word == word)
        play.submit(game, play.Actor(user), number, [notation])
        game.refresh_from_db()
    [row] = rows(as_(second).get(reverse("mine")).content, "turn")
    assert "It’s still your turn." in row


def test_a_new_user_is_welcomed(as_: As, charlie: User) -> None:
    page = as_(charlie).get(reverse("mine"))
    assert "Welcome, charlie" in text(page.content)
    assert "You aren’t at a table yet." in text(page.content)
    assert "No tables are waiting for players." in text(page.content)
    assert reverse("history") not in page.content.decode().split("<main", 1)[1]


@pytest.mark.parametrize(
    ("left", "words", "urgent"),
    [
        (timedelta(days=2, hours=3, minutes=4), "2 d 3 h", False),
        (timedelta(hours=6, minutes=1), "6 h 0 min", False),
        (timedelta(hours=3, minutes=40), "3 h 39 min less than a day", True),
        (timedelta(minutes=12), "11 min less than a day", True),
        (timedelta(minutes=-1), "out of time", True),
    ],
)
def test_a_dial_shows_the_time_left(
    as_: As, alice: User, duel: Game, left: timedelta, words: str, urgent: bool
) -> None:
    client = as_(duel.seat_set.get(index=0).user)
    began = now() - timedelta(days=1)
    Game.objects.update(clock_started_at=began, deadline=now() + left)
    page = client.get(reverse("mine")).content.decode()
    [row] = rows(page.encode(), "turn")
    assert words in row
    assert ("less than a day" in row) == (urgent and "out of time" not in row)
    [share] = re.findall(r'stroke-dasharray="(\d+) 100"', page)
    assert int(share) == round(100 * max(left, timedelta(0)) / (timedelta(days=1) + left))
    assert ("is-urgent" in page) == urgent


def test_the_deadline_is_an_instant_in_my_zone(as_: As, duel: Game) -> None:
    """All deadlines are the same instant, shown in each reader's time zone."""
    noon = datetime(2026, 3, 27, 12, tzinfo=UTC)  # Europe changes its hour two days later
    with time_machine.travel(noon, tick=False):
        seat = duel.seat_set.select_related("user").get(index=0)
        assert seat.user
        client = as_(seat.user)
        for zone, deadline, words, left in [
            ("Europe/Paris", datetime(2026, 3, 27, 21, 30, tzinfo=UTC), "today 22:30", "9 h 30 min"),
            ("Europe/Paris", datetime(2026, 3, 27, 23, 30, tzinfo=UTC), "tomorrow 00:30", "11 h 30 min"),
            ("Europe/Paris", datetime(2026, 3, 29, 12, 0, tzinfo=UTC), "Sun 14:00", "2 d 0 h"),
            ("America/New_York", datetime(2026, 3, 29, 12, 0, tzinfo=UTC), "Sun 08:00", "2 d 0 h"),
            ("Asia/Kolkata", datetime(2026, 4, 5, 20, 0, tzinfo=UTC), "6 Apr, 01:30", "9 d 8 h"),
            ("", datetime(2026, 4, 5, 20, 0, tzinfo=UTC), "5 Apr, 20:00 UTC", "9 d 8 h"),
            ("Asia/Tokyo", datetime(2027, 1, 5, 20, 0, tzinfo=UTC), "6 Jan 2027, 05:00", "284 d 8 h"),
        ]:
            User.objects.filter(pk=seat.user.pk).update(time_zone=zone)
            Game.objects.update(deadline=deadline)
            [row] = rows(client.get(reverse("mine")).content, "turn")
            assert f" {left} {words} " in row.replace("less than a day ", "")
            assert deadline == datetime.fromisoformat(
                re.findall(r'<time datetime="([^"]+)"', client.get(reverse("mine")).content.decode())[0]
            )
            page = client.get(reverse("table", args=[duel.key])).content.decode()
            clock = page.split('id="clock"')[1].split("</p>")[0]
            assert f"Time left: {left} until {words}" in text(f"<main>{clock}</main>".encode())
            [instant] = re.findall(r'<time datetime="([^"]+)"', clock)
            assert datetime.fromisoformat(instant) == deadline


def test_stopped_clocks_are_explained(as_: As, alice: User, bob: User, duel: Game) -> None:
    mine, other = duel.seat_set.select_related("user").order_by("index")
    assert mine.user
    noon = datetime(2026, 3, 27, 12, tzinfo=UTC)
    with time_machine.travel(noon, tick=False):
        Vacation.objects.create(user=mine.user, begins_at=noon - timedelta(days=1), ends_at=noon + timedelta(days=3))
        User.objects.filter(pk=mine.user.pk).update(away_until=noon + timedelta(days=3))
        [row] = rows(as_(other.user).get(reverse("mine")).content, "waiting")
        assert "on vacation until Mon 12:00 UTC" in row
        # A table whose clocks keep running does not mention the vacation.
        Game.objects.update(vacations=False)
        [row] = rows(as_(other.user).get(reverse("mine")).content, "waiting")
        assert "vacation" not in row
        Game.objects.update(paused_at=noon, deadline=None, clock_started_at=None)
        [row] = rows(as_(other.user).get(reverse("mine")).content, "waiting")
        assert "paused since today 12:00 UTC" in row
        Game.objects.update(paused_at=None)
        [row] = rows(as_(other.user).get(reverse("mine")).content, "waiting")
        assert "out of time" not in row
        duel.seat_set.update(bank=timedelta(0))
        [row] = rows(as_(other.user).get(reverse("mine")).content, "waiting")
        assert "out of time" in row


def test_bots_have_no_clock(as_: As, alice: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2, bots=["greedy"]))
    bot = game.seat_set.get(user=None).index
    Game.objects.update(to_act=bot, clock_started_at=now(), deadline=now() + timedelta(hours=1))
    page = as_(alice).get(reverse("mine")).content
    assert "Greedy bot is thinking" in rows(page, "waiting")[0]
    assert 'class="dial"' not in page.decode()


def test_a_shared_victory_names_all_winners(as_: As, alice: User, bob: User, duel: Game) -> None:
    play.resign(duel, bob)
    duel.seat_set.update(won=True, resigned=False)
    assert "You share the victory." in rows(as_(bob).get(reverse("mine")).content, "unseen")[0]


def test_the_first_page_offers_the_tables_that_wait(as_: As, duel: Game, charlie: User) -> None:
    first, second = (seat.user for seat in duel.seat_set.select_related("user").order_by("index"))
    for reader, words in [
        (first, "Your tables (1 waiting)"),
        (second, "Your tables New table"),
        (charlie, "Your tables"),
    ]:
        assert words in text(as_(reader).get(reverse("home")).content)
    # A caretaker has no deadline.
    duel.seat_set.update(caretaker="greedy")
    assert "waiting" not in text(as_(first).get(reverse("home")).content)
    assert "Your tables" not in text(as_(None).get(reverse("home")).content)


@pytest.mark.parametrize(
    ("zone", "hour", "greeting"),
    [
        ("", 4, "Good evening"),
        ("", 5, "Good morning"),
        ("", 11, "Good morning"),
        ("", 12, "Good afternoon"),
        ("", 18, "Good evening"),
        ("Asia/Tokyo", 20, "Good morning"),
        ("America/New_York", 20, "Good afternoon"),
    ],
)
def test_the_reader_is_greeted_by_their_own_clock(
    as_: As, alice: User, duel: Game, zone: str, hour: int, greeting: str
) -> None:
    User.objects.update(time_zone=zone)
    with time_machine.travel(datetime(2026, 3, 3, hour, 30, tzinfo=UTC), tick=False):
        assert f"> {greeting}, alice " in text(as_(alice).get(reverse("mine")).content)


def test_the_nearest_deadline_stands_at_the_top(as_: As, alice: User, bob: User) -> None:
    with time_machine.travel(datetime(2026, 3, 3, 12, tzinfo=UTC), tick=False):
        for seed, hours in enumerate((40, 3, -1, 90)):
            game = deal("duel", [alice, bob], seed)
            seat = game.seat_set.get(user=alice).index
            Game.objects.filter(pk=game.pk).update(to_act=seat, deadline=now() + timedelta(hours=hours))
        page = text(as_(alice).get(reverse("mine")).content)
    lead = "4 tables are waiting for you. The nearest deadline is today 15:00 UTC , in 3 h 0 min."
    assert f"> Good afternoon, alice {lead} " in page


def test_opponents_scores_and_the_round_have_their_place(as_: As, alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 5)
    Game.objects.update(round=12)
    game.seat_set.filter(user=bob).update(score=15)
    for is_last in (False, True):
        Game.objects.update(is_last_round=is_last)
        page = as_(alice).get(reverse("mine")).content
        [row] = rows(page, "turn") + rows(page, "waiting")
        assert f"> bob Splendor · {game.short_key} · round 12 You 0 bob 15 " in row
        assert ("last round" in row) == is_last
        assert re.findall(r'class="(row-score(?: [^"]+)?)"', page.decode()) == ["row-score is-me", "row-score is-best"]


@pytest.mark.parametrize(("language", "strength"), [("en", "Strongest"), ("fr", "Expert")])
def test_the_word_bot_is_left_out_below_scores(as_: As, alice: User, language: str, strength: str) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    tables.create(alice, TableSpec("splendor", 4, bots=["strongest", "easy", "strongest"]))
    page = as_(alice).get(reverse("mine"), headers={"accept-language": language}).content.decode()
    below = re.findall(r"<small>\s*<bdi>(.*?)</bdi>", page)
    assert {f"{strength} 1", f"{strength} 2"} < {*below}
    assert not [name for name in below if "bot" in name.lower()]


def test_a_guest_is_offered_no_table_that_they_cannot_join(as_: As, alice: User) -> None:
    listed = tables.create(alice, TableSpec("splendor", 3, admission="open", audience="anyone", name="Open to all"))
    guest = create_guest()
    mine = as_(guest).get(reverse("mine")).content.decode()
    assert "Open to all" not in mine
    assert reverse("open") not in mine
    lobby = as_(guest).get(reverse("table", args=[listed.key])).content.decode()
    assert reverse("join", args=[listed.key]) not in lobby
    assert f"{reverse('keep')}?next=" in lobby
