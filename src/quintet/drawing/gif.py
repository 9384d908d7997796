"""Pictures one after another as an animated GIF."""

import re
import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quintet.drawing.canvas import COLOURS, Canvas, colour_table

BITS = COLOURS.bit_length()
"""Bits of a pixel: one number more than there are colours is for pixels that stay as they are."""
UNCHANGED = COLOURS
LONGEST_CODE = 12
"""Bits of the longest code; the table of codes starts again when it is full."""
RUN = re.compile(rb"(.)\1*", re.DOTALL)


class Frame(NamedTuple):
    """What changes at a place in the picture, and for how long it is shown."""

    canvas: Canvas
    left: int
    top: int
    hundredths: int
    """Hundredths of a second."""


def gif(frames: Sequence[Frame], dark: bool = False) -> bytes:
    """Frames as a GIF file that repeats for ever; the first of them is as large as the picture."""
    first = frames[0].canvas
    table = colour_table(dark).ljust(3 << BITS, b"\0")
    head = b"GIF89a" + struct.pack("<HHBBB", first.width, first.height, 0xF0 | BITS - 1, 0, 0) + table
    repeat = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return head + repeat + b"".join(map(frame_bytes, frames)) + b";"


def frame_bytes(frame: Frame) -> bytes:
    """One picture over those before it."""
    canvas = frame.canvas
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, frame.hundredths, UNCHANGED, 0)
    place = struct.pack("<BHHHHB", 0x2C, frame.left, frame.top, canvas.width, canvas.height, 0)
    data = pack(compress(canvas.numbers))
    blocks = (data[i : i + 255] for i in range(0, len(data), 255))
    return control + place + bytes([BITS]) + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def compress(pixels: bytes | bytearray) -> Iterator[tuple[int, int]]:
    """Lempel, Ziv and Welch's codes of pixels, each with its length in bits.

    Pictures have long runs of one colour, and a run takes only a few steps: its codes are in a list.
    """
    clear, end = 1 << BITS, (1 << BITS) + 1
    length, following = BITS + 1, end + 1
    codes: dict[int, int] = {}
    runs = [[number] for number in range(clear)]  # For each colour the codes of one pixel, of two, of three ...
    yield clear, length
    code = pixels[0]  # What was read and not written yet,
    same = int(pixels[:1] == pixels[1:2])  # and its length, if it is a run that continues.
    for found in RUN.finditer(pixels, 1):
        pixel, left = found[0][0], len(found[0])
        known = runs[pixel]
        while left:
            if same:
                taken = min(left, len(known) - same)
                same, left = same + taken, left - taken
                code = known[same - 1]
                if not left:
                    break
            elif (longer := codes.get(code << 8 | pixel)) is not None:
                code, left = longer, left - 1
                continue
            yield code, length
            if following == 1 << LONGEST_CODE:
                yield clear, length
                length, following = BITS + 1, end + 1
                codes.clear()
                for known in runs:
                    del known[1:]
                known = runs[pixel]
            else:
                length += following == 1 << length
                if same:
                    known.append(following)
                else:
                    codes[code << 8 | pixel] = following
                following += 1
            code, same, left = pixel, 1, left - 1
        same = 0
    yield code, length
    yield end, min(LONGEST_CODE, length + (following == 1 << length))


def pack(codes: Iterator[tuple[int, int]]) -> bytes:
    """Codes as bytes, the lowest bit first."""
    packed = bytearray()
    waiting = bits = 0
    for code, length in codes:
        waiting |= code << bits
        bits += length
        while bits >= 8:
            packed.append(waiting & 0xFF)
            waiting >>= 8
            bits -= 8
    if bits:
        packed.append(waiting)
    return bytes(packed)
