"""A picture as a PNG of 256 colours: a third of the size, and hardly to be told from the original."""

import struct
import zlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

COLOURS = 256
Colour = tuple[int, int, int]


def encode(pixels: bytes, width: int) -> bytes:
    """The PNG of a picture that is given as four bytes a pixel (red, green, blue, opacity), all of them opaque."""
    quads = memoryview(pixels).cast("I").tolist()
    boxes = _cut([((quad & 255, quad >> 8 & 255, quad >> 16 & 255), count) for quad, count in Counter(quads).items()])
    index = {colour: number for number, box in enumerate(boxes) for colour, _count in box.colours}
    places = bytes(index[quad & 255, quad >> 8 & 255, quad >> 16 & 255] for quad in quads)
    rows = [places[start : start + width] for start in range(0, len(places), width)]
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", b"".join(bytes(round(mean) for mean in box.means) for box in boxes)),
            _chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)),
            _chunk(b"IEND", b""),
        ]
    )


@dataclass(frozen=True)
class _Box:
    """Colours that become one, each with the number of its pixels."""

    colours: list[tuple[Colour, int]]

    @cached_property
    def means(self) -> list[float]:
        pixels = sum(count for _colour, count in self.colours)
        return [sum(colour[axis] * count for colour, count in self.colours) / pixels for axis in range(3)]

    @cached_property
    def spread(self) -> tuple[float, int]:
        """How much is wrong along the worst axis, and which one that is."""
        return max(
            (sum((colour[axis] - self.means[axis]) ** 2 * count for colour, count in self.colours), axis)
            for axis in range(3)
        )

    def halves(self) -> list["_Box"]:
        """What lies below the mean of the worst axis, and the rest."""
        _error, axis = self.spread
        parts: tuple[list[tuple[Colour, int]], list[tuple[Colour, int]]] = ([], [])
        for colour, count in self.colours:
            parts[colour[axis] > self.means[axis]].append((colour, count))
        return [_Box(part) for part in parts]


def _cut(colours: list[tuple[Colour, int]]) -> list[_Box]:
    """Halve the box that is most wrong, again and again."""
    boxes = [_Box(colours)]
    while len(boxes) < COLOURS:
        worst = max(boxes, key=lambda box: box.spread)
        if not worst.spread[0]:
            break
        boxes.remove(worst)
        boxes += worst.halves()
    return boxes


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
