"""Players who run out of time."""

from datetime import datetime

import pytest
from django.db.models import F

from accounts.models import User
from games.models import Delivery, Game, Move, Notice, Seat
from games.services import play
from games.services.absence import pauses, timeouts
from games.services.clocks.moment import now
from games.services.mailing import letters
from games.services.play import ends
from games.services.work import sweep, thinking
from tests.factories import DAY, HOUR, START, acting, at, begun, kinds, person, run_out, table, take_turn, told_all

pytestmark = pytest.mark.django_db
MINUTE = HOUR / 60


@pytest.fixture
def clara(db: None) -> User:
    return person("clara")


def recipients(kind: str) -> list[str]:
    return sorted(notice.recipient.username for notice in Notice.objects.filter(kind=kind) if notice.recipient)


def test_a_bot_takes_over_and_everybody_is_told(alice: User, bob: User, clara: User) -> None:
    game = table([alice, bob, clara])
    version = game.version
    seat = run_out(game)
    assert (seat.caretaker, seat.absent, seat.bank) == ("greedy", False, 0 * DAY)
    assert seat.absent_since is not None
    assert (game.status, game.to_act, game.deadline, game.clock_started_at) == ("active", seat.index, None, None)
    assert game.version > version
    assert kinds(game)[-1] == "timed_out"
    assert recipients("absence") == ["alice", "bob", "clara"]
    with at(seat.absent_since):
        sweep.sweep()
        sweep.sweep()
    assert kinds(game).count("timed_out") == 1
    assert Notice.objects.filter(kind="absence").count() == 3
    with at(seat.absent_since):
        thinking.think(game.pk)
    assert game.move_set.order_by("number").last().actor == Move.ActorKind.CARETAKER  # type: ignore[union-attr]


def test_a_late_move_before_the_sweep_counts(alice: User, bob: User) -> None:
    game = table([alice, bob])
    assert game.deadline is not None
    with at(game.deadline + HOUR):
        seat = take_turn(game)
        sweep.sweep()
    seat.refresh_from_db()
    assert (seat.caretaker, seat.bank) == ("", 12 * HOUR)


def test_a_player_back_in_time_plays_as_before(alice: User, bob: User, clara: User) -> None:
    game = table([alice, bob, clara])
    seat = run_out(game)
    assert seat.absent_since is not None
    assert seat.user is not None
    with at(seat.absent_since + 47 * HOUR):
        timeouts.come_back(game, seat.user)
        timeouts.come_back(game, seat.user)
        seat.refresh_from_db()
        game.refresh_from_db()
        assert (seat.caretaker, seat.absent, seat.bank) == ("", False, 12 * HOUR)
        assert seat.absent_since is None
        assert game.deadline == now() + 12 * HOUR
        sweep.sweep()
        with pytest.raises(play.NotYours):
            play.submit(game, play.BOT, game.number, ["pass"])
    assert kinds(game)[-2:] == ["timed_out", "came_back"]


@pytest.mark.parametrize("mine", [True, False])
def test_a_returning_player_ends_the_claim_of_their_own_bot_only(alice: User, bob: User, mine: bool) -> None:
    game = table([alice, bob], bots=1)
    while acting(game).acting_bot:
        take_turn(game)
    seat = run_out(game)
    assert seat.absent_since is not None
    assert seat.user is not None
    claim = seat.absent_since + MINUTE
    with at(seat.absent_since):
        while not acting(game).bot and not mine:
            take_turn(game)
        Game.objects.update(bot_claimed_until=claim)
        timeouts.come_back(game, seat.user)
    assert Game.objects.get().bot_claimed_until == (None if mine else claim)


def test_a_player_away_too_long_is_out_but_can_play_on(alice: User, bob: User, clara: User) -> None:
    game = table([alice, bob, clara])
    seat = run_out(game)
    assert seat.absent_since is not None
    assert seat.user is not None
    with at(seat.absent_since + 48 * HOUR):
        sweep.sweep()
        sweep.sweep()
        seat.refresh_from_db()
        assert seat.absent
        assert kinds(game).count("absent") == 1
        timeouts.come_back(game, seat.user)
        seat.refresh_from_db()
        assert (seat.caretaker, seat.absent) == ("", True)


def test_a_player_who_is_out_stays_out_when_their_time_runs_out_again(alice: User, bob: User, clara: User) -> None:
    game = table([alice, bob, clara])
    seat = run_out(game)
    assert seat.absent_since
    assert seat.user
    with at(seat.absent_since + 48 * HOUR):
        sweep.sweep()
        timeouts.come_back(game, seat.user)
        while acting(game).pk != seat.pk:
            take_turn(game)
    again = run_out(game)
    assert (again.pk, again.absent) == (seat.pk, True)
    absence = Notice.objects.filter(kind="absence", recipient=seat.user).latest("pk")
    letter = letters.write(absence)
    assert letter
    assert "can still win" not in str(letter.body)
    assert again.absent_since
    with at(again.absent_since + HOUR):
        timeouts.come_back(game, seat.user)
    seat.refresh_from_db()
    assert seat.absent


def test_decisions_at_other_tables_end_no_absence(alice: User, bob: User) -> None:
    game, other = table([alice, bob]), table([alice, bob])
    seat = run_out(game)
    assert seat.absent_since is not None
    with at(seat.absent_since + HOUR):
        for _decision in range(2 * timeouts.MAX_CARETAKER_DECISIONS):
            take_turn(other)
        sweep.tend(game.pk)
    seat.refresh_from_db()
    assert not seat.absent


def test_each_absence_has_its_own_grace(alice: User, bob: User) -> None:
    """A bot makes three decisions, the player returns, then a bot makes three more."""
    game = table([alice, bob])
    for _time in range(2):
        seat = run_out(game)
        assert seat.absent_since is not None
        assert seat.user is not None
        with at(seat.absent_since + HOUR):
            for _decision in range(3):
                while acting(game).pk != seat.pk:
                    take_turn(game)
                thinking.think(game.pk)
            sweep.tend(game.pk)
            timeouts.come_back(game, seat.user)
            while acting(game).pk != seat.pk:
                take_turn(game)
        seat.refresh_from_db()
        assert not seat.absent


def test_the_bots_fourth_decision_ends_the_grace_and_a_game_of_two(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat = run_out(game)
    assert seat.absent_since is not None
    with at(seat.absent_since + HOUR):
        while Move.objects.filter(game=game, actor="caretaker").count() < 4:
            seat.refresh_from_db()
            assert not seat.absent
            if acting(game).pk == seat.pk:
                thinking.think(game.pk)
            else:
                take_turn(game)
            sweep.tend(game.pk)
    game.refresh_from_db()
    other = Seat.objects.exclude(pk=seat.pk).get(game=game)
    assert (game.status, game.ending, other.won) == ("finished", "absence", True)
    assert recipients("finished") == ["alice", "bob"]


def test_the_last_absent_person_leaves_the_win_to_the_best_bot(alice: User) -> None:
    with at(START):
        game = begun([alice], bots=2)
        while not Move.objects.filter(game=game, actor="user") or acting(game).user != alice:
            take_turn(game)
    seat = run_out(game)
    assert seat.absent_since is not None
    with at(seat.absent_since + 2 * DAY):
        sweep.sweep()
    game.refresh_from_db()
    assert (game.status, game.ending) == ("finished", "absence")
    assert not Seat.objects.filter(game=game, user=alice, won=True).exists()
    assert Seat.objects.filter(game=game, won=True).exists()


@pytest.mark.parametrize("seats", [2, 3])
def test_at_zero_a_player_can_forfeit(alice: User, bob: User, clara: User, seats: int) -> None:
    game = table([alice, bob, clara][:seats])
    Game.objects.update(at_zero="forfeit")
    seat = run_out(game)
    assert seat.absent
    assert game.status == ("finished" if seats == 2 else "active")
    assert recipients("absence") == ["alice", "bob", "clara"][:seats]
    if seats == 3:
        assert (seat.caretaker, game.deadline) == ("greedy", None)


def test_at_zero_the_others_can_wait(alice: User, bob: User) -> None:
    game = table([alice, bob])
    Game.objects.update(at_zero="wait")
    seat = run_out(game)
    assert (seat.caretaker, seat.bank, game.deadline, game.to_act) == ("", 0 * DAY, None, seat.index)
    assert kinds(game)[-1] == "overtime"
    with at(START + 20 * DAY):
        sweep.sweep()
        assert kinds(game).count("overtime") == 1
        take_turn(game)
        seat.refresh_from_db()
    assert seat.bank == 12 * HOUR


def test_everybody_is_told_each_time_that_a_clock_stands_at_zero(alice: User, bob: User) -> None:
    game = table([alice, bob])
    Game.objects.update(at_zero="wait")
    for times in (1, 2):
        seat = run_out(game)
        for user in (alice, bob):
            assert Notice.objects.filter(game=game, kind="absence", recipient=user).count() == times
        [other] = {alice, bob} - {seat.user}
        pauses.more_time(game, other)
        game.refresh_from_db()


def test_a_game_in_which_a_player_never_moved_is_dealt_again(alice: User, bob: User, clara: User) -> None:
    with at(START):
        game = begun([alice, bob, clara])
        take_turn(game)
    seat = run_out(game)
    assert (game.status, game.ending, game.to_act, game.deadline) == ("cancelled", "abandoned", None, None)
    assert kinds(game)[-1] == "abandoned"
    again = Game.objects.get(follows=game)
    assert (again.status, again.title, again.seats, again.pace) == ("open", "splendor", 3, "normal")
    assert again.commitment != game.commitment
    there = {other.user for other in again.seat_set.all()}
    assert there == {alice, bob, clara} - {seat.user}
    assert seat.user in again.invited.all()
    assert recipients("absence") == ["alice", "bob", "clara"]


def test_no_clock_runs_out_before_its_player_is_told(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat, deadline = acting(game), game.deadline
    assert deadline is not None
    with at(deadline):
        timeouts.time_out(game)
        game.refresh_from_db()
        assert game.deadline == deadline + 15 * MINUTE
        told_all()
    with at(deadline + 15 * MINUTE):
        timeouts.time_out(game)
    seat.refresh_from_db()
    assert seat.caretaker == "greedy"


def test_the_sweep_reads_a_moved_deadline_again(alice: User, bob: User) -> None:
    game = table([alice, bob])
    true = game.deadline
    Game.objects.update(deadline=START + HOUR)
    game.refresh_from_db()
    with at(START + HOUR):
        told_all()
        sweep.sweep()
    game.refresh_from_db()
    assert game.deadline == true


def test_the_result_counts_absent_players_as_out(alice: User, bob: User, clara: User) -> None:
    game = table([alice, bob, clara])
    Seat.objects.filter(game=game).update(absent=False)
    seat = run_out(game)
    instant: datetime | None = seat.absent_since
    assert instant is not None
    assert ends.seats_out(game) == [seat.index]


def test_a_returned_player_is_told_and_reminded_again(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat = run_out(game)
    assert seat.absent_since is not None
    assert seat.user is not None
    with at(seat.absent_since + HOUR):
        timeouts.come_back(game, seat.user)
        game.refresh_from_db()
    assert game.deadline is not None
    open_ = Notice.objects.filter(recipient=seat.user, closed_at=None, kind="reminder")
    assert [notice.due_at for notice in open_.order_by("due_at")] == []
    assert run_out(game).caretaker == "greedy"
    thinking.think(game.pk)
    with at(seat.absent_since + 14 * HOUR):
        # A bot has decided in the meantime, so this is another turn.
        while acting(game).pk != seat.pk:
            take_turn(game)
        timeouts.come_back(game, seat.user)
    owed = Notice.objects.filter(recipient=seat.user, closed_at=None).exclude(kind="absence").order_by("due_at")
    assert [notice.kind for notice in owed] == ["turn", "reminder", "reminder", "reminder"]


def test_unsent_reminders_are_owed_again_after_a_return(alice: User, bob: User) -> None:
    """Mails were not sent while the clock ran: the player was told of the turn, but got no reminders."""
    game = table([alice, bob])
    seat = run_out(game, reminders=False)
    assert seat.user is not None
    reminders = Notice.objects.filter(recipient=seat.user, kind="reminder")
    assert set(reminders.values_list("outcome", flat=True)) == {"outdated"}
    assert seat.absent_since is not None
    back = seat.absent_since + HOUR
    with at(back):
        timeouts.come_back(game, seat.user)
        game.refresh_from_db()
    assert game.deadline is not None
    whole = game.deadline - back
    dues = [back + whole / 2, back + whole * 3 / 4, game.deadline - 2 * HOUR]
    assert list(reminders.filter(closed_at=None).order_by("due_at").values_list("due_at", flat=True)) == dues


def test_a_reminder_that_may_have_been_sent_is_not_owed_again(alice: User, bob: User) -> None:
    game = table([alice, bob])
    seat = run_out(game, reminders=False)
    assert seat.user is not None
    assert seat.absent_since is not None
    tried = Notice.objects.filter(recipient=seat.user, kind="reminder").latest("due_at")
    Delivery.objects.create(notice=tried, address="x@example.net", attempts=1)
    with at(seat.absent_since + HOUR):
        timeouts.come_back(game, seat.user)
    owed = Notice.objects.filter(recipient=seat.user, kind="reminder", closed_at=None)
    assert owed.count() == 2
    assert tried not in owed


def test_a_game_that_was_read_earlier_is_read_again(alice: User, bob: User) -> None:
    game = table([alice, bob])
    assert game.deadline is not None
    Game.objects.update(deadline=F("deadline") - HOUR, clock_started_at=F("clock_started_at") - HOUR)
    with at(game.deadline - HOUR):
        told_all()
        timeouts.time_out(game)
    assert "timed_out" in kinds(game)
