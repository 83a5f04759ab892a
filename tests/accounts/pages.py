"""Helpers to log in and to read the pages of an account."""

import re

from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from tests.factories import post

PASSWORD = "three blue sapphires"


def log_in(client: Client, login: str, password: str = PASSWORD, **fields: str):
    return client.post("/account/login/", {"login": login, "password": password, **fields})


def sign_up(client: Client, name: str = "Charlie", address: str = "charlie@example.org", **fields: str):
    return client.post("/account/signup/", {"username": name, "email": address, "password1": PASSWORD, **fields})


def user_of(client: Client) -> str | None:
    """The user whom the next page shows as logged in."""
    found = re.search(r"<bdi>(.*?)</bdi>", client.get("/account/logout/", follow=True).content.decode())
    return found[1] if found else None


def mails() -> list[EmailMessage]:
    """All mails received, oldest first, after the workers have sent those that are due."""
    post()
    return mail.outbox


def last_code(address: str = "") -> str:
    """The newest mail, to that address if one is given."""
    *_, last = (message for message in mails() if address in ("", *message.to))
    found = re.search(r"^[B-Z]{4}-[B-Z]{4}$", str(last.body), re.MULTILINE)
    assert found, last.body
    return found[0]


def shown(response) -> str:
    """The page without the parts that differ between requests."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
