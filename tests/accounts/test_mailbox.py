import os
import re

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

FILES = "django.core.mail.backends.filebased.EmailBackend"


@pytest.fixture
def written(settings, tmp_path):
    """Two mails in files, as a development site writes them."""
    settings.DEBUG, settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = True, FILES, str(tmp_path)
    # Files are named after the second and the connection, so two simultaneous connections write two files.
    first, second = get_connection(), get_connection()
    EmailMultiAlternatives("First <b>", "plain only", to=["bob@example.org"], connection=first).send()
    message = EmailMultiAlternatives(
        "Zweite: Grüße", "see https://example.org/x", to=["ana@example.org"], connection=second
    )
    message.extra_headers["List-Unsubscribe"] = "<https://example.org/u>"
    message.attach_alternative("<html><head></head><body><script>1</script><p>héllo</p></body></html>", "text/html")
    message.send()
    return [f"/mail/{path.stem}/0/" for path in sorted(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns)]


def test_the_mailbox_lists_and_shows_mails(client, written):
    page = client.get("/mail/").content.decode()
    assert "First &lt;b&gt;" in page
    assert "Zweite: Grüße" in page
    assert all(path in page for path in written)

    plain, both = (client.get(path).content.decode() for path in written)
    assert ("plain only" in plain, "<iframe" in plain) == (True, False)
    assert '<a href="https://example.org/x"' in both
    assert f'src="{written[1]}html/"' in both
    assert "List-Unsubscribe" in both
    for path in ("/mail/", *written, f"{written[1]}html/"):
        assert "no-store" in client.get(path)["Cache-Control"]


def test_only_the_newest_are_listed(client, settings, tmp_path):
    settings.DEBUG, settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = True, FILES, str(tmp_path)
    for number in range(201):
        path = tmp_path / f"mail-{number}.log"
        path.write_text(f"Subject: Mail {number}\nDate: Mon, 04 May 2026 12:00:00 -0000\n\nNothing.\n")
        os.utime(path, (number, number))
    page = client.get("/mail/").content.decode()

    assert len(re.findall(r"/mail/mail-\d+/0/", page)) == 200
    assert "/mail/mail-0/0/" not in page


def test_the_html_part_is_fenced_in(client, written):
    page = client.get(written[1])
    assert "frame-src 'self'" in page["Content-Security-Policy"]
    part = client.get(f"{written[1]}html/")
    policy = part["Content-Security-Policy"]

    assert "<p>héllo</p>" in part.content.decode()
    assert '<base target="_blank">' in part.content.decode()
    assert policy == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
    )
    assert part["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("path", ["0/9/", "..%2Fsecret/0/", "nothing/0/", "nothing/0/html/"])
def test_unknown_mails_are_not_found(client, written, path):
    assert client.get(f"/mail/{path}").status_code == 404
    assert client.get(f"{written[0]}html/").status_code == 404


def test_an_empty_mailbox_says_so(client, settings, tmp_path):
    settings.DEBUG, settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = True, FILES, str(tmp_path / "none yet")

    assert "No emails yet." in client.get("/mail/").content.decode()


@pytest.mark.parametrize(("debug", "backend"), [(False, FILES), (True, "django.core.mail.backends.smtp.EmailBackend")])
def test_the_mailbox_exists_only_in_development(client, settings, written, debug, backend):
    settings.DEBUG, settings.EMAIL_BACKEND = debug, backend

    for path in ("/mail/", *written, f"{written[1]}html/"):
        assert client.get(path).status_code == 404


def test_the_page_for_a_code_links_to_the_mailbox(client, written, db):
    form = {"username": "Charlie", "email": "charlie@example.org", "password1": "three blue sapphires"}
    assert 'href="/mail/"' in client.post("/account/signup/", form, follow=True).content.decode()
