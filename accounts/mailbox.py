"""Reads the mails that Django's file backend has written."""

import email
import email.policy
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path

from django.conf import settings

FILE_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
# The backend writes this line after each mail in a file.
RULE = b"\n" + b"-" * 79 + b"\n"
# The list shows only this many of the newest files.
MAX_MAILS = 200


@dataclass(frozen=True)
class Mail:
    file: str
    number: int
    message: EmailMessage

    def _header(self, name: str) -> str:
        return str(self.message[name] or "")

    @property
    def subject(self) -> str:
        return self._header("Subject")

    @property
    def sender(self) -> str:
        return self._header("From")

    @property
    def to(self) -> str:
        return self._header("To")

    @property
    def sent_at(self) -> datetime:
        moment = parsedate_to_datetime(self._header("Date"))
        # Django writes the zone as -0000, which means UTC from an unknown place.
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        return self._part("html")

    @property
    def more_headers(self) -> list[tuple[str, str]]:
        shown = {"subject", "from", "to", "date", "content-type", "content-transfer-encoding", "mime-version"}
        return [(name, str(value)) for name, value in self.message.items() if name.lower() not in shown]

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return "" if part is None else str(part.get_content())


def is_open() -> bool:
    """Whether mails can be read on the site: only in development, because they contain codes."""
    return bool(settings.DEBUG) and settings.EMAIL_BACKEND == FILE_BACKEND


def newest() -> list[Mail]:
    files = sorted(_folder().glob("*.log"), key=lambda path: path.stat().st_mtime, reverse=True)[:MAX_MAILS]
    mails = [mail for path in files for mail in _read(path)]
    return sorted(mails, key=lambda mail: mail.sent_at, reverse=True)


def find(file: str, number: int) -> Mail | None:
    """The mail with this number in that file. `file` is a slug, so it cannot lead to another folder."""
    path = _folder() / f"{file}.log"
    mails = list(_read(path)) if path.is_file() else []
    return next((mail for mail in mails if mail.number == number), None)


def _folder() -> Path:
    return Path(settings.EMAIL_FILE_PATH)


def _read(path: Path) -> Iterator[Mail]:
    for number, data in enumerate(path.read_bytes().split(RULE)):
        if data.strip():
            message = email.message_from_bytes(data, policy=email.policy.default)
            assert isinstance(message, EmailMessage)
            yield Mail(path.stem, number, message)
