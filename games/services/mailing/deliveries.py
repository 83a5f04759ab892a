"""Delivers notices: hands them to workers, sends each once, retries while a mail server refuses, or closes them with a
reason."""

import logging
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException, SMTPSenderRefused

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend
from django.db import transaction
from django.db.models import F, Q
from kombu.exceptions import OperationalError

from accounts.models import User
from games.models import Delivery, Notice
from games.services.clocks.moment import now
from games.services.mailing import bounces, digests, letters, outages, wanted
from games.services.outbox import notices

log = logging.getLogger(__name__)

Kind, Outcome = Notice.Kind, Notice.Outcome
SENDING_SECONDS = 30
"""Seconds that a mail server may take for a whole mail; EMAIL_TIMEOUT is the limit for each answer."""
MAX_MAILS_IN_A_BATCH = 20
"""The maximum number of mails that one task sends over one connection; hardly any mail server allows fewer."""
BATCH_TIME = timedelta(seconds=10)
"""How long a batch goes on to the next mail. The sweep hands out the rest again."""
DELIVERY_LEASE = timedelta(minutes=5)
"""How long a claim on a delivery holds; longer than a mail may take."""
RETRY_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440))
"""The waits after failed attempts, almost three days. If the attempt after the last wait fails too, the notice is
closed and its recipient sees a banner. A notice that expires is tried every minute until then."""
OK = 250
"""The answer of an SMTP server that has nothing to object."""
ALARMING_ATTEMPTS = 3
"""The number of failed attempts after which the recipient sees a banner."""
MAX_NOTICES_AT_ONCE = 200
"""The maximum number of notices handed to the workers at once."""


class Unreachable(Exception):
    """Nobody can connect to the mail server and log in, which says nothing about any mail. The text says why."""


def dispatch() -> None:
    """Close expired notices, and hand due ones to the workers unless the mail server does not answer."""
    expired = Notice.objects.filter(closed_at=None, expires_at__lte=now())
    expired.update(closed_at=now(), outcome=Outcome.OUTDATED, facts={})
    if outages.waiting(outages.current()):
        return
    due = list(Notice.objects.due(now()).values_list("pk", flat=True)[:MAX_NOTICES_AT_ONCE])
    for first in range(0, len(due), MAX_MAILS_IN_A_BATCH):
        batch = due[first : first + MAX_MAILS_IN_A_BATCH]
        try:
            current_app.send_task("games.tasks.deliver", batch, expires=notices.REQUEST_SECONDS)
        except OperationalError:
            log.warning("No broker: mails wait for the next sweep.")
            return


def deliver(*notice_ids: int) -> None:
    """Send these notices over one connection, each as `_deliver` does. An error in one does not stop the others; the
    last one is raised in the end."""
    end, raised = now() + BATCH_TIME, None
    with closing(_Connection()) as connection:
        for pk in notice_ids:
            try:
                _deliver(pk, connection)
            except SoftTimeLimitExceeded:
                raise
            except Exception as error:
                raised = error
            if now() >= end:
                break
    if raised:
        raise raised


def _deliver(notice_id: int, connection: "_Connection") -> None:
    """Send one notice if it is due, still wanted, and not claimed by another worker. A mail is sent twice only if this
    process dies after sending it and before recording that."""
    notice = Notice.objects.due(now()).select_related("recipient", "game").filter(pk=notice_id).first()
    if notice is None:
        return
    needless = wanted.needless(notice)
    if needless:
        _close(notice, needless)
        return
    if digests.collect(notice):
        return
    outage = outages.current()
    delivery = None if outages.waiting(outage) else _claim(notice)
    if delivery is None:
        return
    try:
        if notice.kind == Kind.DIGEST:
            _drop_unwanted(notice)
        message, untrue = letters.compose(notice)
        for told in untrue:
            _close(told, Outcome.OUTDATED)
        if message is None:
            _give_back(delivery)
            _close(notice, Outcome.OUTDATED)
            return
        if outage and not outages.may_try(outage):
            _give_back(delivery)
            return
        connection.send(message)
    except Unreachable as error:
        _give_back(delivery)
        outages.begin(str(error))
    except Exception as error:  # after any error, of a mail server or of ours, the notice stays owed
        log.warning("Notice %s was not sent: %s", notice.pk, type(error).__name__, exc_info=not _of_server(error))
        _failed(notice, delivery, error)
        if _is_silence(error):
            outages.begin(_told(error))
        elif outage:
            _answered()
    else:
        # Record the mail as sent before anything else: if the process dies earlier, the mail is sent again.
        with transaction.atomic():
            Delivery.objects.filter(pk=delivery.pk).update(sent_at=now(), claimed_until=None, result="")
            _close(notice, Outcome.SENT)
        if outage:
            _answered()
        owner = _owner(notice)
        if owner and notice.wishes.trouble:
            bounces.worked(owner)


def _drop_unwanted(digest: Notice) -> None:
    """Close the notices that the reader of the digest does not want any more."""
    for told in digest.told_set.filter(closed_at=None).select_related("recipient", "game"):
        if outcome := wanted.unwanted(told):
            _close(told, outcome)


class _Connection:
    """The connection to the mail server, which opens with the first mail. Other mails follow over the same one."""

    _backend: BaseEmailBackend | None = None

    def send(self, message: EmailMessage) -> None:
        """Send the mail. Raises `Unreachable` before the mail is tried, and other exceptions after."""
        if not self._answers():
            self.close()
            self._open()
        message.connection = self._backend
        try:
            message.send()
        except BaseException:
            self.close()  # nobody knows what the server expects next
            raise

    def _answers(self) -> bool:
        """Whether the connection is open and the server still serves it. Only SMTP servers can be asked that."""
        if not isinstance(self._backend, EmailBackend) or self._backend.connection is None:
            return False
        try:
            code, _words = self._backend.connection.noop()
        except (SMTPException, OSError) as error:
            if _is_silence(error):
                raise Unreachable(_told(error)) from error
            return False
        return code == OK

    def _open(self) -> None:
        backend = get_connection()
        try:
            backend.open()
        except Exception as error:  # each kind of failure has an exception of its own
            raise Unreachable(_told(error)) from error
        self._backend = backend

    def close(self) -> None:
        if self._backend:
            # The server has answered for the mails by now; it may fail at the farewell.
            with suppress(SMTPException, OSError):
                self._backend.close()
        self._backend = None


def _claim(notice: Notice) -> Delivery | None:
    """Claim the delivery for this process; no other process may claim it while the lease holds."""
    address, until = notice.to, now() + DELIVERY_LEASE
    first = {"address": address, "attempts": 1, "claimed_until": until}
    delivery, made = Delivery.objects.get_or_create(notice=notice, defaults=first)
    if made:
        return delivery
    free = Q(claimed_until=None) | Q(claimed_until__lte=now())
    unchanged = Delivery.objects.filter(free, pk=delivery.pk, attempts=delivery.attempts, sent_at=None)
    claimed = unchanged.update(address=address, attempts=F("attempts") + 1, claimed_until=until)
    delivery.attempts += 1
    return delivery if claimed else None


def _give_back(delivery: Delivery) -> None:
    """Undo the claim."""
    Delivery.objects.filter(pk=delivery.pk).update(attempts=F("attempts") - 1, claimed_until=None)


def _answered() -> None:
    """Record that the server answers; if this ends an outage, wake the workers for the other mails."""
    if outages.end():
        notices.dispatch_soon()


def _failed(notice: Notice, delivery: Delivery, error: Exception) -> None:
    pause = RETRY_PAUSES[0] if notice.expires_at else dict(enumerate(RETRY_PAUSES, start=1)).get(delivery.attempts)
    if _is_final(error):
        pause = None
    with transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(
            result=_told(error)[:300],
            claimed_until=pause and now() + pause,
        )
        if pause is None:
            _close(notice, Outcome.FAILED)
    owner = _owner(notice)
    if owner and (pause is None or delivery.attempts >= ALARMING_ATTEMPTS):
        bounces.failed(owner, _told(error))


def _owner(notice: Notice) -> User | None:
    """The recipient, if the notice goes to their current address. It may go to one that they have not confirmed yet, or
    no longer use."""
    user = notice.recipient
    return user if user and user.email.lower() == notice.to.lower() else None


def _close(notice: Notice, outcome: Notice.Outcome) -> None:
    """Close the notice for good, those that a digest tells with it, and delete its content, which may hold a code; a
    farewell leaves nothing."""
    if notice.key == notices.FAREWELL:
        notice.delete()
        return
    facts = {} if notice.kind == Kind.ACCOUNT else notice.facts
    Notice.objects.filter(pk=notice.pk).update(closed_at=now(), outcome=outcome, facts=facts)
    if notice.kind == Kind.DIGEST:
        notice.told_set.filter(closed_at=None).update(closed_at=now(), outcome=outcome)


def _of_server(error: Exception) -> bool:
    return isinstance(error, (SMTPException, OSError))


def _is_silence(error: BaseException | None) -> bool:
    """Whether the error means a timeout; each library has its own exception for that."""
    while error and not isinstance(error, (TimeoutError, SoftTimeLimitExceeded)):
        error = error.__cause__ or error.__context__
    return error is not None


def _is_final(error: Exception) -> bool:
    """Whether the server has refused this mail for good."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= 500 for code, _text in error.recipients.values())
    # A refused login or sender is a mistake in the site's settings, not the recipient's.
    is_ours = isinstance(error, SMTPSenderRefused)
    return isinstance(error, SMTPResponseException) and 550 <= error.smtp_code < 560 and not is_ours


def _told(error: Exception) -> str:
    """The server's answer, or a description of the error."""
    answers: Iterable[tuple[int, bytes | str]] = ()
    if isinstance(error, SMTPRecipientsRefused):
        answers = error.recipients.values()
    elif isinstance(error, SMTPResponseException):
        answers = [(error.smtp_code, error.smtp_error)]
    said = [f"{code} {text.decode(errors='replace') if isinstance(text, bytes) else text}" for code, text in answers]
    return "; ".join(said) or (str(error) if _of_server(error) else "") or type(error).__name__
