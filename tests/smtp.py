"""A real mail server on loopback that keeps its mails, and can refuse them or be slow."""

import asyncio
import email
import email.policy
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from django.test import override_settings


class MailServer(Controller):
    """Runs on a free port between `start()` and `stop()`, or in a `with` block. With a `login`, it refuses others."""

    def __init__(self, login: tuple[str, str] | None = None) -> None:
        self.messages: list[EmailMessage] = []
        """The accepted mails, oldest first."""
        self.refuse: dict[str, str] = {}
        """Answers to recipients, by address: `550 no such mailbox here`."""
        self.refuse_sender = ""
        """The answer to every sender; empty if the server accepts them."""
        self.verdict = "250 OK"
        """The answer to a mail."""
        self.hang: float = 0
        """Seconds between a mail and its answer."""
        self.connections = 0
        """The connections that were accepted."""
        self.is_terse = False
        """Whether the server closes each connection after one mail."""
        self.hangs_up_on: set[str] = set()
        """The server closes the connection instead of answering a mail to these addresses."""
        self.is_tired = False
        """Whether the server stops answering between two mails."""
        self.silent = False
        """Whether the server accepts connections and never answers."""
        self.unanswered = 0
        """The connections that were never answered."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        options: dict[str, Any] = {}
        if login:
            options = {"auth_required": True, "auth_require_tls": False, "authenticator": _only(*login)}
        port = self._listening.getsockname()[1]
        super().__init__(self, hostname="127.0.0.1", port=port, **options)

    def __enter__(self) -> "MailServer":
        self.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self.stop()

    def start(self) -> None:
        super().start()
        self.connections = 0  # starting makes one

    @contextmanager
    def silence(self) -> Iterator[None]:
        """The server never answers, and the site waits for it only briefly."""
        self.silent = True
        with override_settings(EMAIL_TIMEOUT=0.2):
            yield
        self.silent = False

    def to(self, address: str) -> list[EmailMessage]:
        """The mails accepted for that address."""
        return [message for message in self.messages if message["To"] == address]

    def factory(self) -> Any:
        self.connections += 1
        if not self.silent:
            return super().factory()
        self.unanswered += 1
        return asyncio.Protocol()

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._listening)

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuse_sender:
            return self.refuse_sender
        envelope.mail_from, envelope.mail_options = address, options
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if refusal := self.refuse.get(address):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_NOOP(self, _server: SMTP, _session: Session, _envelope: Envelope, _words: str) -> str:  # noqa: N802
        if self.is_tired:
            await asyncio.Event().wait()
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.hangs_up_on & set(envelope.rcpt_tos):
            _hang_up(server)
            return "451 bye"
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        if self.verdict.startswith("2"):
            self.messages.append(message)
        await asyncio.sleep(self.hang)
        if self.is_terse:
            asyncio.get_running_loop().call_soon(_hang_up, server)
        return self.verdict


def _hang_up(server: SMTP) -> None:
    if server.transport:
        server.transport.close()


def _only(name: str, password: str) -> Any:
    def authenticate(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        return AuthResult(success=(data.login, data.password) == (name.encode(), password.encode()), handled=False)

    return authenticate
