"""The folds of a word in which all rows that may be nearest have one class, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_words import ONE
from bestofk.collecting.sharing.lowest_bit import lowest_bit
from bestofk.collecting.sharing.word_distances import _inlined


def _walk(i: int, w: int, tested: Any, spread: float, lists: Any, kinds: Any, answer: Any) -> Any:
    """Answer for the folds of a word in which one class is near; returns the other folds."""
    listed, least, most, beyond = lists
    of_kind, pure, differs = kinds
    left, unsure, length = tested, np.uint64(0), listed.shape[1]
    for at in range(-1, length):
        j = np.int64(listed[i, at]) if at >= 0 else np.int64(i)
        hit = left & of_kind[w, j]
        if hit == 0:
            continue
        left ^= hit
        code = pure[j]
        if code < 0:
            unsure |= hit
        else:
            cap, bad, closed = (most[i, at] if at >= 0 else 0.0) * spread, np.uint64(0), False
            for then in range(differs[i, at + 1], length):
                if least[i, then] > cap:
                    closed = True
                    break
                other = listed[i, then]
                if pure[other] != code:
                    bad |= of_kind[w, other]
                    if bad & hit == hit:  # no fold is left to be answered
                        break
            if not closed and beyond[i] <= cap:
                bad = hit
            bad &= hit
            unsure |= bad
            good = hit ^ bad
            while good != 0:
                bit = lowest_bit(good)
                good &= good - ONE
                answer[64 * w + np.int64(bit), i] = code
        if left == 0:
            break
    return unsure | left


walk: Any = _inlined(_walk)
