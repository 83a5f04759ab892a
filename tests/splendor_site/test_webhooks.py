"""Configured mail services have a page for their reports; other services have none."""

import base64
from collections.abc import Callable, Iterator
from importlib import reload
from typing import Any

import pytest
from anymail.urls import urlpatterns
from django.test import Client
from django.urls import clear_url_caches

from splendor_site import urls

SECRET = "service:three blue sapphires"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
SERVICES = sorted({str(pattern.name).rsplit("_", 2)[0] for pattern in urlpatterns})

KEYLESS = ["brevo", "mailjet", "mailtrap", "postmark", "resend", "sendgrid", "sendinblue", "sparkpost"]

Found = Callable[..., list[str]]


@pytest.fixture
def found(settings: Any) -> Iterator[Found]:
    """The pages that exist with these settings, for a client that knows the secret and reports nothing."""
    word = base64.b64encode(SECRET.encode()).decode()
    client = Client(raise_request_exception=False, headers={"authorization": f"Basic {word}"})

    def ask(**wanted: Any) -> list[str]:
        for name, value in wanted.items():
            setattr(settings, name, value)
        reload(urls)
        clear_url_caches()
        pages = [f"{service}/{kind}" for kind in ("tracking", "inbound") for service in SERVICES]
        return [page for page in pages if client.post(f"/anymail/{page}/").status_code != 404]

    yield ask
    settings.ANYMAIL_WEBHOOK_SECRET = ""
    reload(urls)
    clear_url_caches()


def test_a_secret_opens_the_webhooks_of_all_services():
    assert {"amazon_ses", "brevo", "mailgun", "mandrill", "postmark", "unisender_go"} <= {*SERVICES}


def test_without_a_secret_there_is_no_webhook(found):
    assert found(ANYMAIL_WEBHOOK_SECRET="", EMAIL_BACKEND="anymail.backends.postmark.EmailBackend") == []


def test_only_the_configured_service_has_a_webhook(found):
    backend = "anymail.backends.postmark.EmailBackend"
    assert found(ANYMAIL_WEBHOOK_SECRET=SECRET, EMAIL_BACKEND=backend) == ["postmark/tracking"]


def test_a_service_that_signs_needs_its_key(found):
    backend = "anymail.backends.mailgun.EmailBackend"
    assert found(ANYMAIL_WEBHOOK_SECRET=SECRET, EMAIL_BACKEND=backend) == []
    assert found(ANYMAIL={"MAILGUN_WEBHOOK_SIGNING_KEY": "key"}) == ["mailgun/tracking"]


def test_with_smtp_every_service_without_a_key_has_a_webhook(found):
    keyless = [f"{service}/tracking" for service in KEYLESS]
    pages = found(ANYMAIL_WEBHOOK_SECRET=SECRET, EMAIL_BACKEND=SMTP, ANYMAIL={})
    assert pages == keyless
    assert found(ANYMAIL={"MANDRILL_WEBHOOK_KEY": "key"}) == sorted([*keyless, "mandrill/tracking"])
