"""What mail programs can draw. A test holds every mail to these lists.

Taken from the tests of https://www.caniemail.com (data of 2024) for Gmail (web, iOS, Android), Outlook (Windows, where
Word draws the mail, macOS, web, iOS, Android) and Apple Mail (macOS, iOS); each property is a page there, such as
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
    "text-align": TABLES | {"p", "h1", "h2"},
    "text-decoration": TEXT,
    "vertical-align": TABLES,
    # In Outlook on Windows: padding on cells alone, borders up to 8 px and not of paragraphs, no negative margins and
    # none of a `span`, widths of tables and cells alone.
    "padding": CELLS,
    "border": TABLES | {"span"},
    "border-top": TABLES,
    "border-bottom": TABLES,
    "margin": frozenset({"body", "p", "h1", "h2", "table"}),
    "width": TABLES,
    "border-collapse": frozenset({"table"}),
}
"""By property the elements on which all of them draw it."""

IGNORED: Mapping[str, frozenset[str]] = {
    "border-radius": TABLES | {"span", "a"},
    "max-width": frozenset({"table"}),
    "display": frozenset({"a"}),
    "padding": frozenset({"a", "span"}),
}
"""What Outlook on Windows alone leaves out: corners are square there, a table of its own holds the width, of a button
only the words can be clicked."""

TAGS = frozenset({"html", "head", "meta", "title", "body", "table", "tbody", "tr", "br"}) | TEXT
"""No images, no styles outside of elements, no scripts, no forms."""
