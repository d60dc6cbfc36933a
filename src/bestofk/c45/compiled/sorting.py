"""The rows of a node in the order of a feature's values: kept so, counted out or, a handful, put in one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.compiling import compiled, inlined

#: Up to so many rows are put in one by one; nodes with no more need no order that is kept.
HANDFUL = 24


@inlined
def keys_in_order(keys: Any, shift: Any, size: Any, rows: Any, kept: Any, sorted_already: Any, room: Any) -> Any:
    """Write the keys of the rows to ``room.sorted``; ``kept`` are the same rows in order where they are kept so."""
    number, ordered = rows.shape[0], room.sorted
    if number <= HANDFUL:
        for place in range(number):
            key, at = np.int64(keys[rows[place]]), place
            while at > 0 and ordered[at - 1] > key:
                ordered[at] = ordered[at - 1]
                at -= 1
            ordered[at] = key
    elif sorted_already:
        for place in range(number):
            ordered[place] = keys[kept[place]]
    else:
        _starts(keys, shift, size, rows, room.starts)
        for place in range(number):
            key = np.int64(keys[rows[place]])
            ordered[room.starts[key >> shift]] = key
            room.starts[key >> shift] += 1


@compiled
def rows_in_order(keys: Any, shift: Any, size: Any, rows: Any, kept: Any, sorted_already: Any, room: Any) -> Any:
    """The same for the rows themselves."""
    number, ordered = rows.shape[0], room.sorted
    if number <= HANDFUL:
        for place in range(number):
            row, at = rows[place], place
            while at > 0 and np.int64(keys[ordered[at - 1]]) >> shift > np.int64(keys[row]) >> shift:
                ordered[at] = ordered[at - 1]
                at -= 1
            ordered[at] = row
    elif sorted_already:
        for place in range(number):
            ordered[place] = kept[place]
    else:
        _starts(keys, shift, size, rows, room.starts)
        for place in range(number):
            row = rows[place]
            ordered[room.starts[np.int64(keys[row]) >> shift]] = row
            room.starts[np.int64(keys[row]) >> shift] += 1


@inlined
def _starts(keys: Any, shift: Any, size: Any, rows: Any, starts: Any) -> Any:
    """Where the rows of each code begin; the missing come after the last."""
    for code in range(size + 2):
        starts[code] = 0
    for place in range(rows.shape[0]):
        starts[(np.int64(keys[rows[place]]) >> shift) + 1] += 1
    for code in range(size + 1):
        starts[code + 1] += starts[code]
