"""One run of the paper's experiments: how often each ANOVA asserts an effect."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.stats.curves.curve_anova import curve_anova
from bestofk.stats.curves.curve_table import CurveTable
from bestofk.stats.curves.dealings import Deck
from bestofk.stats.curves.modify import modify
from bestofk.stats.curves.shuffled_sums import Backend, backend_of
from bestofk.stats.distributions import f_tail

#: What is counted, in this order.
COUNTED = ("conventional_alg", "conventional_int", "randomized_alg", "randomized_int")

Counts = npt.NDArray[np.int64]

_TIES = 1e-9


def type_one_run(
    lines: Array, experiments: int, shuffles: int, alpha: float, random: np.random.Generator, backend: str = "auto"
) -> Counts:
    """Divide the lines in two so many times and count assertions (sections 3 and 5.1).

    A random division and the shuffles that judge it are all random dealings of the same lines: the first of every
    ``shuffles`` + 1 is the one that is judged.
    """
    half = len(lines) // 2
    table = CurveTable([lines[:half], lines[half:]])
    deck, kernel = Deck(table.sizes), backend_of(backend, "calibrate-curves")
    centred = np.ascontiguousarray(table.centred)
    counts = np.zeros(4, dtype=np.int64)
    at_once = max(1, kernel.CHUNK // (shuffles + 1))
    for start in range(0, experiments, at_once):
        rows = min(at_once, experiments - start)
        f_alg, f_int = _f(table, deck, kernel, centred, rows * (shuffles + 1), random)
        counts += _asserted(f_alg.reshape(rows, -1), f_int.reshape(rows, -1), table, alpha)
    return counts


def modified_run(
    lines: Array,
    kind: str,
    factor: float,
    experiments: int,
    shuffles: int,
    alpha: float,
    random: np.random.Generator,
    backend: str = "auto",
) -> Counts:
    """The same with lines and modified copies thrown together: a difference that is shuffled away (Fig. 5)."""
    return type_one_run(_with_copies(lines, kind, factor), experiments, shuffles, alpha, random, backend)


def power_run(
    lines: Array,
    kind: str,
    factor: float,
    experiments: int,
    shuffles: int,
    alpha: float,
    random: np.random.Generator,
    *,
    mixed: bool = True,
) -> Counts:
    """Draw half of the lines and half of their modified copies so many times, and count assertions (section 5.2).

    The shuffled distribution is made once, from as many curves: of both kinds together, as section 4 shuffles what is
    compared, or, not ``mixed``, of the unmodified lines alone, as "2 × 10 learning curves" may be read.
    """
    number, half = len(lines), max(2, len(lines) // 2)
    pool = _with_copies(lines, kind, factor)
    dealt = _orders(random, shuffles, 2 * number if mixed else number)
    null = curve_anova(pool[dealt[:, :half]], pool[dealt[:, half : 2 * half]])
    first, second = (_orders(random, experiments, number)[:, :half] for _ in range(2))
    found = curve_anova(pool[first], pool[number + second])
    counts = [int((p <= alpha).sum()) for p in (found.p_alg, found.p_int)]
    for f, shuffled in ((found.f_alg, null.f_alg), (found.f_int, null.f_int)):
        reached = (shuffled >= (f * (1.0 - _TIES))[:, None]).sum(axis=-1)
        counts.append(int(((reached + 1.0) / (shuffles + 1.0) <= alpha).sum()))
    return np.array(counts)


def _with_copies(lines: Array, kind: str, factor: float) -> Array:
    return np.concatenate([lines, modify(lines, kind, factor)])


def _orders(random: np.random.Generator, rows: int, length: int) -> npt.NDArray[np.int64]:
    return random.permuted(np.tile(np.arange(length), (rows, 1)), axis=1)


def _f(
    table: CurveTable, deck: Deck, kernel: Backend, centred: Array, dealings: int, random: np.random.Generator
) -> tuple[Array, Array]:
    algorithm, cells = kernel.sums(centred, table.sizes, deck.shuffled(dealings, random, kernel))
    return table.f_of(algorithm, cells)


def _asserted(f_alg: Array, f_int: Array, table: CurveTable, alpha: float) -> Any:
    df_alg, df_int, _ = table.df()
    counts = [int((f_tail(f[:, 0], *df) <= alpha).sum()) for f, df in ((f_alg, df_alg), (f_int, df_int))]
    for f in (f_alg, f_int):
        if f.shape[1] == 1:
            counts.append(0)
            continue
        reached = (f[:, 1:] >= f[:, :1] * (1.0 - _TIES)).sum(axis=-1)
        counts.append(int(((reached + 1.0) / f.shape[1] <= alpha).sum()))
    return np.array(counts)
