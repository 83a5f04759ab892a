"""The mail server of `docs/operating.md`: mail.example.org, port 587, which wants STARTTLS, a user and a password."""

import ssl
import subprocess
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

NAME, PORT = "mail.example.org", 587


class Kept(Message):
    """Keeps the subjects of mails by recipient."""

    def __init__(self) -> None:
        super().__init__()
        self.subjects: dict[str, list[str]] = {}

    def handle_message(self, message: Any) -> None:
        self.subjects.setdefault(message["To"], []).append(message["Subject"])


def certificate(folder: Path) -> Path:
    """A certificate for the server's name, with its key beside it."""
    made = folder / "mail.crt"
    if not made.exists():
        words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", f"/CN={NAME}"]
        places = ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(folder / "mail.key"), "-out", str(made)]
        subprocess.run([*words, *places], check=True, capture_output=True)
    return made


def server(folder: Path, kept: Kept) -> Controller:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate(folder), folder / "mail.key")
    return Controller(
        kept,
        hostname="127.0.0.1",
        port=PORT,
        tls_context=context,
        require_starttls=True,
        auth_required=True,
        authenticator=_authenticate,
    )


def _authenticate(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any) -> AuthResult:
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (b"user", b"password")
    return AuthResult(success=known, handled=False)
