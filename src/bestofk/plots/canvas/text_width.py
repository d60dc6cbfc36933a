"""How wide words are, and names that fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any
from unicodedata import category, east_asian_width

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72.0
LINE = 1.3  # height of a line of text, in font sizes
SMALL = 6.8  # points: the smallest letters, 12 pixels where a phone shows the narrowest figure


def clean(words: object) -> str:
    """One line without control characters, which neither a line of text nor SVG can hold."""
    return "".join(" " if category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign for sign in str(words))


def literal(words: object) -> str:
    """Words for matplotlib, which would read dollars as the ends of a formula."""
    return clean(words).replace("$", r"\$")


def text_width(words: str, size: float) -> float:
    """Width in millimetres of a line of text, its font size in points."""
    return _ems(words) * size * MM_PER_POINT


@lru_cache(maxsize=1 << 15)
def _ems(words: str) -> float:
    """Width in font sizes. A wide sign is a square in whatever font has it; what stands for it in none is wider."""
    narrow = "".join(sign for sign in words if east_asian_width(sign) not in "WF")
    width = 1.15 * (len(words) - len(narrow))
    return width + _measured(narrow) if narrow else width


def _measured(words: str) -> float:
    paths, font = _font()
    width, _, _ = paths.get_text_width_height_descent(words, font, ismath=False)
    return float(width) / 100.0


@cache
def _font() -> tuple[Any, Any]:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    return TextToPath(), FontProperties(family="DejaVu Sans", size=100.0)


def line_height(size: float) -> float:
    """Height in millimetres that a line of text needs."""
    return size * LINE * MM_PER_POINT


def shortened(names: Sequence[str], widest: float, size: float) -> tuple[str, ...]:
    """Names no wider than so many millimetres, the middle left out, no two alike."""
    whole = [clean(name) for name in names]
    cuts = [fitted(name, widest, size) for name in whole]
    for cut in {cut for cut in cuts if cuts.count(cut) > 1}:
        alike = [i for i, each in enumerate(cuts) if each == cut]
        shared = _shared_start([whole[i] for i in alike])
        for i in alike:  # what tells them apart lies in the middle
            cuts[i] = _from_difference(whole[i], shared, widest, size)
    return _numbered(cuts, whole, widest, size)


def _shared_start(names: Sequence[str]) -> int:
    """How many first letters all names share."""
    columns = enumerate(zip(*names, strict=False))
    return next((i for i, signs in columns if len(set(signs)) > 1), min(len(name) for name in names))


def _from_difference(name: str, shared: int, widest: float, size: float) -> str:
    """A few first letters, then the name from where it differs from its likes."""
    rest = name[shared:]
    if shared < 4 or not rest:
        return fitted(name, widest, size)
    start = name[:3] + "…"
    for kept in range(len(rest), 0, -1):
        cut = start + (rest if kept == len(rest) else rest[:kept] + "…")
        if text_width(cut, size) <= widest:
            return cut
    return fitted(name, widest, size)


def _numbered(cuts: Sequence[str], whole: Sequence[str], widest: float, size: float) -> tuple[str, ...]:
    """The last resort: a number for names that are still alike."""
    short: list[str] = []
    for cut, name in zip(cuts, whole, strict=True):
        number = 2
        while cut in short:
            ending = f"~{number}"
            cut = fitted(name, widest - text_width(ending, size), size) + ending
            number += 1
        short.append(cut)
    return tuple(short)


def fitted(name: str, widest: float, size: float) -> str:
    """The name, or its beginning and end around a mark of omission, in the room given."""
    if text_width(name, size) <= widest:
        return name
    few, many = 1, len(name) - 1  # letters kept
    while few < many:
        middle = (few + many + 1) // 2
        few, many = (middle, many) if text_width(_cut(name, middle), size) <= widest else (few, middle - 1)
    return _cut(name, few)


def _cut(name: str, kept: int) -> str:
    """Two thirds of the letters kept from the beginning, the rest from the end."""
    head = (kept * 2 + 2) // 3
    return name[:head].rstrip() + "…" + name[len(name) - (kept - head) :].lstrip()


def wrapped(words: str, widest: float, size: float, *, most: int = 3) -> list[str]:
    """Lines no wider than so many millimetres; a wider word, and what is more than so many lines, loses its middle."""
    lines: list[str] = []
    for whole in clean(words).split():
        word = whole if text_width(whole, size) <= widest else fitted(whole, widest / 2, size)
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == most or text_width(longer, size) <= widest):
            lines[-1] = longer
        else:
            lines.append(word)
    return [fitted(line, widest, size) for line in lines]


def widest_of(names: Sequence[str], size: float) -> float:
    """Width in millimetres of the widest name."""
    return max((text_width(clean(name), size) for name in names), default=0.0)
