"""Reads pages as their readers do."""

import html
import re

from django.urls import reverse

from games.models import Game


def address(name: str, game: Game) -> str:
    return reverse(name, args=[game.key])


def text(page: bytes) -> str:
    """The visible text of a page, in one line."""
    main = page.decode().split("<main", 1)[1].split("</main>", 1)[0]
    shown = re.sub(r"<script.*?</script>", " ", main, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def rows(page: bytes, group: str) -> list[str]:
    """The visible tables of a group."""
    section = re.search(rf'<section[^>]*aria-labelledby="group-{group}">(.*?)</section>', page.decode(), re.DOTALL)
    return [text(f"<main{row}</main>".encode()) for row in section[1].split("<li")[1:]] if section else []
