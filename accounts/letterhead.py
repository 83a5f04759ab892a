"""The look of mails: their styles go into the elements, and their colours are those of the pages in the light theme."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from css_inline import CSSInliner
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe


def drawn(template: str, context: Mapping[str, object]) -> str:
    """The HTML of a mail. Its template puts `styles`, the sheet of the same name, into its head, and takes the value of
    an attribute from `colours`."""
    sheet = template.replace(".html", ".css")
    page = render_to_string(template, {**context, "styles": _styles(sheet), "colours": _colours()})
    return _inliner().inline(page)


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_style_tags=False, load_remote_stylesheets=False)


@cache
def _styles(sheet: str) -> SafeString:
    """Mail programs know no custom properties."""
    colours = _colours()
    return mark_safe(re.sub(r"var\(--([\w-]+)\)", lambda found: colours[_key(found[1])], render_to_string(sheet)))


@cache
def _colours() -> Mapping[str, str]:
    """The light colour of each token of `tokens.css`, by its name with underscores."""
    path = finders.find("games/tokens.css")
    assert path is not None
    tokens = re.findall(r"--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})\b", Path(path).read_text())
    return {_key(name): colour for name, colour in tokens}


def _key(token: str) -> str:
    """Templates know no hyphens in names."""
    return token.replace("-", "_")
