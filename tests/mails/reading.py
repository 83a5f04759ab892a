"""Reads mails as their readers do."""

import email
import email.policy
import html
import re
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

from accounts.models import User
from games.models import Game, Notice
from games.services.clocks.moment import now
from games.services.mailing import letters, links


def notice(kind: str, reader: User | str, game: Game | None = None, key: str = "", **facts: Any) -> Notice:
    """A notice to that user or address, due now and not stored by any service."""
    who: dict[str, Any] = {"address": reader} if isinstance(reader, str) else {"recipient": reader}
    at = now()
    key = key or f"{kind}:{game.pk if game else ''}:{game.number if game else ''}"
    Notice.objects.filter(key=key, **who).delete()
    return Notice.objects.create(
        kind=kind, game=game, key=key, facts=facts, created_at=at, due_at=at, **{"address": "", **who}
    )


def write(*args: Any, **facts: Any) -> EmailMessage:
    """The mail for a notice with these arguments."""
    return written(notice(*args, **facts))


def written(notice: Notice) -> EmailMessage:
    """The mail for that notice."""
    message = letters.write(notice)
    assert message is not None
    return parsed(message.message().as_bytes())


def parsed(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def text(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def headings(message: EmailMessage) -> list[str]:
    return [html.unescape(found) for found in re.findall(r"<h2[^>]*>(.*?)</h2>", html_of(message))]


def section(message: EmailMessage, heading: str) -> str:
    """The text below that heading."""
    return text(message).split(f"\n\n\n{heading.upper()}\n\n", 1)[1].split("\n\n\n", 1)[0]


def addresses(message: EmailMessage) -> list[str]:
    """The addresses of the HTML's links, in order."""
    return [html.unescape(found) for found in re.findall(r'href="(.*?)"', html_of(message))]


def actions(message: EmailMessage) -> list[str]:
    """The actions that the signed links stage."""
    paths = (urlsplit(address).path for address in addresses(message))
    return [links.read(path.split("/")[2]).action for path in paths if path.startswith("/m/")]


def words(page: str) -> str:
    """The text of the HTML part."""
    body = re.sub(r"<head>.*?</head>|<!--.*?-->", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())
