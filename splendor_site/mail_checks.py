"""Checks whether mails go out: the settings, the waiting notices, the connection, and a test mail. The commands
`mail_doctor` and `doctor` run them."""

import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.utils import parseaddr
from typing import TypeVar
from urllib.parse import urlsplit

from anymail.exceptions import AnymailError
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.mail import EmailMessage, get_connection
from django.core.mail.message import sanitize_address
from django.core.validators import validate_email
from django.db import DatabaseError
from django.http.request import validate_host

from games.models import Notice, Outage
from games.services.clocks.moment import now

SMTP = "django.core.mail.backends.smtp.EmailBackend"
NOWHERE = {
    "django.core.mail.backends.filebased.EmailBackend": "are written to files",
    "django.core.mail.backends.console.EmailBackend": "are printed",
    "django.core.mail.backends.locmem.EmailBackend": "are kept in memory",
    "django.core.mail.backends.dummy.EmailBackend": "are thrown away",
}
"""The fate of mails with backends that send none."""
EXAMPLE = "EMAIL_URL=smtp+tls://user:password@mail.example.org:587"
LATE = timedelta(minutes=5)
HERE = ("localhost", "127.0.0.1", "::1")

# The first matching class explains an error, so subclasses come first.
MEANINGS: dict[type[Exception], str] = {
    smtplib.SMTPAuthenticationError: "The server refuses the log-in ({said}). Check user and password in EMAIL_URL; "
    "special characters must be percent-encoded.",
    smtplib.SMTPRecipientsRefused: "The server refuses the address ({said}). Check the address, and whether this "
    "server may send to it.",
    smtplib.SMTPSenderRefused: "The server refuses the sender ({said}). Set DEFAULT_FROM_EMAIL to an address that it "
    "may send for, or log in to it.",
    smtplib.SMTPNotSupportedError: "The server does not support this ({said}). Check whether EMAIL_URL should begin "
    "with smtp://, smtp+tls:// or smtp+ssl://.",
    smtplib.SMTPServerDisconnected: "The server closed the connection ({said}). Check host and port in EMAIL_URL, "
    "and whether it should begin with smtp://, smtp+tls:// or smtp+ssl://.",
    smtplib.SMTPException: "The server refuses ({said}). See its log.",
    ssl.SSLError: "The encryption fails ({said}). Use the host name in the server’s certificate in EMAIL_URL, and "
    "begin with smtp+tls:// for port 587 or smtp+ssl:// for port 465.",
    TimeoutError: "No answer from {place} in {seconds} seconds. Check host and port in EMAIL_URL, and whether a "
    "firewall blocks mails.",
    ConnectionRefusedError: "Nothing listens at {place}. Check host and port in EMAIL_URL, and whether the server "
    "is running.",
    socket.gaierror: "There is no such host: {place} ({said}). Check the host in EMAIL_URL.",
    OSError: "The server cannot be reached at {place} ({said}).",
    AnymailError: "The mail service refuses ({said}).",
    ImproperlyConfigured: "The settings are incomplete: {said}",
    ImportError: "EMAIL_BACKEND does not name a backend ({said}).",
    ValueError: "The mail cannot be written ({said}).",
}
T = TypeVar("T")


class Problem(Exception):
    """A problem, and what to do about it."""


def checks(address: str | None, *, connect: bool = True) -> Iterator[tuple[str, Callable[[], str]]]:
    """Each check by name: it returns what is well, or raises `Problem`. Only with an address is a test mail sent."""
    yield "Backend", _backend
    if settings.EMAIL_BACKEND == SMTP:
        yield "Server", _server
    yield "Sender", _sender
    yield "Links", _links
    yield "Outbox", _outbox
    if connect and settings.EMAIL_BACKEND not in NOWHERE:
        yield "Connection", connection
        if address is not None:
            yield "Test mail", lambda: _test_mail(address)


def _backend() -> str:
    """Check that mails leave this machine."""
    backend: str = settings.EMAIL_BACKEND
    if backend in NOWHERE:
        raise Problem(f"Mails {NOWHERE[backend]} and reach nobody. Name a server: {EXAMPLE}.")
    return f"mails are handed over by {backend}."


def _server() -> str:
    """Check that the port of the server fits its encryption."""
    host, port, user = settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_HOST_USER
    way = "TLS" if settings.EMAIL_USE_SSL else "STARTTLS" if settings.EMAIL_USE_TLS else "no encryption"
    if not host:
        raise Problem(f"EMAIL_URL names no host. It looks like this: {EXAMPLE}.")
    if port == 465 and not settings.EMAIL_USE_SSL:
        raise Problem("Port 465 uses TLS from the start, so EMAIL_URL must begin with smtp+ssl://.")
    if port == 587 and settings.EMAIL_USE_SSL:
        raise Problem("Port 587 begins without encryption, so EMAIL_URL must begin with smtp+tls://.")
    if user and way == "no encryption" and host not in HERE:
        raise Problem("The password is sent unencrypted. EMAIL_URL should begin with smtp+tls:// or smtp+ssl://.")
    return f"{host}, port {port}, {way}, {f'as {user}' if user else 'without a log-in'}."


def _sender() -> str:
    """Check that mails have a valid sender."""
    _name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    try:
        validate_email(address)
        sanitize_address(settings.DEFAULT_FROM_EMAIL, "utf-8")  # as the backend for SMTP does
    except (ValidationError, ValueError):
        raise Problem(
            f"“{settings.DEFAULT_FROM_EMAIL}” is not an address that mails can come from. Set DEFAULT_FROM_EMAIL, "
            "for example to Games <games@example.org>."
        ) from None
    if address.endswith("@localhost"):
        raise Problem(f"Nobody accepts mails from {address}. Set DEFAULT_FROM_EMAIL to an address of your domain.")
    return f"mails come from {settings.DEFAULT_FROM_EMAIL}."


def _links() -> str:
    """Check that the links in mails lead to this site."""
    site = urlsplit(settings.SITE_URL)
    if site.scheme not in ("http", "https") or site.hostname in (None, "*") or site.path or site.query:
        raise Problem(f"SITE_URL={settings.SITE_URL} is not a site's address. Set it to https:// and the host name.")
    hosts = settings.ALLOWED_HOSTS or list(HERE) * settings.DEBUG
    if not validate_host(str(site.hostname), hosts):
        raise Problem(
            f"Mails lead to {settings.SITE_URL}, but the site answers only to {', '.join(hosts) or 'nobody'}. "
            "Set SITE_URL, or add that name to ALLOWED_HOSTS."
        )
    if site.scheme != "https" and not settings.DEBUG:
        raise Problem(f"Mails lead to {settings.SITE_URL}, unencrypted. Set SITE_URL to https:// and the host name.")
    return f"mails lead to {settings.SITE_URL}."


def _outbox() -> str:
    """Check that due notices go out."""
    try:
        due, outage = Notice.objects.due(now()), Outage.objects.first()
        late = due.filter(due_at__lte=now() - LATE).count()
        account = due.filter(kind=Notice.Kind.ACCOUNT).count()
        waiting = f"{due.count()} waiting, {account} of them about accounts"
    except DatabaseError:
        return "no mail is waiting, because there is no database yet."
    if outage:
        since = f"{outage.since:%Y-%m-%d %H:%M} UTC"
        raise Problem(f"The server has not answered since {since}; {waiting}. One mail is tried every minute.")
    if late:
        raise Problem(
            f"{waiting}; {late} for more than five minutes. Check that the site is running, and that "
            "MAIL_PROCESSES is above 0 on one of its machines."
        )
    return f"{waiting}."


def connection() -> str:
    """Check that the server answers and accepts the log-in."""
    server = _handing_over(get_connection)
    _handing_over(server.open)
    _handing_over(server.close)
    return "the server accepts the connection." if settings.EMAIL_BACKEND == SMTP else "its settings are complete."


def _test_mail(address: str) -> str:
    """Check that the server accepts a mail for that address."""
    try:
        validate_email(address)
    except ValidationError:
        raise Problem(f"“{address}” is not an address.") from None
    message = EmailMessage(
        f"Test email from {settings.SITE_NAME}",
        f"Somebody at {settings.SITE_URL} wants to know whether mails arrive. This one did.\n",
        to=[address],
        headers={"Auto-Submitted": "auto-generated"},
    )
    _handing_over(message.send)
    return f"the server accepted it. If it does not reach {address} within a few minutes, check the spam folder."


def _handing_over(act: Callable[[], T]) -> T:
    try:
        return act()
    except tuple(MEANINGS) as error:
        meaning = next(meaning for kind, meaning in MEANINGS.items() if isinstance(error, kind))
        place = f"{settings.EMAIL_HOST}, port {settings.EMAIL_PORT}"
        raise Problem(meaning.format(place=place, seconds=settings.EMAIL_TIMEOUT, said=_said(error))) from None


def _said(error: Exception) -> str:
    """The server's answer on one line."""
    answers: list[tuple[int, bytes | str]] = []
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        answers = list(error.recipients.values())
    elif isinstance(error, smtplib.SMTPResponseException):
        answers = [(error.smtp_code, error.smtp_error)]
    lines = [f"{code} {text.decode(errors='replace') if isinstance(text, bytes) else text}" for code, text in answers]
    return " ".join("; ".join(lines or [str(error) or type(error).__name__]).split())
