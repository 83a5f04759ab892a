"""The form of mails: common mail programs can draw them."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from functools import cache
from html.parser import HTMLParser

import pytest

from games.models import Notice
from tests.mails import supported
from tests.mails.every import every
from tests.mails.reading import addresses, headings, html_of, text, words
from tests.styles import light_colours

CLIPPED = 102_400
"""Gmail clips a mail whose HTML has this many bytes or more."""


class Elements(HTMLParser):
    """The elements of a page, each with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def declarations(style: str) -> Iterator[tuple[str, str]]:
    for declaration in filter(None, (part.strip() for part in style.split(";"))):
        name, _, value = declaration.partition(":")
        yield name.strip(), value.strip()


@cache
def written() -> dict[str, EmailMessage]:
    return every()


@pytest.fixture
def mails(db: None) -> dict[str, EmailMessage]:
    """All mails, made once for all tests."""
    return written()


def test_every_mail_uses_only_supported_styles(mails: dict[str, EmailMessage]) -> None:
    """Tags and properties are on the lists, styles are inline, nothing is fetched, Gmail does not clip the mail, and
    text and HTML have the same links and parts."""
    assert {name.split(" ")[0] for name in mails} >= {kind.value for kind in Notice.Kind} - {"closed"}
    colours = light_colours()
    for name, message in mails.items():
        assert message.get_content_type() == "multipart/alternative"
        assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
        page, plain = html_of(message), text(message)
        assert len(page.encode()) < CLIPPED
        assert len(message.as_bytes()) < CLIPPED
        for tag, attributes in Elements(page).found:
            assert tag in supported.TAGS, name
            assert attributes.keys().isdisjoint({"id", "src", "background", "onclick"})
            # Texts and links may contain the short key of a table, such as #694.
            styled = " ".join(value or "" for attribute, value in attributes.items() if attribute != "href")
            assert colours.issuperset(re.findall("#[0-9a-f]{3,8}", styled)), name
            for declared, value in declarations(attributes.get("style") or ""):
                allowed = supported.SUPPORTED.get(declared, frozenset()) | supported.IGNORED.get(declared, frozenset())
                assert tag in allowed, (name, tag, declared)
                assert "url(" not in value
                assert "-" not in value.replace("sans-serif", ""), "no negative margins"
        links = {address for address in addresses(message) if not address.startswith("mailto:")}
        assert links == {word for word in plain.split() if word.startswith("http")}
        for heading in headings(message):
            assert f"\n\n{heading.upper()}\n\n" in plain
        assert "%(" not in plain + page
        assert "None" not in plain + words(page)
        if name.startswith("account "):
            continue  # Its HTML begins with the name of the site, and the reader's program wraps its text.
        # Both begin with the first line and what follows it.
        lead = plain.split("\n", 1)[0]
        assert words(page).startswith(lead.replace("\N{NO-BREAK SPACE}", " "))
        assert not any(len(line) > 78 and "http" not in line for line in plain.split("\n")), name


def test_texts_of_people_are_escaped(mails: dict[str, EmailMessage]) -> None:
    message = mails["turn splendor 2"]
    assert "\n\nYOUR NOTE\n\nBuy <b>blue</b> & wait;\nthen look.\n" in text(message)
    assert "Buy &lt;b&gt;blue&lt;/b&gt; &amp; wait;<br>then look." in html_of(message)


@pytest.mark.browser
def test_every_mail_fits_the_screen(mails: dict[str, EmailMessage], browser, tmp_path) -> None:
    """At 600 and at 320 px, the mail does not scroll sideways and is no wider than 560 px. The browser has no
    network."""
    for width in (600, 320):
        page = browser.new_page(viewport={"width": width, "height": 600})
        page.route("**/*", lambda route: route.abort())
        for name, message in mails.items():
            page.set_content(html_of(message))
            wide, leaf = page.evaluate(
                "[document.documentElement.scrollWidth, document.querySelector('.leaf').getBoundingClientRect().width]"
            )
            assert (wide, leaf) == (width, min(560, width - 16)), name
            targets = page.locator(".choice-link, .act-link").evaluate_all("all => all.map(a => a.offsetHeight + 8)")
            assert min(targets, default=44) >= 42, name
        page.close()
