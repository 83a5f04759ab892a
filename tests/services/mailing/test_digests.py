"""One mail a day says what many would have said. What can't wait is sent at once, and no clock runs out untold."""

from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game, Notice
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import digests
from games.services.outbox import preferences
from games.services.tables import invitations, tables
from games.services.versions import polls
from games.services.work import sweep
from tests.factories import DAY, HOUR, START, acting, at, begun, person, post, take_turn
from tests.mails.reading import headings, text
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
SIX = START.replace(hour=18, minute=0, second=0, microsecond=0)
"""The hour of the digests in these tests; START is before it on the same day."""


@pytest.fixture
def daily(alice: User, bob: User) -> User:
    preferences.change(alice, digest_hour=18)
    preferences.switch(bob, preferences.ALL, on=False)
    return alice


def waiting(user: User, number: int = 1) -> list[Game]:
    """Games in which it has just become the user's turn, whom nobody has told."""
    others = [person(f"other{place}") for place in range(number)]
    games = [begun([user, other], host_begins=True) for other in others]
    for other in others:
        preferences.switch(other, preferences.ALL, on=False)
    return games


def to(user: User, smtp: MailServer) -> list[EmailMessage]:
    return [message for message in smtp.messages if message["To"] == user.email]


def test_one_mail_says_what_ten_mails_said(daily: User, bob: User, smtp: MailServer) -> None:
    with at(START):
        games = waiting(daily, 8)
        table = tables.create(bob, tables.TableSpec("duel", 2, invited=[daily]))
        play.resign(games[0], User.objects.get(username="other0"))
    for instant in (START + HOUR, SIX - MINUTE):
        with at(instant):
            post()
    assert to(daily, smtp) == []
    with at(SIX):
        for _time in range(3):
            post()
    [mail] = to(daily, smtp)
    assert mail["Subject"].strip() == "Your games at Cabochon: Your turn at 7 tables · 2 other messages"
    assert len(headings(mail)) == 9
    for game in games[1:]:
        assert f"/table/{game.key}/" in text(mail)
    assert f"bob invites you to Splendor Duel · {table.called}" in headings(mail)
    told = Notice.objects.filter(recipient=daily).exclude(kind__in=("reminder", "digest"))
    assert set(told.exclude(outcome="outdated").values_list("outcome", flat=True)) == {"sent"}
    assert not told.filter(closed_at=None).exists()


def test_a_turn_that_is_over_is_not_told_and_an_empty_digest_is_not_sent(daily: User, smtp: MailServer) -> None:
    with at(START):
        first, second = waiting(daily, 2)
    with at(START + HOUR):
        post()
        take_turn(first)
        take_turn(second)
    with at(SIX):
        post()
    assert to(daily, smtp) == []
    assert Notice.objects.get(kind="digest").outcome == "outdated"


def test_each_letter_of_a_digest_is_composed_once(daily: User, smtp: MailServer) -> None:
    """A letter reads its position once."""
    with at(START):
        _first, over = waiting(daily, 2)
    with at(START + HOUR):
        post()
        take_turn(over)
    with at(SIX), CaptureQueriesContext(connection) as asked:
        post()
    assert len(to(daily, smtp)) == 1
    assert sum('FROM "games_position"' in query["sql"] for query in asked.captured_queries) == 1
    assert set(Notice.objects.filter(kind="turn", game=over, recipient=daily).values_list("outcome", flat=True)) == {
        "outdated"
    }


def test_a_turn_that_cannot_wait_is_mailed_at_once(daily: User, smtp: MailServer) -> None:
    """Its time would run out less than six hours after the digest."""
    with at(SIX + 10 * MINUTE):
        game = begun([daily, person("other")], host_begins=True, pace=Game.Pace.DAYS, days=1)
    with at(SIX + 20 * MINUTE):
        post()
    assert "Your turn" in to(daily, smtp)[0]["Subject"]
    assert game.is_active


def test_what_concerns_the_reader_alone_is_mailed_at_once(daily: User, smtp: MailServer) -> None:
    with at(START):
        [game] = waiting(daily)
        take_turn(game)
        take_turn(game)
    with at(acting(game).game.deadline or now()):
        Notice.objects.update(closed_at=now(), outcome="sent")
        sweep.sweep()
        post()
    assert [mail["Subject"].strip()[:19] for mail in to(daily, smtp)] == ["You ran out of time"]


def test_that_another_player_ran_out_of_time_waits(daily: User, smtp: MailServer) -> None:
    with at(START):
        [game] = waiting(daily)
        take_turn(game)
        # At another table the reader has the seat of that number.
        begun([person("host"), daily], pace="relaxed", host_begins=True)
    with at(acting(game).game.deadline or now()):
        Notice.objects.update(closed_at=now(), outcome="sent")
        sweep.sweep()
        post()
    notice = Notice.objects.get(recipient=daily, kind="absence")
    assert (notice.closed_at, notice.digest is None) == (None, False)
    assert to(daily, smtp) == []


def test_no_clock_runs_out_before_the_digest_that_tells_of_the_turn(daily: User, smtp: MailServer) -> None:
    with at(START):
        [game] = waiting(daily)
        take_turn(game)
        take_turn(game)
    with at(START + HOUR):
        post()
    deadline = acting(game).game.deadline
    assert deadline is not None
    Notice.objects.filter(kind="reminder").delete()
    with at(deadline):
        sweep.sweep()
        game.refresh_from_db()
        assert game.deadline is not None
        assert game.deadline > deadline
        post()
    assert len(to(daily, smtp)) == 1


@pytest.mark.parametrize("hour", [20, None])
def test_a_changed_wish_counts_for_what_waits(daily: User, smtp: MailServer, hour: int | None) -> None:
    with at(START):
        waiting(daily, 2)
    with at(START + HOUR):
        post()
        preferences.change(daily, digest_hour=hour)
        digests.rearrange(daily)
        post()
        assert len(to(daily, smtp)) == (2 if hour is None else 0)
    with at(SIX):
        post()
        assert len(to(daily, smtp)) == (2 if hour is None else 0)
    with at(SIX + 2 * HOUR):
        post()
        assert len(to(daily, smtp)) == (2 if hour is None else 1)


def test_a_turn_that_cannot_wait_for_the_new_hour_is_mailed_at_once(daily: User, smtp: MailServer) -> None:
    with at(START):
        game = waiting(daily)[0]
    with at(START + HOUR):
        post()
        assert to(daily, smtp) == []
        Game.objects.filter(pk=game.pk).update(deadline=SIX + HOUR)
        preferences.change(daily, digest_hour=20)
        digests.rearrange(daily)
        post()
        assert len(to(daily, smtp)) == 1


def test_saving_the_same_hour_shortly_before_the_digest_changes_nothing(daily: User, smtp: MailServer) -> None:
    with at(START):
        waiting(daily)
    with at(START + HOUR):
        post()
    with at(SIX - timedelta(minutes=1)):
        digests.rearrange(daily)
    with at(SIX):
        post()
    assert len(to(daily, smtp)) == 1


def test_a_wish_can_be_changed_back(daily: User, smtp: MailServer) -> None:
    with at(START):
        waiting(daily)
    with at(START + HOUR):
        post()
        for hour in (20, 18):
            preferences.change(daily, digest_hour=hour)
            digests.rearrange(daily)
    with at(SIX):
        post()
    assert len(to(daily, smtp)) == 1


def test_a_muted_game_is_not_told(daily: User, smtp: MailServer) -> None:
    with at(START):
        first, second = waiting(daily, 2)
    with at(START + HOUR):
        post()
    preferences.mute(first.seat_set.get(user=daily), on=True)
    with at(SIX):
        post()
    [mail] = to(daily, smtp)
    assert f"/table/{second.key}/" in text(mail)
    assert first.key not in text(mail)


def test_what_is_no_longer_true_does_not_count_as_sent(daily: User, bob: User, smtp: MailServer) -> None:
    with at(START):
        waiting(daily)
        game = tables.create(bob, tables.TableSpec("duel", 2, invited=[daily]))
    with at(START + HOUR):
        post()
        invitations.revoke(game, bob, daily.username)
    with at(SIX):
        post()
    [mail] = to(daily, smtp)
    assert game.key not in text(mail)
    outcomes = Notice.objects.filter(recipient=daily, kind__in=("invited", "turn")).values_list("kind", "outcome")
    assert set(outcomes) == {("invited", "outdated"), ("turn", "sent")}


def test_what_comes_shortly_before_a_digest_is_told_by_the_next(daily: User) -> None:
    """The clocks of two machines may differ by some minutes."""
    with at(SIX - 4 * MINUTE):
        assert digests.next_due(daily, 18) == SIX + DAY
    with at(SIX - 5 * MINUTE):
        assert digests.next_due(daily, 18) == SIX


def test_a_turn_that_its_player_is_looking_at_is_not_told(daily: User, smtp: MailServer) -> None:
    with at(START):
        first, second = waiting(daily, 2)
    with at(START + HOUR):
        post()
    with at(SIX):
        first.refresh_from_db()
        polls.remember_looking(first, first.to_act)
        post()
    [mail] = to(daily, smtp)
    assert f"/table/{second.key}/" in text(mail)
    assert first.key not in text(mail)
    assert Notice.objects.get(game=first, recipient=daily, kind="turn").outcome == "seen"


def test_a_notice_that_is_closed_meanwhile_stays_closed(daily: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with at(START):
        waiting(daily)
        notice = Notice.objects.select_related("recipient", "game").get(recipient=daily, kind="turn")
        find = digests.next_due

        def closed_meanwhile(user: User, hour: int) -> datetime:
            Notice.objects.filter(pk=notice.pk).update(closed_at=now(), outcome="outdated")
            return find(user, hour)

        monkeypatch.setattr(digests, "next_due", closed_meanwhile)
        before = notice.due_at
        digests.collect(notice)
        notice.refresh_from_db()
        assert (notice.digest, notice.due_at, notice.outcome) == (None, before, "outdated")
