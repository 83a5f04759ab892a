"""The picture of a finished game that chats show beside a link: names, points and bars, so that it needs no language.
`docs.pictures.make` draws the signs in this folder and the pictures of titles."""

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from django.contrib.staticfiles import finders
from PIL import Image, ImageDraw, ImageFont

from accounts.letterhead import colours

WIDTH, HEIGHT = 1200, 630
SPINE = 400
"""The width of the left part, which comes from the title's picture."""
LEAF = (446, 46, 1154, 584)
"""The leaf with the standing: left, top, right, bottom."""
INSIDE = 34
"""The distance of the rows from the sides of the leaf."""
ROW, MAX_ROW = 120, 160
"""The height of a row at scale 1, and the maximum; rows of two players do not fill the leaf."""
FINE = 2
"""Shapes are drawn larger by this factor, and reduced for smooth edges."""
LAUREL = 4
"""The place of the winner's sign, after the crests."""


class Row(NamedTuple):
    """A player in the standing."""

    seat: int
    """From 0 to 3, for the crest."""
    name: str
    points: int
    won: bool


def of_result(title: str, rows: Sequence[Row], goal: int) -> bytes:
    """A PNG of 1200 × 630 pixels with the rows, best first, beside the left part of the title's picture, which is a
    static file. A full bar has `goal` points, or those of the best player if these are more."""
    picture = _ground(title).copy()
    left, top, right, bottom = LEAF
    height = min((bottom - top - INSIDE) // len(rows), MAX_ROW)
    most = max(goal, *(row.points for row in rows))
    y = (top + bottom - height * len(rows)) // 2
    for place, row in enumerate(rows):
        _draw_row(picture, row, (left + INSIDE, y, right - INSIDE, y + height), most, first=place == 0)
        y += height
    file = BytesIO()
    picture.quantize(method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def can_write(text: str) -> bool:
    """Whether our fonts have every letter of the text; they have those of English and French."""
    font = _font("text-700", 20, ImageFont.Layout.BASIC)
    missing = bytes(font.getmask("\N{REPLACEMENT CHARACTER}"))
    return all(bytes(font.getmask(letter)) != missing for letter in text if not letter.isspace())


def _draw_row(picture: Image.Image, row: Row, box: tuple[int, int, int, int], most: int, *, first: bool) -> None:
    """A crest, the name, the points at the right end, and the bar below. A line separates the rows."""
    left, top, right, bottom = box
    colour, pen = colours(), ImageDraw.Draw(picture)

    def scaled(length: int) -> int:
        return round(length * (bottom - top) / ROW)

    if not first:
        pen.line((left, top, right, top), colour["line"], 2)
    base = (top + bottom) // 2 + scaled(4)
    x, end = left + scaled(56), right - scaled(104)
    _stamp(picture, row.seat, (left, base - scaled(36)), scaled(40), colour["ink"])
    points = _font("display-600", scaled(64))
    pen.text((right, base + scaled(21)), str(row.points), colour["ink"], points, anchor="rs")
    style, size = "text-700" if row.won else "text-500", scaled(40)
    room = end - x - (scaled(56) if row.won else 0)
    while _font(style, size).getlength(row.name) > room:
        size -= 1
    name = _font(style, size)
    pen.text((x, base), row.name, colour["ink"], name, anchor="ls")
    if row.won:
        beside = x + round(name.getlength(row.name)) + scaled(14)
        _stamp(picture, LAUREL, (beside, base - scaled(36)), scaled(42), colour["gilt"])
    full = max(row.points, 0) / most
    _bar(picture, (x, base + scaled(17), end, base + scaled(27)), full, colour["gilt_line" if row.won else "edge"])


def _bar(picture: Image.Image, box: tuple[int, int, int, int], full: float, colour: str) -> None:
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    bar = Image.new("RGB", (width * FINE, height * FINE), colours()["surface"])
    pen, radius = ImageDraw.Draw(bar), height * FINE // 2
    pen.rounded_rectangle((0, 0, bar.width - 1, bar.height - 1), radius, colours()["table_3"])
    if full:
        end = max(round(bar.width * full), bar.height) - 1
        pen.rounded_rectangle((0, 0, end, bar.height - 1), radius, colour)
    picture.paste(bar.resize((width, height), Image.Resampling.LANCZOS), (left, top))


def _stamp(picture: Image.Image, sign: int, place: tuple[int, int], size: int, colour: str) -> None:
    sheet = _signs()
    mask = sheet.crop((sign * sheet.height, 0, (sign + 1) * sheet.height, sheet.height))
    picture.paste(colour, place, mask.resize((size, size), Image.Resampling.LANCZOS))


@cache
def _signs() -> Image.Image:
    """The crests and the laurel beside each other, each a square, as a mask."""
    return Image.open(Path(__file__).parent / "signs.png").convert("L")


@cache
def _font(name: str, size: int, layout: ImageFont.Layout | None = None) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_found(f"games/fonts/{name}.woff2"), size, layout_engine=layout)


@cache
def _ground(title: str) -> Image.Image:
    """The picture without rows."""
    colour = colours()
    ground = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), colour["table"])
    pen = ImageDraw.Draw(ground)
    for grown, radius, fill in ((6, 18, "table_2"), (0, 12, "surface")):
        left, top, right, bottom = LEAF
        box = (left - grown, top - grown, right + grown, bottom + grown)
        pen.rounded_rectangle([edge * FINE for edge in box], radius * FINE, colour[fill], colour["line"], FINE)
    ground = ground.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    ground.paste(Image.open(_found(title)).convert("RGB").crop((0, 0, SPINE, HEIGHT)))
    return ground


def _found(name: str) -> str:
    """The path of a static file."""
    path = finders.find(name)
    assert isinstance(path, str)
    return path
