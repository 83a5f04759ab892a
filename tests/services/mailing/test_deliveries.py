"""Owed mails reach a real mail server once, unless they are outdated; failures are retried, and then reported."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from celery import current_app
from django.db import connection

from accounts.models import User
from games.models import Delivery, Game, NeverAgain, Notice, Preferences, Seat
from games.services.clocks.moment import now
from games.services.mailing import deliveries, letters
from games.services.outbox import notices
from games.services.versions import polls
from games.services.work import sweep
from tests.factories import HOUR, START, acting, at, begun, post, take_turn
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def outcomes() -> list[tuple[str, str]]:
    return list(Notice.objects.exclude(closed_at=None).order_by("closed_at", "pk").values_list("kind", "outcome"))


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    with at(START):
        game = begun([alice, bob])
    Notice.objects.filter(kind="started").delete()
    return game


def test_a_turn_is_mailed_once(game: Game, smtp: MailServer) -> None:
    seat = acting(game)
    assert seat.user is not None
    with at(START + 2 * MINUTE):
        post()
        assert smtp.messages == []
    with at(START + 3 * MINUTE):
        for _time in range(3):
            post()
    [message] = smtp.messages
    assert message["To"] == seat.user.email
    assert outcomes() == [("turn", "sent")]
    delivery = Delivery.objects.get()
    assert (delivery.attempts, delivery.address, delivery.result) == (1, seat.user.email, "")
    assert delivery.sent_at == START + 3 * MINUTE


def test_a_mail_that_another_worker_has_just_sent_is_not_sent_again(game: Game, smtp: MailServer) -> None:
    """This worker read the notice before the other one closed it."""
    turn = Notice.objects.get(kind="turn")
    Delivery.objects.create(notice=turn, address="alice@example.org", attempts=1, sent_at=START)
    with at(START + 3 * MINUTE):
        deliveries.deliver(turn.pk)
    assert smtp.messages == []


def test_outdated_mails_are_not_sent(game: Game, smtp: MailServer) -> None:
    turn = Notice.objects.get(kind="turn")
    with at(START + 3 * MINUTE):
        take_turn(game)
        Notice.objects.filter(pk=turn.pk).update(closed_at=None, outcome="")
        deliveries.deliver(turn.pk)
        turn.refresh_from_db()
    assert (smtp.messages, turn.outcome) == ([], "outdated")


def test_a_player_looking_at_the_position_gets_no_mail(game: Game, smtp: MailServer) -> None:
    with at(START + 2 * MINUTE):
        polls.remember_looking(game, game.to_act)
        post()
    with at(START + 3 * MINUTE):
        post()
    assert (smtp.messages, outcomes()) == ([], [("turn", "seen")])
    # A reminder still comes.
    with at(START + 70 * HOUR):
        polls.remember_looking(game, game.to_act)
        post()
    assert [kind for kind, _outcome in outcomes()] == ["turn", *["reminder"] * 3]
    assert len(smtp.messages) == 3


def test_a_player_who_looked_too_long_ago_or_wants_every_mail_gets_it(game: Game, smtp: MailServer) -> None:
    with at(START):
        polls.remember_looking(game, game.to_act)
        user = acting(game).user
        assert user is not None
        Preferences.objects.create(user=user, always=True)
    with at(START + 3 * MINUTE):
        polls.remember_looking(game, game.to_act)
        post()
    assert outcomes() == [("turn", "sent")]


def test_a_player_looking_at_another_position_gets_the_mail(game: Game, smtp: MailServer) -> None:
    with at(START + 3 * MINUTE):
        polls.remember_looking(Game(key=game.key, number=7), game.to_act)
        post()
    assert outcomes() == [("turn", "sent")]


@pytest.mark.parametrize("wish", ["turn", "all", "muted", "gone"])
def test_unwanted_mails_are_not_sent(game: Game, smtp: MailServer, wish: str) -> None:
    user = acting(game).user
    assert user is not None
    if wish in ("turn", "all"):
        Preferences.objects.create(user=user, off=[wish])
    elif wish == "muted":
        Seat.objects.filter(game=game, user=user).update(muted=True)
    else:
        User.objects.filter(pk=user.pk).update(is_active=False)
    with at(START + 3 * MINUTE):
        post()
    assert (smtp.messages, outcomes()) == ([], [("turn", "unwanted")])


def test_opted_out_addresses_get_no_mail(smtp: MailServer, db: None) -> None:
    NeverAgain.objects.create(address="dora@example.org", at=now())
    notices.owe(Notice.Kind.INVITED, address="dora@example.org", key="invited:1")
    post()
    assert (smtp.messages, outcomes()) == ([], [("invited", "unwanted")])


def test_a_temporary_refusal_is_retried_later(game: Game, smtp: MailServer) -> None:
    user = acting(game).user
    assert user is not None
    smtp.refuse[user.email] = "451 greylisted, try again" + 300 * "."
    with at(START + 3 * MINUTE):
        post()
        post()
    delivery = Delivery.objects.get()
    assert (delivery.attempts, delivery.result) == (1, ("451 greylisted, try again" + 300 * ".")[:300])
    assert delivery.claimed_until == START + 4 * MINUTE
    with at(START + 5 * MINUTE):
        post()
    assert Delivery.objects.get().claimed_until == START + 10 * MINUTE
    del smtp.refuse[user.email]
    with at(START + 11 * MINUTE):
        post()
    assert outcomes() == [("turn", "sent")]
    assert Delivery.objects.get().result == ""
    assert Preferences.of(user).trouble == ""


def test_the_next_attempt_goes_to_the_recipients_new_address(game: Game, smtp: MailServer) -> None:
    user = acting(game).user
    assert user is not None
    smtp.refuse[user.email] = "451 greylisted, try again"
    with at(START + 3 * MINUTE):
        post()
    User.objects.filter(pk=user.pk).update(email="new@example.org")
    with at(START + 4 * MINUTE):
        post()
    assert [message["To"] for message in smtp.messages] == ["new@example.org"]
    assert Delivery.objects.get().address == "new@example.org"


def test_notices_sent_before_they_expired_stay_sent(alice: User) -> None:
    key = {"kind": "account", "created_at": START, "due_at": START, "expires_at": START + HOUR}
    Notice.objects.create(recipient=alice, key="code:1", closed_at=START, outcome="sent", **key)
    Notice.objects.create(recipient=alice, key="code:2", facts={"text": "a code"}, **key)
    with at(START + HOUR):
        deliveries.dispatch()
    closed = Notice.objects.order_by("key").values_list("closed_at", "outcome", "facts")
    assert list(closed) == [(START, "sent", {}), (START + HOUR, "outdated", {})]


def test_the_recipient_is_told_of_a_final_refusal(game: Game, smtp: MailServer) -> None:
    user = acting(game).user
    assert user is not None
    smtp.refuse[user.email] = "550 no such mailbox"
    with at(START + 3 * MINUTE):
        post()
    assert outcomes() == [("turn", "failed")]
    assert Delivery.objects.get().result == "550 no such mailbox"
    assert Preferences.of(user).trouble == "550 no such mailbox"
    # The next mail that arrives ends the trouble.
    smtp.refuse.clear()
    notices.owe(Notice.Kind.TEST, user, key="test:1")
    post()
    assert Preferences.of(user).trouble == ""


def test_a_mail_fails_for_good_after_all_attempts(game: Game, smtp: MailServer) -> None:
    instant = START + 3 * MINUTE
    Notice.objects.exclude(kind="turn").delete()
    smtp.refuse[Notice.objects.get().to] = "452 mailbox full"
    waits = []
    for attempt in range(1, 11):
        with at(instant):
            post()
        assert Preferences.objects.exclude(trouble="").exists() == (attempt >= 3)
        later = Delivery.objects.get().claimed_until
        if later:
            waits.append((later - instant) / MINUTE)
            instant = later
    assert waits == [1, 5, 15, 60, 180, 360, 720, 1440, 1440]
    assert outcomes() == [("turn", "failed")]
    assert Delivery.objects.get().attempts == 10
    assert Preferences.objects.get().trouble


@pytest.mark.parametrize(
    ("to_whom", "to_the_mail", "for_good"),
    [
        ("452 mailbox full", "", False),
        ("500 never heard of it", "", True),
        ("", "451 later", False),
        ("", "549 not my day", False),
        ("", "550 spam", True),
        ("", "559 spam", True),
        ("", "560 no such charset", False),
    ],
)
def test_only_final_errors_end_a_mail(
    game: Game, smtp: MailServer, caplog: pytest.LogCaptureFixture, to_whom: str, to_the_mail: str, for_good: bool
) -> None:
    """An error is final if the server refuses the recipient, or the mail itself."""
    user = acting(game).user
    assert user is not None
    if to_whom:
        smtp.refuse[user.email] = to_whom
    smtp.verdict = to_the_mail or "250 OK"
    with at(START + 3 * MINUTE):
        post()
    assert outcomes() == ([("turn", "failed")] if for_good else [])
    assert Delivery.objects.get().result == to_whom + to_the_mail
    assert "was not sent: SMTP" in caplog.text
    assert "Traceback" not in caplog.text


def test_a_refused_sender_is_not_the_recipients_fault(game: Game, smtp: MailServer) -> None:
    smtp.refuse_sender = "550 no such sender"
    with at(START + 3 * MINUTE):
        post()
    assert outcomes() == []
    assert not Preferences.objects.filter(trouble__gt="").exists()
    smtp.refuse_sender = ""
    with at(START + 10 * MINUTE):
        post()
    assert outcomes() == [("turn", "sent")]


class Killed(BaseException):
    """Stands for the death of a worker, whose claim has expired or still holds."""


def die(*_: object) -> None:
    raise Killed


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("other", ["has done it", "is at it"])
@pytest.mark.parametrize("before", ["new", "tried before"])
def test_two_workers_send_one_mail(
    game: Game, smtp: MailServer, monkeypatch: pytest.MonkeyPatch, other: str, before: str
) -> None:
    """The other worker acts at every possible place: before each query and each transaction."""
    turn, user = Notice.objects.get(kind="turn"), acting(game).user
    assert user is not None
    claimed = 0

    def come() -> None:
        nonlocal claimed
        with monkeypatch.context() as patch:
            if other == "is at it":
                patch.setattr(letters, "compose", die)
            try:
                deliveries.deliver(turn.pk)
            except Killed:
                claimed += 1

    for place in count():
        Notice.objects.filter(pk=turn.pk).update(closed_at=None, outcome="")
        Delivery.objects.all().delete()
        smtp.messages.clear()
        claimed = 0
        if before == "tried before":
            smtp.refuse[user.email] = "451 greylisted, try again"
            with at(START + 3 * MINUTE):
                deliveries.deliver(turn.pk)
            smtp.refuse.clear()
        with at(START + 5 * MINUTE):
            came = _with_another_at(place, turn, come)
        assert len(smtp.messages) + claimed == 1, place
        if not came:
            return


def _with_another_at(place: int, notice: Notice, come: Callable[[], None]) -> bool:
    """Deliver the notice, with another worker acting just before the query with that number; return whether there was
    such a query."""
    asked = count()

    def ask(execute: Any, *question: Any) -> Any:
        # No other worker can act in the middle of a transaction.
        if not connection.in_atomic_block and next(asked) == place:
            come()
        return execute(*question)

    with connection.execute_wrapper(ask):
        deliveries.deliver(notice.pk)
    return next(asked) > place


def test_a_worker_that_dies_leaves_the_mail_to_another(
    game: Game, smtp: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = Notice.objects.get(kind="turn")
    with monkeypatch.context() as patch, at(START + 3 * MINUTE):
        patch.setattr(letters, "compose", die)
        with pytest.raises(Killed):
            deliveries.deliver(turn.pk)
        patch.undo()
    with at(START + 8 * MINUTE - timedelta(seconds=1)):
        post()
        assert smtp.messages == []
    with at(START + 8 * MINUTE):
        post()
    assert len(smtp.messages) == 1


def test_an_error_of_the_site_keeps_the_notice_owed(
    game: Game, smtp: MailServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_notice: Notice) -> None:
        raise ZeroDivisionError

    turn = Notice.objects.get(kind="turn")
    with monkeypatch.context() as patch, at(START + 3 * MINUTE):
        patch.setattr(letters, "compose", fail)
        deliveries.deliver(turn.pk)
    assert Delivery.objects.get().result == "ZeroDivisionError"
    assert "was not sent: ZeroDivisionError" in caplog.text
    assert "Traceback" in caplog.text
    with at(START + 4 * MINUTE):
        post()
    assert outcomes() == [("turn", "sent")]


def test_a_refused_login_is_not_the_recipients_fault(game: Game, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with MailServer(login=("site", "right")) as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.hostname, server.port
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "site", "wrong"
        with at(START + 3 * MINUTE):
            post()
    assert Notice.objects.get(kind="turn").closed_at is None
    assert not Preferences.objects.exclude(trouble="").exists()


def test_the_sweep_limits_the_mails_handed_to_workers_at_once(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest notices come first; the next sweep follows a minute later."""
    sent: list[int] = []

    def send(name: str, arguments: list[int], expires: float) -> None:
        assert (name, expires) == ("games.tasks.deliver", 60)
        sent.extend(arguments)

    monkeypatch.setattr(current_app, "send_task", send)
    owed = [
        Notice(recipient=alice, kind="test", key=f"test:{number}", created_at=START, due_at=START - number * MINUTE)
        for number in range(201)
    ]
    Notice.objects.bulk_create(owed)
    with at(START):
        deliveries.dispatch()
    assert sent == [notice.pk for notice in reversed(owed[1:])]


def test_the_sweep_hands_due_notices_to_the_workers(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args=(), **_: sent.append((name, list(args))))
    with at(START + 3 * MINUTE):
        sweep.sweep()
    turn = Notice.objects.get(kind="turn")
    assert sent == [("games.tasks.deliver", [turn.pk])]


def test_a_delivery_that_another_worker_tried_meanwhile_is_not_claimed(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = Notice.objects.filter(kind="turn").select_related("recipient").first()
    assert notice is not None
    read = Delivery.objects.create(notice=notice, address="x@example.net", attempts=1)
    Delivery.objects.update(attempts=2)
    monkeypatch.setattr(Delivery.objects, "get_or_create", lambda **_fields: (read, False))
    assert deliveries._claim(notice) is None
