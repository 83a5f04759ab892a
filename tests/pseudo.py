"""A language for tests, in which every message that has French words is marked, and longer than in English."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import allauth
import django
import polib
from django.test import override_settings

from splendor_site import languages

CODE = "xx"
BEGIN, END = "⟦⟧"
GAPS = re.compile(r"(%\(\w+\)[sd]|%%|\{\w+\}|<[^>]*>|&\w+;)")
LIBRARIES = [Path(django.__file__).parent, Path(allauth.__file__).parent]
WORDS = re.compile(r"[^\W\d_]{2,}")
"""Single letters are the names of gems, columns and keys, in every language."""
ATTRIBUTES = ("alt", "aria-description", "aria-label", "content", "placeholder", "title", "data-confirm", "label")
SILENT = ("script", "style", "code", "pre")


@cache
def catalogue(longer: float) -> bytes:
    """Every message that the site or a library has in French, compiled; each grows by that fraction of its length."""
    pseudo = polib.POFile()
    pseudo.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": "nplurals=2; plural=(n != 1);"}
    known = set()
    for path in (languages.CATALOGUES / "fr" / languages.PLACE, *_of_libraries()):
        for entry in polib.pofile(str(path)):
            key = (entry.msgctxt, entry.msgid)
            if key in known or not entry.translated():
                continue
            known.add(key)
            if entry.msgid_plural:
                entry.msgstr_plural = {0: _marked(entry.msgid, longer), 1: _marked(entry.msgid_plural, longer)}
            elif entry.msgctxt == "this language, as an HTML lang attribute":
                entry.msgstr = CODE
            else:
                entry.msgstr = _marked(entry.msgid, longer)
            pseudo.append(entry)
    compiled: bytes = pseudo.to_binary()
    return compiled


@contextmanager
def spoken(folder: Path, longer: float = 0) -> Iterator[None]:
    """Readers who choose no other language read this one, which is compiled into the folder."""
    target = folder / CODE / languages.PLACE.with_suffix(".mo")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(catalogue(longer))
    with override_settings(LANGUAGES=[("en", "English"), (CODE, "Pseudo")], LOCALE_PATHS=[folder]):
        yield


def unmarked(text: str) -> Iterator[str]:
    """The words of a text outside all marks; a broken pair of marks yields one entry."""
    depth = 0
    for part in re.split(f"([{BEGIN}{END}])", text):
        if part in (BEGIN, END):
            depth += 1 if part == BEGIN else -1
            if depth < 0:
                yield f"a broken message in {text}"
                return
        elif depth == 0 and WORDS.search(part):
            yield " ".join(part.split())
    if depth:
        yield f"a broken message in {text}"


class Page(HTMLParser):
    """The words of a page that readers meet: its text in order, and its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.attributes: list[str] = []
        self.silent: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag in SILENT or facts.get("lang") not in (None, CODE) or facts.get("name") == "time_zone":
            self.silent.append(tag)
        self.text.append(" ")
        for name, value in facts.items():
            if name in ATTRIBUTES and value and (name != "content" or _describes(facts)):
                self.attributes.append(value)
            if tag == "input" and name == "value" and value and facts.get("type") == "submit":
                self.attributes.append(value)

    def handle_endtag(self, tag: str) -> None:
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()
        self.text.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.text.append(data)

    def unmarked(self) -> list[str]:
        return [*unmarked("".join(self.text)), *(words for value in self.attributes for words in unmarked(value))]


def _describes(meta: dict[str, str | None]) -> bool:
    """Whether readers of a search engine or a chat see the content of this element."""
    return (meta.get("name") or meta.get("property")) in ("description", "og:description", "og:title")


def _of_libraries() -> list[Path]:
    return [path for library in LIBRARIES for path in sorted(library.rglob("locale/fr/LC_MESSAGES/django.po"))]


def _marked(text: str, longer: float) -> str:
    if not re.search(r"[^\W\d_]", GAPS.sub("", text)) and not GAPS.search(text):
        return text
    more = "·" * round(longer * len(GAPS.sub("", text)))
    return f"{BEGIN}{text}{more}{END}"
