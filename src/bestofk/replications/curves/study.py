"""The paper's study on any pool of curves: type I error and power of the conventional and the randomized ANOVA.

First one run of an experiment (how often each ANOVA asserts an effect), then many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import comb
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import count_of, level_inside, number_inside, one_of
from bestofk.core.record import Record
from bestofk.stats.curves.curve_table import CurveTable
from bestofk.stats.curves.dealings import Deck, backend_of
from bestofk.stats.curves.features import modify
from bestofk.stats.curves.randomized_anova import curve_anova
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
        dealt = deck.shuffled(rows * (shuffles + 1), random, kernel)
        f_alg, f_int = table.f_of(*kernel.sums(centred, table.sizes, dealt))
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


WHERE = "calibrate curves"

#: question → (runs, experiments a run, shuffles), as the paper has them: Fig. 3 and 4, Fig. 5, Fig. 6.
QUESTIONS = {"type-i": (100, 1000, 500), "modified": (10, 1000, 400), "power": (8, 100, 500)}
KINDS = ("a", "b", "c", "d")
FACTORS = tuple(float(f) for f in range(11))


class StudyRow(Record):
    """Share of experiments in which each ANOVA asserts an effect; ``counts`` (runs, 4) are the c of every run.

    ``question`` is ``type-i`` (one set of curves divided at random), ``modified`` (curves and modified copies thrown
    together and divided) or ``power`` (curves against modified copies). The columns of ``counts`` are conventional
    algorithm and interaction, then randomized.
    """

    pool: str
    question: str
    kind: str
    factor: float
    experiments: int
    shuffles: int
    conventional_alg: float
    conventional_int: float
    randomized_alg: float
    randomized_int: float
    counts: Any

    def __repr__(self) -> str:
        modified = f", M_{self.kind} f = {self.factor:g}" if self.kind else ""
        rates = ", ".join(f"{name} {getattr(self, name):.3f}" for name in COUNTED)
        return f"{self.pool}, {self.question}{modified}: {rates}"


@frozen
class Cell:
    """One row to be measured, and how."""

    pool: str
    question: str
    kind: str
    factor: float
    runs: int

    def seed(self, seed: int, run: int) -> list[int]:
        """A seed of its own for every run, whatever else is measured and in whatever order."""
        return [seed, crc32(f"{self.question}|{self.pool}|{self.kind}|{self.factor:g}".encode()), run]


def calibrate_curves(
    pools: Mapping[str, Any],
    *,
    questions: Sequence[str] = tuple(QUESTIONS),
    kinds: Sequence[str] = KINDS,
    factors: Sequence[float] = FACTORS,
    effort: float = 1.0,
    alpha: float = 0.05,
    seed: int = 0,
    workers: int = 1,
    backend: str = "auto",
    progress: Callable[[int, int], None] | None = None,
) -> tuple[StudyRow, ...]:
    """Measure type I error and power of the conventional and the randomized ANOVA on pools of curves.

    Parameters
    ----------
    pools : {name: array_like (curves, points)}
        Curves of one algorithm each. As in the paper, ``type-i`` is measured on every pool, the other questions on the
        first.
    questions : sequence of {"type-i", "modified", "power"}
    kinds, factors : sequences
        The paper's modifications a … d and their factors, 0 to 10.
    effort : float
        Share of the paper's runs, above 0: 1 for about 330 million ANOVAs with three pools.
    workers : int
        Processes. Every run has a seed of its own, so the answer does not depend on it.
    progress : callable, optional
        Called with the number of runs done and of all.

    References
    ----------
    Piater, Cohen, Zhang and Atighetchi 1998, sections 3 and 5.

    Examples
    --------
    >>> pool = np.cumsum(np.random.default_rng(0).normal(size=(20, 10)), axis=1)
    >>> (row,) = calibrate_curves({"walk": pool}, questions=["type-i"], effort=0.01)
    >>> row.conventional_alg > 0.3, row.randomized_alg < 0.1
    (True, True)
    """
    chosen = [one_of(each, QUESTIONS, name="questions", where=WHERE) for each in questions]
    changes = [one_of(each, KINDS, name="kinds", where=WHERE) for each in kinds]
    amounts = [number_inside(f, name="factors", where=WHERE, low=-np.inf, high=np.inf) for f in factors]
    share = _share(effort)
    level = level_inside(alpha, name="alpha", where=WHERE)
    lines = {str(name): _pool(str(name), each) for name, each in pools.items()}
    if not lines:
        raise InputError("there is no pool of curves.", f"{WHERE}, argument pools", "give {name: curves}.")
    for name, each in lines.items() if "type-i" in chosen else ():
        _refuse_few(name, len(each), level)
    cells = list(_cells(tuple(lines), chosen, changes, amounts, share))
    if not cells:
        raise InputError("no question is asked.", WHERE, "name questions, kinds and factors.")
    count_of(workers, name="workers", where=WHERE)
    count_of(seed, name="seed", where=WHERE, at_least=0)
    tasks = [(lines[cell.pool], cell, run, level, seed, backend) for cell in cells for run in range(cell.runs)]
    found: list[Counts] = []
    for counts in _done(tasks, workers):
        found.append(counts)
        if progress is not None:
            progress(len(found), len(tasks))
    ends = np.cumsum([cell.runs for cell in cells])[:-1]
    return tuple(_row(cell, part) for cell, part in zip(cells, np.split(np.array(found), ends), strict=True))


def _cells(
    pools: tuple[str, ...], questions: list[str], kinds: list[str], factors: list[float], effort: float
) -> Iterator[Cell]:
    for question in questions:
        runs = max(1, round(effort * QUESTIONS[question][0]))
        if question == "type-i":
            yield from (Cell(pool, question, "", 0.0, runs) for pool in pools)
        else:
            yield from (Cell(pools[0], question, kind, factor, runs) for kind in kinds for factor in factors)


def one_run(lines: Array, cell: Cell, run: int, alpha: float, seed: int, backend: str) -> Counts:
    """Measure one run of a cell."""
    random = np.random.default_rng(cell.seed(seed, run))
    _, experiments, shuffles = QUESTIONS[cell.question]
    if cell.question == "type-i":
        return type_one_run(lines, experiments, shuffles, alpha, random, backend)
    if cell.question == "modified":
        return modified_run(lines, cell.kind, cell.factor, experiments, shuffles, alpha, random, backend)
    return power_run(lines, cell.kind, cell.factor, experiments, shuffles, alpha, random)


def _done(tasks: list[tuple[Any, ...]], workers: int) -> Iterable[Counts]:
    """Results in the order of the tasks."""
    if workers == 1:
        return (one_run(*task) for task in tasks)
    from joblib import Parallel, delayed

    workers = min(workers, len(tasks))
    made: Iterable[Counts] = Parallel(n_jobs=workers, return_as="generator")(delayed(one_run)(*task) for task in tasks)
    return made


def _row(cell: Cell, counts: Counts) -> StudyRow:
    _, experiments, shuffles = QUESTIONS[cell.question]
    rates = counts.mean(axis=0) / experiments
    return StudyRow(
        pool=cell.pool,
        question=cell.question,
        kind=cell.kind,
        factor=cell.factor,
        experiments=experiments,
        shuffles=shuffles,
        **dict(zip(COUNTED, rates.tolist(), strict=True)),
        counts=counts,
    )


def _share(effort: Any) -> float:
    if isinstance(effort, bool | str) or not 0.0 < float(effort) < np.inf:
        raise InputError(
            f"effort is {effort}.",
            f"{WHERE}, effort",
            "give a share of the paper's runs above 0: 1 for all of them, 0.02 for a look.",
        )
    return float(effort)


def _refuse_few(name: str, curves: int, alpha: float) -> None:
    """Two halves can be dealt in so few ways that no p is at alpha or below: the answer would be 0 whatever is true."""
    half = curves // 2
    ways = comb(curves, half) // (2 if curves == 2 * half else 1)  # equal halves may change sides
    if ways * alpha < 1.0:
        raise InputError(
            f"the pool {name!r} has {curves} curves, which make {ways} pairs of halves: no p is below {1 / ways:.3g}, "
            f"so the randomized test can never assert an effect at alpha = {alpha:g}.",
            f"{WHERE}, type-i",
            "give more curves (7 for alpha 0.05, 9 for 0.01), or a larger alpha.",
        )


def _pool(name: str, curves: Any) -> Array:
    lines = numbers(curves, name=name, where=f"{WHERE}, pools")
    if lines.ndim != 2 or len(lines) < 4 or lines.shape[1] < 2:
        raise InputError(
            f"the pool {name!r} has the shape {lines.shape}.",
            f"{WHERE}, argument pools",
            "give at least four curves of at least two points: (curves, points).",
        )
    return lines
