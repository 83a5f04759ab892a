"""The notices that are owed, their recipients, and when they are due."""

from datetime import datetime, time, timedelta
from email.message import Message

import pytest
from django.db.models import F

from accounts.models import User
from accounts.services import create_guest
from games.models import Game, Notice, Preferences, Seat
from games.services import play
from games.services.absence import pauses, timeouts, vacations
from games.services.clocks.moment import now
from games.services.outbox import notices
from tests.factories import DAY, HOUR, START, acting, at, begun, decide, must_return, post, run_out, table, take_turn
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def owed() -> list[tuple[str, str, datetime]]:
    """The open notices about turns: recipient, key and due time."""
    open_ = Notice.objects.filter(closed_at=None, kind__in=notices.OF_TURN).order_by("due_at", "pk")
    return [(str(notice.recipient), notice.key.split(":", 2)[2], notice.due_at) for notice in open_]


def about_turns(smtp: MailServer) -> list[Message]:
    """The mails about turns that were sent."""
    return [message for message in smtp.messages if message["Subject"].strip().startswith("Your turn:")]


def test_a_turn_is_owed_after_a_while_and_its_reminders_before_the_end(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], pace="fast")
    seat, deadline = acting(game), START + 24 * HOUR
    assert owed() == [
        (str(seat), "0", START + 3 * MINUTE),
        (str(seat), "0:50", START + 12 * HOUR),
        (str(seat), "0:25", START + 18 * HOUR),
        (str(seat), "0:2h", deadline - 2 * HOUR),
    ]


def test_a_player_who_has_moved_is_owed_no_notice(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], pace="fast")
        first = take_turn(game)
    second = acting(game)
    assert {name for name, _what, _when in owed()} == {str(second)}
    closed = Notice.objects.exclude(closed_at=None)
    assert {(notice.recipient, notice.outcome) for notice in closed} == {(first.user, "outdated")}


def test_turn_mails_follow_the_users_preferences(alice: User, bob: User) -> None:
    for user in (alice, bob):
        Preferences.objects.create(user=user, delay=30, reminders=["10", "12h"])
    with at(START):
        begun([alice, bob], pace="fast")
    assert [when for _name, _what, when in owed()] == [
        START + 30 * MINUTE,
        START + 12 * HOUR,
        START + 24 * HOUR * 9 / 10,
    ]


def test_no_reminder_comes_too_early_for_its_turn(alice: User, bob: User) -> None:
    for user in (alice, bob):
        Preferences.objects.create(user=user, reminders=["24h", "48h"])
    with at(START):
        begun([alice, bob], pace="fast")
    assert [what for _name, what, _when in owed()] == ["0"]


def test_a_reminder_due_in_quiet_hours_comes_before_them(alice: User, bob: User) -> None:
    for user in (alice, bob):
        user.time_zone, user.quiet_from, user.quiet_until = "UTC", time(22), time(8)
        user.save()
        Preferences.objects.create(user=user, reminders=["2h"])
    with at(START - 12 * HOUR):
        game = begun([alice, bob], pace="days", days=1)
    # The clock would run out at midnight, so it runs out at eight; two hours before that are still quiet hours.
    assert game.deadline == START + 20 * HOUR
    assert owed()[-1][2] == START + 10 * HOUR - 15 * MINUTE


def test_without_a_clock_nobody_is_reminded(alice: User, bob: User) -> None:
    with at(START):
        begun([alice, bob], pace="none")
    assert [what for _name, what, _when in owed()] == ["0"]


def test_a_half_done_turn_owes_a_notice_for_the_rest_and_keeps_its_reminders(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob])
        while not must_return(game):
            decide(game, prefer="take")
        seat = acting(game)
        reminders = [row for row in owed() if ":" in row[1]]
        decide(game, prefer="reserve L1")
    assert len(reminders) == 3
    assert owed() == [(str(seat), str(game.number), START + 20 * MINUTE), *reminders]
    assert Notice.objects.filter(kind="unfinished", closed_at=None).count() == 1
    with at(START + MINUTE):
        take_turn(game)
    assert not Notice.objects.filter(recipient=seat.user, kind__in=notices.OF_TURN, closed_at=None).exists()


def test_each_reminder_of_a_half_done_turn_comes_once(alice: User, bob: User, smtp: MailServer) -> None:
    with at(START):
        game = begun([alice, bob])
        while not must_return(game):
            decide(game, prefer="take")
    dues = [when for _name, what, when in owed() if ":" in what]
    with at(dues[0]):
        post()
        decide(game, prefer="reserve L1")
    for due in dues[1:]:
        with at(due):
            post()
            post()
    sent = Notice.objects.filter(outcome="sent", kind__in=notices.OF_TURN).order_by("due_at")
    assert [notice.kind for notice in sent] == ["turn", "reminder", "unfinished", "reminder", "reminder"]
    assert len(about_turns(smtp)) == 5


def test_a_turn_half_done_by_a_bot_owes_no_notice(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob])
        while not must_return(game):
            decide(game, prefer="take")
        Seat.objects.filter(game=game, index=game.to_act).update(caretaker="greedy")
        decide(game, prefer="reserve L1")
    assert not Notice.objects.filter(kind="unfinished").exists()


def test_guests_have_no_reminders(alice: User) -> None:
    guest = create_guest()
    game = table([alice, guest])
    while acting(game).user != guest:
        take_turn(game)
    pauses.more_time(game, alice)
    assert not Notice.objects.filter(recipient=guest).exists()


def test_reminders_move_with_the_deadline(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat = acting(game)
    assert seat.user is not None
    assert game.deadline is not None
    before = [when for _name, what, when in owed() if ":" in what]
    with at(START + HOUR):
        vacations.begin_vacation(seat.user, 10)
        game.refresh_from_db()
        after = [when for _name, what, when in owed() if ":" in what]
        assert len(after) == 3
        assert after == sorted(after)
        assert after[-1] == game.deadline - 2 * HOUR == before[-1] + 10 * DAY


def test_a_share_of_the_time_left_counts_no_days_off(alice: User, bob: User) -> None:
    friday, monday = START + 4 * DAY, START + 7 * DAY
    for user in (alice, bob):
        user.days_off = [5, 6]
        user.save()
        Preferences.objects.create(user=user, reminders=["50", "25"])
    with at(friday + 6 * HOUR):
        game = begun([alice, bob], pace="days", days=1)
    assert game.deadline == monday + 6 * HOUR
    assert [when for _name, what, when in owed() if ":" in what] == [monday - 6 * HOUR, monday]


def test_nobody_is_reminded_in_a_pause(alice: User, bob: User) -> None:
    game = table([alice, bob])
    with at(START + HOUR):
        pauses.ask(game, alice)
        pauses.ask(game, bob)
    with at(START + 3 * DAY):
        post()
    assert set(
        Notice.objects.filter(kind="reminder", closed_at__gte=START + DAY).values_list("outcome", flat=True)
    ) == {"outdated"}


def test_reminders_that_fall_due_in_a_pause_are_owed_again_unless_sent_before(
    alice: User, bob: User, smtp: MailServer
) -> None:
    game = table([alice, bob])
    [first, second, third] = [what for _name, what, _when in owed() if ":" in what]
    for begins, ends, left in ((1, 9, [first, second, third]), (10.5, 20, [second, third])):
        with at(START + begins * DAY):
            post()
            pauses.ask(game, alice)
            pauses.ask(game, bob)
        with at(START + ends * DAY):
            post()
            assert owed() == []
            user = acting(game).user
            assert user
            pauses.resume(game, user)
            game.refresh_from_db()
        assert [what for _name, what, _when in owed()] == left
        assert game.deadline is not None
        assert all(START + ends * DAY < when < game.deadline for _name, _what, when in owed())
    for _who, _what, when in owed():
        with at(when):
            post()
    assert Notice.objects.filter(kind="reminder", outcome="sent").count() == 3
    assert len(about_turns(smtp)) == 1 + 3


@pytest.mark.parametrize("half_done", [False, True])
def test_who_is_to_act_is_told_when_another_player_ends_a_pause(
    alice: User, bob: User, smtp: MailServer, half_done: bool
) -> None:
    game = table([alice, bob])
    user, other = (alice, bob) if acting(game).user == alice else (bob, alice)
    kind = "unfinished" if half_done else "turn"
    with at(START + DAY):
        post()
        if half_done:
            Game.objects.filter(pk=game.pk).update(number=F("number") + 1)
            game.refresh_from_db()
        pauses.ask(game, alice)
        pauses.ask(game, bob)
    for resumes, told in ((user, 0), (other, 1)):
        with at(START + 2 * DAY):
            pauses.resume(game, resumes)
            mine = Notice.objects.filter(recipient=user, kind=kind, closed_at=None)
            assert mine.count() == told
            game.refresh_from_db()
            assert notices.told_of_turn(game, acting(game)) == (told == 0)
            if not told:
                pauses.ask(game, alice)
                pauses.ask(game, bob)


def test_everybody_is_told_of_the_end(alice: User, bob: User) -> None:
    game = table([alice, bob])
    with at(START + HOUR):
        play.resign(game, alice)
    ends = Notice.objects.filter(kind="finished", closed_at=None).order_by("recipient")
    assert [(notice.recipient, notice.key, notice.due_at) for notice in ends] == [
        (user, f"finished:{game.pk}", START + HOUR) for user in (alice, bob)
    ]
    assert not Notice.objects.filter(kind__in=notices.OF_TURN, closed_at=None, recipient=alice).exists()


def test_bots_are_owed_nothing(alice: User) -> None:
    with at(START):
        begun([alice], bots=3)
    assert set(Notice.objects.values_list("recipient", flat=True)) <= {alice.pk}


def test_old_notices_are_forgotten_but_not_those_about_the_current_turn(alice: User, bob: User) -> None:
    with at(START):
        game = begun([alice, bob], pace="days", days=14)
        take_turn(game)
        while must_return(game):
            take_turn(game)
        Notice.objects.exclude(kind="turn").update(closed_at=now(), outcome="outdated")
        Notice.objects.filter(kind="turn", closed_at=None).update(closed_at=now(), outcome="sent")
        for notice in Notice.objects.filter(kind="turn"):
            notice.delivery_set.create(address="alice@example.org", sent_at=now())
    kept = {(notice.kind, notice.recipient) for notice in Notice.objects.all()}
    assert {("turn", alice), ("turn", bob), ("reminder", alice), ("reminder", bob)} <= kept
    seat = acting(game)
    with at(START + 8 * DAY):
        # The reminders about the turn before were never sent.
        assert notices.forget() == 3
    with at(START + 31 * DAY):
        assert notices.forget() == 1
    left = {(notice.kind, notice.recipient) for notice in Notice.objects.all()}
    assert left == {(kind, user) for kind, user in kept if kind == "started" or user == seat.user}
    Game.objects.update(status="finished", to_act=None, deadline=None, clock_started_at=None)
    with at(START + 31 * DAY):
        notices.forget()
    assert not Notice.objects.exists()


def test_a_purge_between_a_time_out_and_the_return_changes_nothing(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat = run_out(game, reminders=False)
    assert seat.user is not None
    assert seat.absent_since is not None
    about_it = Notice.objects.filter(recipient=seat.user, key__contains=f":{game.pk}:{game.number}")
    assert set(about_it.values_list("kind", "outcome")) == {("turn", "sent"), ("reminder", "outdated")}
    with at(seat.absent_since + 400 * DAY):
        notices.forget()
    assert set(about_it.values_list("kind", "outcome")) == {("turn", "sent"), ("reminder", "outdated")}
    with at(seat.absent_since + HOUR):
        timeouts.come_back(game, seat.user)
    assert set(about_it.values_list("kind", "outcome")) == {("turn", "sent"), ("reminder", "")}


def test_nobody_is_told_twice(alice: User) -> None:
    for _time in range(2):
        notices.owe(Notice.Kind.TEST, alice, key="test:1")
        notices.owe(Notice.Kind.INVITED, address="dora@example.org", key="invited:1")
    assert Notice.objects.count() == 2


def test_a_turn_of_a_caretaker_owes_no_notice(alice: User, bob: User) -> None:
    game = table([alice, bob])
    Notice.objects.all().delete()
    Seat.objects.filter(game=game).update(caretaker="greedy")
    with at(START + HOUR):
        take_turn(game)
    assert not Notice.objects.exists()
