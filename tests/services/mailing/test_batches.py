"""One connection carries the mails of a batch. What goes wrong with one of them does not harm the others."""

from datetime import timedelta

import pytest
from celery import current_app

from games.models import Delivery, Notice, Outage
from games.services.mailing import deliveries
from games.services.outbox import notices
from tests.factories import START, at, person
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db
PEOPLE = 5
EVERYBODY = [f"person{number}@example.org" for number in range(PEOPLE)]


@pytest.fixture
def owed(db: None) -> list[int]:
    """The ids of one notice to each of several people, due at START."""
    with at(START):
        for number in range(PEOPLE):
            notices.owe(Notice.Kind.TEST, person(f"person{number}"), key="test:1")
    return list(Notice.objects.order_by("pk").values_list("pk", flat=True))


def deliver(owed: list[int]) -> None:
    with at(START):
        deliveries.deliver(*owed)


def reached(smtp: MailServer) -> list[str]:
    return [str(message["To"]) for message in smtp.messages]


def tried() -> list[tuple[int, str]]:
    """The attempts and the result of each delivery."""
    return list(Delivery.objects.order_by("notice").values_list("attempts", "result"))


def test_one_connection_carries_a_batch(owed: list[int], smtp: MailServer) -> None:
    deliver(owed)
    deliver(owed)
    assert (reached(smtp), smtp.connections) == (EVERYBODY, 1)
    assert tried() == [(1, "")] * PEOPLE
    assert set(Notice.objects.values_list("outcome", flat=True)) == {"sent"}


def test_a_batch_without_mails_opens_no_connection(owed: list[int], smtp: MailServer) -> None:
    Notice.objects.update(closed_at=START, outcome="seen")
    deliver(owed)
    assert smtp.connections == 0


def test_a_refusal_harms_no_other_mail(owed: list[int], smtp: MailServer) -> None:
    smtp.refuse = {EVERYBODY[1]: "550 no such mailbox", EVERYBODY[3]: "451 greylisted, try again"}
    deliver(owed)
    assert reached(smtp) == EVERYBODY[::2]
    assert tried() == [(1, ""), (1, "550 no such mailbox"), (1, ""), (1, "451 greylisted, try again"), (1, "")]
    outcomes = list(Notice.objects.order_by("pk").values_list("outcome", flat=True))
    assert outcomes == ["sent", "failed", "sent", "", "sent"]


def test_a_connection_that_the_server_closes_between_mails_costs_no_attempt(
    owed: list[int], smtp: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    smtp.is_terse = True
    deliver(owed)
    assert (reached(smtp), smtp.connections) == (EVERYBODY, PEOPLE)
    assert tried() == [(1, "")] * PEOPLE
    assert caplog.messages == []


def test_a_connection_that_breaks_costs_the_mail_at_hand_an_attempt(owed: list[int], smtp: MailServer) -> None:
    smtp.hangs_up_on = {EVERYBODY[2]}
    deliver(owed)
    assert (reached(smtp), smtp.connections) == ([*EVERYBODY[:2], *EVERYBODY[3:]], 2)
    assert tried() == [(1, ""), (1, ""), (1, "Connection unexpectedly closed"), (1, ""), (1, "")]
    assert not Outage.objects.exists()
    smtp.hangs_up_on.clear()
    with at(START + deliveries.RETRY_PAUSES[0]):
        deliveries.deliver(*owed)
    assert reached(smtp)[-1] == EVERYBODY[2]


def test_a_server_that_stops_answering_between_mails_pauses_the_others(
    owed: list[int], smtp: MailServer, settings
) -> None:
    smtp.is_tired, settings.EMAIL_TIMEOUT = True, 2
    deliver(owed)
    assert (reached(smtp), smtp.connections) == (EVERYBODY[:1], 1)
    assert tried() == [(1, ""), (0, "")]
    assert Outage.objects.get().until > START


def test_a_server_that_stops_answering_within_a_mail_pauses_the_others(
    owed: list[int], smtp: MailServer, settings
) -> None:
    smtp.hang, settings.EMAIL_TIMEOUT = 10, 2
    deliver(owed)
    assert smtp.connections == 1
    assert [attempts for attempts, _result in tried()] == [1]
    assert Outage.objects.get().until > START


def test_a_damaged_notice_stops_no_other_mail(owed: list[int], smtp: MailServer) -> None:
    Notice.objects.filter(pk=owed[1]).update(kind="damaged")
    with pytest.raises(ValueError, match="damaged"):
        deliver(owed)
    assert reached(smtp) == [EVERYBODY[0], *EVERYBODY[2:]]


def test_a_slow_batch_leaves_its_other_mails_to_the_next(
    owed: list[int], smtp: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "BATCH_TIME", timedelta(0))
    for number in range(PEOPLE):
        deliver(owed[number:])
        assert reached(smtp) == EVERYBODY[: number + 1]


def test_due_notices_are_handed_out_in_batches(owed: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[list[int]] = []
    monkeypatch.setattr(current_app, "send_task", lambda _name, batch, expires: sent.append(batch))
    monkeypatch.setattr(deliveries, "MAX_MAILS_IN_A_BATCH", 2)
    with at(START):
        deliveries.dispatch()
    assert sent == [owed[:2], owed[2:4], owed[4:]]
