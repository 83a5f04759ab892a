"""What a mail consists of, as plain values without a form: `games.mails.post` draws them once as text and once as
HTML, so that both say the same."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.boards.gems import GEMS
from games.wording import common

NBSP = "\N{NO-BREAK SPACE}"


class Pill(NamedTuple):
    """So many tokens or bonuses of a kind, drawn with a stone of their colour; or something else, without."""

    gem: str
    text: str

    @property
    def label(self) -> str:
        """The words on one line, which may end after a comma where letters are wide."""
        return self.text.replace(" ", NBSP).replace(f",{NBSP}", ", ")


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a line: its words, and for tokens the pills that are drawn instead."""

    text: str
    strong: bool = False
    pills: tuple[Pill, ...] = ()


Line = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A line with what it is about before it: a number, a name."""

    label: str
    line: Line

    @property
    def tied(self) -> str:
        """The label, on one line if it is short."""
        return self.label.replace(" ", NBSP) if len(self.label) <= SHORT else self.label


SHORT = 15
"""Letters of a label that stay together."""
LONG = 23
"""Letters that a pill holds."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to do; without `url` the reader is only told of it."""

    label: Line
    note: Line = ()
    url: str = ""


class Grid(NamedTuple):
    """Numbers of several people: the first column holds names."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Link(NamedTuple):
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    text: str = ""
    rows: tuple[Row, ...] = ()
    grid: Grid | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """All that a mail says."""

    subject: str
    lead: str
    """Its first line, which lists of mails show too."""
    about: str
    """Which table it is about."""
    intro: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    button: Link | None = None
    notes: tuple[str, ...] = ()
    """In small print."""


def line(*pieces: str | Run) -> Line:
    return tuple(Run(piece) if isinstance(piece, str) else piece for piece in pieces)


def plain(line: Line) -> str:
    """Its words alone."""
    return "".join(run.text for run in line)


def filled(pattern: str, **gaps: Run | Line) -> Line:
    """The sentence, with a run or several in the place of each of its placeholders `%(name)s`."""
    return parted(pattern % {name: marked(name) for name in gaps}, gaps)


def marked(name: str) -> str:
    """What stands in a sentence for runs that take its place later."""
    return f"\0{name}\0"


def parted(sentence: str, gaps: Mapping[str, Run | Line]) -> Line:
    """The sentence with the runs in the places that are marked for them."""
    found: list[Run] = []
    for place, piece in enumerate(sentence.split("\0")):
        filler = gaps[piece] if place % 2 else Run(piece)
        found += [filler] if isinstance(filler, Run) else filler
    return tuple(run for run in found if run.text)


def tokens(spelled: str) -> Run:
    """“2 diamonds and 1 ruby” for `wwr`, each kind a pill; “no tokens” for `-`."""
    counts = Counter(spelled if spelled != "-" else "")
    pills = tuple(Pill(GEMS[kind], common.tokens(kind * number)) for kind, number in counts.items())
    return Run(common.tokens(spelled), pills=pills)


def bonuses(counts: Iterable[tuple[str, int]]) -> Run:
    """“3 white, 1 red”, each colour a pill; “none”."""
    pills = tuple(
        # Translators: so many bonuses of a colour: “3 white”.
        Pill(GEMS[kind], _("%(number)d %(colour)s") % {"number": number, "colour": common.colour(kind)})
        for kind, number in counts
        if number
    )
    if not pills:
        return Run(pgettext("bonuses", "none"))
    return Run(listed(pill.text for pill in pills), pills=pills)


def tile(gem: str, looks: Sequence[str], words: str = "") -> Run:
    """A card by its colour: “green, 2 points”, in text by other words if told. What is too long for a narrow screen is
    drawn in pieces."""
    text = listed(looks)
    first, *rest = [text] if len(text) <= LONG else looks
    return Run(words or text, pills=(Pill(gem, first), *(Pill("", look) for look in rest)))


def listed(details: Iterable[str]) -> str:
    """“green, 2 points”."""
    return pgettext("between details", ", ").join(details)
