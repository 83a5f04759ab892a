"""HTML and CSS that mail programs support. A test checks every mail against these lists.

They come from the tests of https://www.caniemail.com (data of 2024) for Gmail (web, iOS, Android), Outlook (Windows,
where Word draws the mail, macOS, web, iOS, Android) and Apple Mail (macOS, iOS); each property is a page there, such as
https://www.caniemail.com/features/css-border/.
"""

from collections.abc import Mapping

CELLS = frozenset({"td", "th"})
TABLES = CELLS | {"table"}
TEXT = CELLS | {"p", "h1", "h2", "a", "b", "span"}

SUPPORTED: Mapping[str, frozenset[str]] = {
    "background-color": TABLES | TEXT | {"body"},
    "color": TEXT,
    "font": TEXT,
    "letter-spacing": TEXT,
    "text-align": TABLES | {"p", "h1", "h2"},
    "text-decoration": TEXT,
    "vertical-align": TABLES,
    # Outlook on Windows supports padding only on cells, borders up to 8 px but not on paragraphs, no negative margins
    # and none on `span`, and widths only of tables and cells.
    "padding": CELLS,
    "border": TABLES | {"span"},
    "border-top": TABLES,
    "border-bottom": TABLES,
    "margin": frozenset({"body", "p", "h1", "h2", "table"}),
    "width": TABLES,
    "border-collapse": frozenset({"table"}),
}
"""For each property, the elements on which all these programs support it."""

IGNORED: Mapping[str, frozenset[str]] = {
    "border-radius": TABLES | {"span", "a"},
    "max-width": frozenset({"table"}),
    "display": frozenset({"a"}),
    "padding": frozenset({"a", "span"}),
}
"""Properties that only Outlook on Windows ignores: corners are square there, an extra table sets the width, and only
the words of a button can be clicked."""

TAGS = frozenset({"html", "head", "meta", "title", "body", "table", "tbody", "tr", "br"}) | TEXT
"""No images, no styles outside of elements, no scripts, no forms."""
