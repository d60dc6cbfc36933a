"""Small sets by formula, so that something is compared with J48 where the data folder is absent."""

from __future__ import annotations

import numpy as np

from golden.c45.sheets_of_sets import Sheet


def _mixed(rows: int, step: int, gaps: int) -> Sheet:
    """Numbers, levels and gaps that depend on one another, with some noise; whole-number arithmetic only."""
    place = np.arange(rows)
    draw = (place * 7919 + step * 104729) % 10007
    number = (draw % 101) / 4.0
    other = (draw // 7 % 89).astype(float)
    colour = (draw // 11 % 4).astype(float)
    shape = (draw // 5 % 3).astype(float)
    y = ((number > 12.5).astype(int) + (colour == 2) + (shape * other > 60)) % 3
    noisy = draw % 13 == 0
    y = np.where(noisy, (y + 1) % 3, y)
    columns = [number, colour, other, shape]
    if gaps:
        columns = [np.where((draw // (3 + at)) % gaps == at, np.nan, each) for at, each in enumerate(columns)]
    return Sheet(columns, [0, 4, 0, 3], y, 3)


def _nominal(rows: int) -> Sheet:
    """Level 3 of the first feature is declared and never occurs."""
    draw = (np.arange(rows) * 6101 + 17) % 4093
    columns = [(draw % 3).astype(float), (draw // 3 % 4).astype(float), (draw // 29 % 2).astype(float)]
    y = ((columns[0] == columns[2]) | (columns[1] == 3)).astype(int)
    return Sheet(columns, [4, 4, 2], np.where(draw % 17 == 0, 1 - y, y), 2)


SETS = {
    "small-mixed": _mixed(160, 1, 0),
    "small-mixed-gaps": _mixed(200, 2, 9),
    "small-many-gaps": _mixed(120, 3, 4),
    "small-nominal": _nominal(140),
    "small-numbers": Sheet([*_mixed(180, 5, 0).columns[::2]], [0, 0], _mixed(180, 5, 0).y, 3),
}
