"""The parts of a mail as plain values. `games.mails.post` renders them as text and as HTML, so that both say the
same."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from django.utils.translation import pgettext

from games.boards.gems import GEMS
from games.wording import phrases

NBSP = "\N{NO-BREAK SPACE}"


class Pill(NamedTuple):
    """A number of tokens or bonuses of one kind, drawn in their colour; or other words, without a colour."""

    gem: str
    text: str

    @property
    def label(self) -> str:
        """The words without line breaks except after a comma, for screens with wide letters."""
        return self.text.replace(" ", NBSP).replace("," + NBSP, ", ")


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a line: its words, and for tokens the pills that HTML draws instead."""

    text: str
    strong: bool = False
    pills: tuple[Pill, ...] = ()


Line = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A line with a label, such as a number or a name."""

    label: str
    line: Line

    @property
    def tied(self) -> str:
        """The label, without a line break if it is short."""
        return self.label.replace(" ", NBSP) if len(self.label) <= SHORT else self.label


SHORT = 15
"""The maximum length of a label that stays on one line."""
LONG = 23
"""The maximum length of a pill's text."""


@dataclass(frozen=True, slots=True)
class MailChoice:
    """A choice of the reader; without a `url` it is only mentioned."""

    label: Line
    detail: Line = ()
    url: str = ""


class Grid(NamedTuple):
    """A table of numbers with the players' names in the first column."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class MailLink(NamedTuple):
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    text: str = ""
    rows: tuple[LabelledLine, ...] = ()
    grid: Grid | None = None
    choices: tuple[MailChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """The whole content of a mail."""

    subject: str
    lead: str
    """The first line, which lists of mails also show."""
    about: str
    """The table that the mail is about."""
    intro: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    button: MailLink | None = None
    notes: tuple[str, ...] = ()
    """The small print."""


def line(*pieces: str | Run) -> Line:
    return tuple(Run(piece) if isinstance(piece, str) else piece for piece in pieces)


def plain(line: Line) -> str:
    """The words of the line."""
    return "".join(run.text for run in line)


def filled(pattern: str, **gaps: Run | Line) -> Line:
    """The sentence with runs in place of its placeholders `%(name)s`."""
    return parted(pattern % {name: marked(name) for name in gaps}, gaps)


def marked(name: str) -> str:
    """A mark in a sentence that runs replace later."""
    return f"\0{name}\0"


def parted(sentence: str, gaps: Mapping[str, Run | Line]) -> Line:
    """The sentence with runs in place of their marks."""
    found: list[Run] = []
    for place, piece in enumerate(sentence.split("\0")):
        filler = gaps[piece] if place % 2 else Run(piece)
        found += [filler] if isinstance(filler, Run) else filler
    return tuple(run for run in found if run.text)


def beside(*lines: Line) -> Line:
    """Independent facts on one line: “9 of 15 · Ana 12”. Empty ones are left out."""
    return reduce(lambda before, item: filled(str(phrases.BESIDE), items=before, item=item), filter(None, lines))


def tokens(spelled: str) -> Run:
    """“2 diamonds and 1 ruby” for `wwr`, each kind a pill; “no tokens” for `-`."""
    counts = Counter(spelled if spelled != "-" else "")
    pills = tuple(Pill(GEMS[kind], phrases.tokens(kind * number)) for kind, number in counts.items())
    return Run(phrases.tokens(spelled), pills=pills)


def bonuses(counts: Iterable[tuple[str, int]]) -> Run:
    """“3 white, 1 red”, each colour a pill; “none”."""
    pills = tuple(Pill(GEMS[kind], phrases.BONUSES[kind] % {"number": number}) for kind, number in counts if number)
    if not pills:
        return Run(pgettext("bonuses", "none"))
    return Run(phrases.listed(pill.text for pill in pills), pills=pills)


def tile(gem: str, looks: Sequence[str], words: str = "") -> Run:
    """A card in its colour: “green, 2 points”; the text uses `words` if they are given. Long descriptions are split for
    narrow screens."""
    text = phrases.listed(looks)
    first, *rest = [text] if len(text) <= LONG else looks
    return Run(words or text, pills=(Pill(gem, first), *(Pill("", look) for look in rest)))
