"""`manage.py mail_doctor` prints a line for every check, and says what to do about problems."""

import socket
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.models import Notice
from games.services.outbox import notices
from tests.factories import START, at, person, post
from tests.live.site import Site
from tests.smtp import MailServer

pytestmark = pytest.mark.django_db
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture(autouse=True)
def _site(settings):
    settings.SITE_NAME, settings.SITE_URL = "Cabochon", "https://games.example.org"
    settings.ALLOWED_HOSTS = ["games.example.org"]
    settings.DEFAULT_FROM_EMAIL = "Cabochon <no-reply@games.example.org>"
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False


def examined(*address: str) -> list[str]:
    """The lines of its output; after a failure, the last one is the error."""
    out = StringIO()
    try:
        call_command("mail_doctor", *address, stdout=out)
    except CommandError as error:
        return [*out.getvalue().splitlines(), str(error)]
    return out.getvalue().splitlines()


def test_without_problems_every_line_is_ok(smtp):
    well = [
        f"Backend: OK, mails are handed over by {SMTP}.",
        f"Server: OK, 127.0.0.1, port {smtp.port}, no encryption, without a log-in.",
        "Sender: OK, mails come from Cabochon <no-reply@games.example.org>.",
        "Links: OK, mails lead to https://games.example.org.",
        "Outbox: OK, 0 waiting, 0 of them about accounts.",
        "Connection: OK, the server accepts the connection.",
    ]
    assert examined() == well
    assert smtp.messages == []

    sent = "the server accepted it. If it does not reach bob@example.org within a few minutes, check the spam folder."
    assert examined("bob@example.org") == [*well, f"Test mail: OK, {sent}"]
    [mail] = smtp.messages
    assert (mail["To"], mail["From"]) == ("bob@example.org", "Cabochon <no-reply@games.example.org>")
    assert (mail["Subject"], mail["Auto-Submitted"]) == ("Test email from Cabochon", "auto-generated")
    assert "https://games.example.org" in mail.get_content()


def test_the_exit_status_tells_of_problems(tmp_path):
    with MailServer() as server:
        site = Site(
            tmp_path / "var",
            DEBUG="0",
            ALLOWED_HOSTS="games.example.org",
            EMAIL_URL=f"smtp://127.0.0.1:{server.port}",
        )
        told = site.manage("mail_doctor", "bob@example.org")
        assert told.returncode == 0
        assert "Outbox: OK, no mail is waiting, because there is no database yet.\n" in told.stdout
        assert len(server.messages) == 1
    stopped = site.manage("mail_doctor", "bob@example.org")
    assert (stopped.returncode, stopped.stderr) == (1, "CommandError: One problem found.\n")


def test_a_site_of_any_name_can_send_mail(tmp_path):
    name = "Chez Ana: œufs, @ (Paris)"
    with MailServer() as server:
        site = Site(
            tmp_path / "var",
            DEBUG="0",
            ALLOWED_HOSTS=".example.org",
            SITE_NAME=name,
            EMAIL_URL=f"smtp://127.0.0.1:{server.port}",
        )
        told = site.manage("mail_doctor", "bob@example.org")
        assert (told.returncode, told.stderr) == (0, "")
        [mail] = server.messages
    assert [(found.display_name, found.addr_spec) for found in mail["From"].addresses] == [
        (name, "no-reply@example.org")
    ]


def test_links_in_mails_lead_to_the_configured_site(tmp_path):
    """Without a setting, links lead to this machine in development and to the first host in production."""
    show = ("shell", "--no-imports", "--command", "from games.services.outbox import site; print(site.url('/games/'))")
    site = Site(tmp_path / "var")
    assert site.manage(*show).stdout == f"http://127.0.0.1:{site.port}/games/\n"
    bare = ("-c", "from splendor_site import settings; print(settings.SITE_URL)")
    site.environment |= {"DEBUG": "0", "ALLOWED_HOSTS": ".example.org,other.example.org"}
    assert site.python(*bare).stdout == "https://example.org\n"
    site.environment["SITE_URL"] = "https://games.example.org/"
    assert site.python(*bare).stdout == "https://games.example.org\n"


def test_a_closed_port_is_explained(settings):
    with socket.create_server(("127.0.0.1", 0)) as free:
        settings.EMAIL_PORT = free.getsockname()[1]
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = SMTP, "127.0.0.1"
    assert examined("bob@example.org")[5:] == [
        f"Connection: PROBLEM. Nothing listens at 127.0.0.1, port {settings.EMAIL_PORT}. Check host and port in "
        "EMAIL_URL, and whether the server is running.",
        "One problem found.",
    ]


def test_a_silent_server_is_explained(settings):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = SMTP, "127.0.0.1", 1
        settings.EMAIL_PORT = silent.getsockname()[1]
        assert examined()[5] == (
            "Connection: PROBLEM. The server closed the connection (Connection unexpectedly closed: timed out). "
            "Check host and port in EMAIL_URL, and whether it should begin with smtp://, smtp+tls:// or smtp+ssl://."
        )


def test_a_refused_recipient_is_explained(smtp):
    smtp.refuse["bob@example.org"] = "550 5.1.1 no such mailbox here"
    assert examined("bob@example.org")[6:] == [
        "Test mail: PROBLEM. The server refuses the address (550 5.1.1 no such mailbox here). Check the "
        "address, and whether this server may send to it.",
        "One problem found.",
    ]
    assert smtp.messages == []


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_refused_login_is_explained(settings):
    with MailServer(login=("cabochon", "four green emeralds")) as server:
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", server.port
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "cabochon", "four green emeralds"
        assert examined("bob@example.org")[6].startswith("Test mail: OK, ")
        assert len(server.messages) == 1

        settings.EMAIL_HOST_PASSWORD = "three"
        assert examined("bob@example.org")[5:] == [
            "Connection: PROBLEM. The server refuses the log-in (535 5.7.8 Authentication credentials invalid). Check "
            "user and password in EMAIL_URL; special characters must be percent-encoded.",
            "One problem found.",
        ]


def test_missing_encryption_is_explained(smtp, settings):
    settings.EMAIL_USE_TLS = True
    assert examined()[5] == (
        "Connection: PROBLEM. The server does not support this (STARTTLS extension not supported by server.). Check "
        "whether EMAIL_URL should begin with smtp://, smtp+tls:// or smtp+ssl://."
    )
    settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL = False, True
    assert examined()[5].startswith("Connection: PROBLEM. The encryption fails (")


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (
            {"EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend"},
            "Backend: PROBLEM. Mails are written to files and reach nobody. Name a server: "
            "EMAIL_URL=smtp+tls://user:password@mail.example.org:587.",
        ),
        (
            {"EMAIL_PORT": 465},
            "Server: PROBLEM. Port 465 uses TLS from the start, so EMAIL_URL must begin with smtp+ssl://.",
        ),
        (
            {"EMAIL_HOST_USER": "cabochon", "EMAIL_HOST": "mail.example.org"},
            "Server: PROBLEM. The password is sent unencrypted. EMAIL_URL should begin with smtp+tls:// or "
            "smtp+ssl://.",
        ),
        (
            {"DEFAULT_FROM_EMAIL": "Cabochon"},
            "Sender: PROBLEM. “Cabochon” is not an address that mails can come from. Set DEFAULT_FROM_EMAIL, for "
            "example to Games <games@example.org>.",
        ),
        (
            {"DEFAULT_FROM_EMAIL": "Chez Ana: Splendor <no-reply@games.example.org>"},
            "Sender: PROBLEM. “Chez Ana: Splendor <no-reply@games.example.org>” is not an address that mails can come "
            "from. Set DEFAULT_FROM_EMAIL, for example to Games <games@example.org>.",
        ),
        (
            {"DEFAULT_FROM_EMAIL": "no-reply@localhost"},
            "Sender: PROBLEM. Nobody accepts mails from no-reply@localhost. Set DEFAULT_FROM_EMAIL to an address of "
            "your domain.",
        ),
        (
            {"SITE_URL": "games.example.org"},
            "Links: PROBLEM. SITE_URL=games.example.org is not a site's address. Set it to https:// and the host name.",
        ),
        (
            {"SITE_URL": "https://*"},
            "Links: PROBLEM. SITE_URL=https://* is not a site's address. Set it to https:// and the host name.",
        ),
        (
            {"SITE_URL": "https://old.example.org"},
            "Links: PROBLEM. Mails lead to https://old.example.org, but the site answers only to games.example.org. "
            "Set SITE_URL, or add that name to ALLOWED_HOSTS.",
        ),
        (
            {"SITE_URL": "http://games.example.org"},
            "Links: PROBLEM. Mails lead to http://games.example.org, unencrypted. Set SITE_URL to https:// and the "
            "host name.",
        ),
        (
            {"EMAIL_BACKEND": "anymail.backends.postmark.EmailBackend"},
            "Connection: PROBLEM. The settings are incomplete: You must set ANYMAIL = {'POSTMARK_SERVER_TOKEN': ...} "
            "or ANYMAIL_POSTMARK_SERVER_TOKEN or POSTMARK_SERVER_TOKEN in your Django settings",
        ),
        (
            {"EMAIL_BACKEND": "nowhere.EmailBackend"},
            "Connection: PROBLEM. EMAIL_BACKEND does not name a backend (No module named 'nowhere').",
        ),
    ],
)
def test_wrong_settings_are_explained(smtp, settings, wrong, line):
    for name, value in wrong.items():
        setattr(settings, name, value)
    assert line in examined()
    assert examined()[-1].endswith(" found.")


def test_an_impossible_address_is_explained(smtp):
    assert examined("bob")[6] == "Test mail: PROBLEM. “bob” is not an address."


def outbox() -> str:
    [line] = [line for line in examined() if line.startswith("Outbox")]
    return line


def test_mails_waiting_to_be_sent_are_counted(smtp):
    with at(START):
        notices.owe(Notice.Kind.ACCOUNT, address="bob@example.org", key="1", subject="-", text="-", html="-")
        notices.owe(Notice.Kind.TEST, person("bob"), key="2")
    waiting = "2 waiting, 1 of them about accounts"
    with at(START + timedelta(minutes=4)):
        assert outbox() == f"Outbox: OK, {waiting}."
    with at(START + timedelta(minutes=6)):
        assert outbox() == (
            f"Outbox: PROBLEM. {waiting}; 2 for more than five minutes. Check that the site is running, and "
            "that MAIL_PROCESSES is above 0 on one of its machines."
        )


def test_mails_waiting_for_a_silent_server_are_explained(smtp):
    with at(START), smtp.silence():
        for name in ("bob", "charlie"):
            notices.owe(Notice.Kind.TEST, person(name), key="1")
        post()
        assert outbox() == (
            "Outbox: PROBLEM. The server has not answered since 2026-05-04 12:00 UTC; 2 waiting, 0 of them about "
            "accounts. One mail is tried every minute."
        )
