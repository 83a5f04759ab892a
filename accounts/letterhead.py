"""The look of mails: inline styles, with the colours of the pages in the light theme."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from css_inline import CSSInliner
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe


def drawn(template: str, context: Mapping[str, object]) -> str:
    """The HTML of a mail, with inline styles. The template puts `styles`, the style sheet of the same name, into its
    head, and takes colours for attributes from `colours`."""
    sheet = template.replace(".html", ".css")
    page = render_to_string(template, {**context, "styles": _styles(sheet), "colours": colours()})
    return _inliner().inline(page)


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(keep_style_tags=False, load_remote_stylesheets=False)


@cache
def _styles(sheet: str) -> SafeString:
    """The style sheet with values in place of custom properties, which mail programs do not know."""
    return mark_safe(re.sub(r"var\(--([\w-]+)\)", lambda found: colours()[_key(found[1])], render_to_string(sheet)))


@cache
def colours() -> Mapping[str, str]:
    """The light colour of each token in `tokens.css`, by its name with underscores."""
    path = finders.find("games/tokens.css")
    assert path is not None
    tokens = re.findall(r"--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})\b", Path(path).read_text())
    return {_key(name): colour for name, colour in tokens}


def _key(token: str) -> str:
    """The token's name with underscores: templates allow no hyphens in names."""
    return token.replace("-", "_")
