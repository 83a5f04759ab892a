"""A mail server that accepts connections and never answers: all mails wait, one is tried from time to time, and all go
out when it answers again."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from types import FrameType

import pytest
from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded

from accounts.models import User
from games.models import Delivery, Notice, Outage
from games.services.mailing import deliveries, letters, outages
from games.services.outbox import notices
from games.services.tables import tables
from tests.factories import HOUR, START, at, person, post
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db
SECOND, PAUSE = timedelta(seconds=1), timedelta(minutes=1)
PEOPLE = 5


@pytest.fixture
def owed(db: None) -> list[Notice]:
    """One mail to each of several people, due at START."""
    with at(START):
        for number in range(PEOPLE):
            notices.owe(Notice.Kind.TEST, person(f"person{number}"), key="test:1")
    return list(Notice.objects.order_by("pk"))


def attempts() -> list[int]:
    return list(Delivery.objects.order_by("notice").values_list("attempts", flat=True))


def test_one_mail_tries_after_each_pause(
    owed: list[Notice], smtp: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    with smtp.silence():
        for pause in range(3):
            with at(START + pause * PAUSE):
                post()
                post()
            assert smtp.unanswered == pause + 1
            with at(START + (pause + 1) * PAUSE - SECOND):
                post()
            assert smtp.unanswered == pause + 1
    # A server that nobody can reach uses up no attempt of any mail.
    assert sum(attempts()) == 0
    outage = Outage.objects.get()
    assert (outage.since, outage.until) == (START, START + 3 * PAUSE)
    why = "Connection unexpectedly closed: timed out"
    assert caplog.messages == [f"The mail server fails ({why}). All mails wait, and one is tried every minute."]


def test_one_worker_may_try_after_a_pause() -> None:
    with at(START):
        outages.begin("timed out")
    outage = Outage.objects.get()
    for instant, expected in ((START + PAUSE - SECOND, [False, False]), (START + PAUSE, [True, False])):
        with at(instant):
            assert [outages.may_try(outage) for _worker in range(2)] == expected


def test_all_mails_go_out_when_the_server_answers_again(
    owed: list[Notice], smtp: MailServer, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
) -> None:
    with at(START), smtp.silence():
        post()
    sent: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, *_args, **_options: sent.append(name))
    with at(START + PAUSE):
        deliveries.deliver(owed[1].pk)
        assert not Outage.objects.exists()
        assert sent == ["games.tasks.dispatch"]
        post()
    assert sorted(message["To"] for message in smtp.messages) == [f"person{n}@example.org" for n in range(PEOPLE)]
    assert set(Notice.objects.values_list("outcome", flat=True)) == {"sent"}


def test_a_refusal_is_an_answer(owed: list[Notice], smtp: MailServer) -> None:
    with at(START), smtp.silence():
        post()
    smtp.refuse["person1@example.org"] = "451 greylisted, try again"
    with at(START + PAUSE):
        deliveries.deliver(owed[1].pk)
        assert not Outage.objects.exists()


def test_during_a_pause_no_mail_is_handed_to_the_workers(
    owed: list[Notice], smtp: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_options: sent.append((name, args)))
    with at(START), smtp.silence():
        post()
        deliveries.dispatch()
    with at(START + PAUSE - SECOND):
        deliveries.dispatch()
    assert sent == []
    with at(START + PAUSE):
        deliveries.dispatch()
    assert sent == [("games.tasks.deliver", [notice.pk for notice in owed])]


def test_only_one_of_several_workers_tries(
    owed: list[Notice], smtp: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second mail asks for permission just after the first has been allowed to try."""
    with at(START), smtp.silence():
        deliveries.deliver(owed[0].pk)
    compose = letters.compose

    def meanwhile(notice: Notice) -> object:
        monkeypatch.setattr(letters, "compose", compose)
        with at(START + PAUSE):
            deliveries.deliver(owed[2].pk)
        return compose(notice)

    monkeypatch.setattr(letters, "compose", meanwhile)
    with at(START + PAUSE), smtp.silence():
        deliveries.deliver(owed[1].pk)
        assert smtp.unanswered == 2
        assert list(Delivery.objects.order_by("notice").values_list("attempts", "claimed_until"))[1] == (0, None)
    with at(START + 2 * PAUSE):
        post()
    assert len(smtp.messages) == PEOPLE


def test_a_mail_that_needs_no_server_does_not_count_as_the_try(
    alice: User, bob: User, owed: list[Notice], smtp: MailServer
) -> None:
    with at(START - SECOND):
        game = tables.create(alice, tables.TableSpec("duel", 2, invited=[bob]))
        tables.cancel(game, alice)
    Notice.objects.filter(kind="invited").update(due_at=START - SECOND)
    with at(START), smtp.silence():
        deliveries.deliver(owed[0].pk)
    with at(START + PAUSE):
        post()
    assert Notice.objects.get(kind="invited").outcome == "outdated"
    assert len(smtp.messages) == PEOPLE


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """The soft time limit of a worker's task."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise SoftTimeLimitExceeded

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_server_slow_over_several_answers_counts_as_silent(owed: list[Notice], smtp: MailServer) -> None:
    smtp.silent = True
    with at(START), time_limit(0.5):
        deliveries.deliver(owed[0].pk)
    assert Outage.objects.exists()
    assert attempts() == [0]


@pytest.mark.parametrize("trouble", ["away", "silent", "refuses everything"])
def test_two_days_without_a_mail_server_lose_no_mail(
    owed: list[Notice], smtp: MailServer, caplog: pytest.LogCaptureFixture, settings, trouble: str
) -> None:
    """Each mail is sent once when the server is back, even those that were due at the beginning."""
    port = settings.EMAIL_PORT
    if trouble == "away":
        with socket.create_server(("127.0.0.1", 0)) as unused:
            settings.EMAIL_PORT = unused.getsockname()[1]
    if trouble == "refuses everything":
        smtp.refuse.update((f"person{number}@example.org", "421 try again later") for number in range(PEOPLE))
    with smtp.silence() if trouble == "silent" else nullcontext():
        for hour in range(48):
            with at(START + hour * HOUR):
                post()
    assert smtp.messages == []
    # The log tells of an outage once, and of each refusal.
    assert sum(text.startswith("The mail server fails") for text in caplog.messages) == (
        trouble != "refuses everything"
    )
    assert len(caplog.messages) == 1 or trouble == "refuses everything"
    settings.EMAIL_PORT = port
    smtp.refuse.clear()
    for hour in range(48, 72):
        with at(START + hour * HOUR):
            post()
            post()
    assert sorted(message["To"] for message in smtp.messages) == [f"person{n}@example.org" for n in range(PEOPLE)]
    assert set(Notice.objects.values_list("outcome", flat=True)) == {"sent"}
    assert not Outage.objects.exists()


def test_a_silent_mail_service_is_an_outage(owed: list[Notice], smtp: MailServer, settings) -> None:
    settings.EMAIL_BACKEND = "anymail.backends.postmark.EmailBackend"
    service = f"http://{smtp.hostname}:{smtp.port}/"
    settings.ANYMAIL = {"POSTMARK_SERVER_TOKEN": "-", "POSTMARK_API_URL": service, "REQUESTS_TIMEOUT": 0.2}
    smtp.silent = True
    with at(START):
        post()
    assert smtp.unanswered == 1
    assert Outage.objects.exists()
