"""The Jinja environment for tables and for the rows of lists of tables; everything else is a Django template.

A board has some two hundred small drawings and as many sentences, which Jinja renders in a third of the time. The
macros of `games/_pieces.jinja` draw the parts that both kinds of template share.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.template import engines
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.functional import lazy
from django.utils.text import capfirst
from jinja2 import Environment
from jinja2.ext import Extension
from markupsafe import Markup, escape

from games import wording
from games.boards.gems import GEMS
from games.catalogue import TITLES
from games.rules.base import Event
from games.wording import bots, common_board, phrases, ratings

Drawn = Mapping[str, Callable[[str], Markup]]
STATIC = Path(__file__).parent / "static" / "games"
SPRITES = {
    symbol: file
    for file in ("nobles", "ornaments")
    for symbol in re.findall(r'<symbol id="(.+?)"', (STATIC / f"{file}.svg").read_text())
}
"""The files of the drawings that not every board needs. The others are in `gems.svg`."""


def environment(**options: Any) -> Environment:
    """The environment of the engine `jinja`; the settings name this function."""
    env = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True, **options)
    env.add_extension(Unindented)
    env.install_gettext_translations(translation, newstyle=True)  # type: ignore[attr-defined]
    env.globals.update(_=_gettext, gettext=_gettext, pgettext=_pgettext)
    words = (
        bots.brief,
        common_board.means_words,
        phrases.beside,
        phrases.colour,
        phrases.gem_name,
        phrases.listed,
        phrases.names,
        phrases.points,
        phrases.tokens,
        ratings.rating_change,
    )
    env.filters |= {word.__name__: word for word in words}
    for slug in TITLES:  # as `duel.face_name`
        env.filters |= {f"{slug}.{word.__name__}": word for word in wording.board_words(slug).WORDS}
    env.filters |= {"address": address, "capfirst": capfirst}
    env.filters |= {"crest": crest, "drawing": drawing, "gem": gem, "stones": stones}
    env.globals.update(event_line=event_line, static=static, url=_url)
    env.globals.update(sprite=lazy(static, str)("games/gems.svg"), sprite_of=_sprite)  # files may not be collected yet
    return env


class Unindented(Extension):
    """Reduces the indentation of templates to one space; the rest would be a third of a page's bytes."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"^[ \t]+", " ", source, flags=re.MULTILINE)


# --- messages: templates ask for the same ones again and again, so each is looked up once in each language ---


def _gettext(text: str, /, **values: object) -> Markup:
    return _pgettext("", text, **values)


def _pgettext(context: str, text: str, /, **values: object) -> Markup:
    language = translation.get_language()
    return _message(language, context, text) % values if values else _filled(language, context, text)


@lru_cache(4096)
def _message(_language: str | None, context: str, text: str) -> Markup:
    return Markup(translation.pgettext(context, text) if context else translation.gettext(text))


@lru_cache(4096)
def _filled(language: str | None, context: str, text: str) -> Markup:
    """A message without values; `%%` becomes `%`."""
    return _message(language, context, text) % {}


@lru_cache(4096)
def address(draft: str | None, card: str = "") -> str:
    """The query string of the same page with that draft, and with the sheet of a card."""
    return "?" + urlencode({name: text for name, text in (("draft", draft), ("card", card)) if text})


def _url(name: str, *args: Any) -> str:
    return reverse(name, args=args)


# --- pieces: they depend only on their arguments, so each is drawn once ---


def _piece(name: str, *args: Any) -> Markup:
    template: Any = engines["jinja"].get_template("games/_pieces.jinja")
    drawn: Markup = getattr(template.template.module, name)(*args)
    return drawn


def _sprite(name: str) -> str:
    """The address of the file with that drawing."""
    return static(f"games/{SPRITES.get(name, 'gems')}.svg")


@cache
def gem(kind: str, text: str | int | None = None, classes: str = "") -> Markup:
    """The drawing of a token, with a number or letter on it."""
    return _piece("gem", kind, text, classes)


@cache
def crest(seat: int) -> Markup:
    """The crest of a seat."""
    return _piece("crest", seat)


@cache
def drawing(name: str, classes: str = "") -> Markup:
    """A symbol of the sprite."""
    return _piece("drawing", name, classes)


# --- events with drawn tokens ---


@phrases.told_once
def stones(spelled: str) -> Markup:
    """The drawings of these tokens, with words for screen readers."""
    if spelled == "-":
        return escape(phrases.tokens(spelled))
    return _piece("stones", phrases.tokens(spelled), [GEMS[kind] for kind in spelled])


@cache
def _drawn(slug: str) -> Drawn:
    """The drawings that replace words, by placeholder of the title's sentences."""
    tiles = {name: _tiles(tile) for name, tile in wording.board_words(slug).TILES.items()}
    return {"tokens": stones, "payment": stones, **tiles}


def _tiles(tile: Callable[[str], tuple[str, str, int]]) -> Callable[[str], Markup]:
    return phrases.told_once(lambda card: _piece("tile", *tile(card)))


def event_line(slug: str, event: Event, names: Sequence[str], reader: int | None = None) -> Markup:
    """The sentence of `games.wording` about an event, with drawings of the tokens in it; screen readers get the
    words."""
    return _event_line(translation.get_language(), slug, event, tuple(names), reader)


@lru_cache(4096)
def _event_line(language: str | None, slug: str, event: Event, names: tuple[str, ...], reader: int | None) -> Markup:
    facts = event.facts
    drawn = {name: draw(str(facts[name])) for name, draw in _drawn(slug).items() if name in facts}
    if "seat" in facts:
        drawn["player"] = Markup("<b>{}</b>").format(names[int(facts["seat"])])
    # The sentence is escaped with its words; the drawings are put in afterwards.
    line = str(escape(wording.event(slug, event, names, {name: f"\0{name}\0" for name in drawn}, reader=reader)))
    for name, drawing_ in drawn.items():
        line = line.replace(f"\0{name}\0", drawing_)
    return Markup(line)
