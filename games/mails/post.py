"""Renders a letter as a message: text, HTML with inline styles, headers."""

import re
from collections.abc import Mapping, Sequence
from textwrap import fill

from django.core.mail import EmailMultiAlternatives
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import letterhead
from games.mails.parts import Grid, LabelledLine, Letter, MailChoice, MailLink, Section, plain
from games.wording import phrases

WIDTH = 76
"""The maximum length of a line of text."""


def message(letter: Letter, to: str, links: Sequence[MailLink], headers: Mapping[str, str]) -> EmailMultiAlternatives:
    """The message in the active language and time zone. `links` come last: they opt out of such mails."""
    mail = EmailMultiAlternatives(letter.subject, text(letter, links), to=[to], headers=dict(headers))
    mail.attach_alternative(html(letter, links), "text/html")
    return mail


# --- HTML ---


def html(letter: Letter, links: Sequence[MailLink]) -> str:
    page = letterhead.drawn("emails/letter.html", {"letter": letter, "links": links, "language": get_language()})
    return re.sub(r"[ \t]*\n[ \t\n]*", "\n", page)


# --- text ---


def text(letter: Letter, links: Sequence[MailLink]) -> str:
    blocks = [letter.lead, letter.about, *map(_wrapped, letter.intro)]
    for section in letter.sections:
        blocks.append(f"\n{section.heading.upper()}")
        blocks.append(_section(section))
    if letter.button:
        blocks.append(f"\n{_link(letter.button)}")
    small = [*map(_wrapped, letter.notes), *map(_link, links)]
    return "\n\n".join([*blocks, "-- \n" + "\n\n".join(small)]) + "\n"


def _link(link: MailLink) -> str:
    return "\n".join([_("%(label)s:") % {"label": link.label}, link.url])


def _wrapped(words: str) -> str:
    return fill(words, WIDTH, break_long_words=False, break_on_hyphens=False)


def _section(section: Section) -> str:
    parts = []
    if section.rows:
        parts.append(_rows(section.rows))
    if section.grid:
        parts.append(_grid(section.grid))
    if section.text:
        parts.append("\n".join(map(_wrapped, section.text.splitlines())))
    if section.choices:
        parts.append("\n\n".join(map(_choice, section.choices)))
    return "\n\n".join(parts)


def _rows(rows: Sequence[LabelledLine]) -> str:
    """The rows with labels in their own column, unless a label is too long for it."""
    broad = max(len(row.label) for row in rows)
    if broad > WIDTH // 3:
        return "\n".join(
            _hanging(_("%(label)s: %(words)s") % {"label": row.label, "words": plain(row.line)}, "  ") for row in rows
        )
    indent = " " * (broad + 2)
    return "\n".join(_hanging(f"{row.label:<{broad}}  {plain(row.line)}", indent) for row in rows)


def _hanging(words: str, indent: str) -> str:
    # Keep the spaces at the beginning, which align the label.
    return fill(words, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _grid(grid: Grid) -> str:
    table = [grid.heads, *grid.rows]
    broad = [max(len(row[column]) for row in table) for column in range(len(grid.heads))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(broad[0]), *(cell.rjust(width) for cell, width in zip(row[1:], broad[1:], strict=True))]
        )
        for row in table
    )


def _choice(choice: MailChoice) -> str:
    label = phrases.detailed(plain(choice.label), [plain(choice.detail)] if choice.detail else [])
    words = _hanging(f"* {label}", "  ")
    return f"{words}\n  {choice.url}" if choice.url else words
