"""Skillings and Mack's test: Friedman's when some data sets lack some learners."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import ROUNDING, Array, Flags, is_missing, numbers
from bestofk.core.errors import InputError
from bestofk.stats.distributions import chi2_tail
from bestofk.stats.learners import Names, learner_table, named_columns
from bestofk.stats.method import method
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric, Result


class SkillingsMackResult(Result):
    """Result of ``skillings_mack``; ``blocks`` data sets were used, ``dropped`` had fewer than two learners.

    ``estimate`` is every learner's mean loss over the data sets used on which it has a result (``counts`` of them);
    learners with different gaps were measured on different data sets, so compare ``mean_ranks`` instead.
    """

    mean_ranks: Numeric
    blocks: Numeric
    dropped: Numeric
    counts: Numeric
    names: Names

    symbol: ClassVar[str] = "chi2"


@method(
    "values-K",
    papers=("skillings",),
    called="the Skillings–Mack test",
    assumes="independent data sets, and that results are missing whatever they would have been",
    not_for="learners that are absent where they fail",
)
def skillings_mack(losses: Any) -> SkillingsMackResult:
    r"""Skillings–Mack: do K learners have the same mean rank when some results are missing?

    Data set i ranks the kᵢ learners it has, and a rank counts by how far it is from the middle:

    .. math:: A_j = \sum_i \sqrt{\tfrac{12}{k_i + 1}}\left(r_{ij} - \tfrac{k_i + 1}{2}\right), \qquad{}
              \chi^2 = A' \Sigma^- A

    A missing result adds nothing (its rank is the middle one), −Σⱼₗ counts the data sets that have both j and l,
    and Σⱼⱼ is the sum of j's counts. χ² has K − 1 degrees of freedom.

    Parameters
    ----------
    losses : array_like (..., N, K), or dict of name → losses on the N data sets
        One row per data set, one column per learner; NaN, None or a masked value where there is no result. This is
        the one test that takes gaps.

    Notes
    -----
    A data set with fewer than two results compares nobody: it is left out and counted in ``dropped``. Learners that
    no chain of shared data sets connects cannot be compared: they are refused, with the groups named. Ties share
    their average rank without further correction, as in the paper: a complete table gives ``friedman(ties=False)``,
    with ties a larger p than the corrected form. Results must be missing for reasons that have nothing to do with
    how good they would have been: a learner that is absent where it fails looks better than it is.

    ``mean_ranks`` is :math:`\frac{K+1}{2} + \sqrt{\frac{K+1}{12}} A_j / n_j` with :math:`n_j` the learner's data sets:
    the mean rank on the scale of a complete table, and for a complete table the mean rank itself.

    References
    ----------
    Skillings and Mack 1981, Technometrics 23.

    Examples
    --------
    >>> nan = float("nan")
    >>> skillings_mack([[.1, .2, .3], [.2, .3, nan], [.1, .3, .2], [nan, .4, .5], [.1, nan, nan], [.2, .3, .4]])
    skillings-mack (two-sided): chi2 = 6.057, df = 2, p = 0.04839: rejects at 0.05
    """
    where = "skillings-mack"
    names, table, there = _table_with_gaps(losses, where)
    k = table.shape[-1]
    size = there.sum(axis=-1, keepdims=True)
    used = there & (size >= 2)
    shared = np.swapaxes(used, -1, -2).astype(float) @ used
    _refuse_strangers(shared, names, where)
    blocks = used.any(axis=-1).sum(axis=-1)
    _refuse_one_block(blocks, where)
    weighted = np.where(used, np.sqrt(12.0 / (size + 1.0)) * (_ranks(table, there) - (size + 1.0) / 2.0), 0.0)
    sums, counts = weighted.sum(axis=-2), used.sum(axis=-2)
    statistic = _quadratic_form(sums, shared)
    return SkillingsMackResult(
        test=where,
        statistic=statistic,
        pvalue=chi2_tail(statistic, k - 1.0),
        df=(k - 1.0,),
        estimate=np.where(used, table, 0.0).sum(axis=-2) / counts,
        alternative="two-sided",
        mean_ranks=(k + 1) / 2.0 + np.sqrt((k + 1) / 12.0) * sums / counts,
        blocks=blocks,
        dropped=table.shape[-2] - blocks,
        counts=counts,
        names=names,
    )


def _table_with_gaps(losses: Any, where: str) -> tuple[Names, Array, Flags]:
    """Learners' names, the table with 0 in its gaps, and where there is a result."""
    columns = named_columns(losses)
    if columns is None:
        filled, there = _filled(losses, "losses", where)
        return (*learner_table(filled, where=where, learners=-1), there)
    parts = {key: _filled(values, f"losses[{key!r}]", where) for key, values in columns.items()}
    names, table = learner_table({key: part[0] for key, part in parts.items()}, where=where, learners=-1)
    return names, table, np.stack([part[1] for part in parts.values()], axis=-1)


def _filled(values: Any, name: str, where: str) -> tuple[Array, Flags]:
    """Put 0 into the gaps, so that the usual door judges all the rest."""
    try:
        raw = np.ma.array(values)
    except ValueError:
        return numbers(values, name=name, where=where), np.ones(0, dtype=bool)  # ragged: the door says so
    missing = np.ma.getmaskarray(raw) | _not_a_number(raw.data)
    filled = np.where(missing, 0, raw.data) if missing.any() else raw.data
    return numbers(filled, name=name, where=where), ~missing


def _not_a_number(raw: npt.NDArray[Any]) -> Flags:
    if raw.dtype.kind == "f":
        return np.asarray(np.isnan(raw))
    if raw.dtype.kind != "O":
        return np.zeros(raw.shape, dtype=bool)
    return np.reshape([is_missing(value) for value in raw.flat], raw.shape).astype(bool)


def _ranks(table: Array, there: Flags) -> Array:
    """Rank what is there on every data set; gaps are put behind it."""
    largest = np.abs(table).max(axis=-1, keepdims=True)
    return average_ranks(np.where(there, table, 2.0 * largest + 1.0), ROUNDING * largest)


def _quadratic_form(sums: Array, shared: Array) -> Array:
    """A'Σ⁻A: the sums add up to 0 and Σ has rank K − 1, so one learner may be left out and the rest inverted."""
    off = shared * (1.0 - np.eye(shared.shape[-1]))
    covariance = np.eye(shared.shape[-1]) * off.sum(axis=-1, keepdims=True) - off
    rest = sums[..., :-1]
    solved = np.linalg.solve(covariance[..., :-1, :-1], rest[..., None])[..., 0]
    return np.asarray(np.maximum((rest * solved).sum(axis=-1), 0.0))


def _refuse_strangers(shared: Array, names: Names, where: str) -> None:
    """Refuse learners whom no chain of shared data sets connects."""
    k = shared.shape[-1]
    linked = (shared > 0) | np.eye(k, dtype=bool)
    for _ in range(max(1, k.bit_length())):  # chains twice as long every time
        linked = (linked.astype(float) @ linked) > 0
    if linked.all():
        return
    position = tuple(int(i) for i in np.argwhere(~linked.all(axis=(-2, -1)))[0])
    group = linked[position][0]
    inside, outside = (_said(np.flatnonzero(side), names) for side in (group, ~group))
    raise InputError(
        f"no data set connects {inside} with {outside}.",
        f"{where}, argument losses" + (f", table {position} of the batch" if position else ""),
        "add a data set with results of both groups, or test each group by itself.",
    )


def _said(learners: npt.NDArray[np.intp], names: Names) -> str:
    return ", ".join(str(i) if names is None else repr(names[i]) for i in learners)


def _refuse_one_block(blocks: Any, where: str) -> None:
    if np.min(blocks) < 2:
        raise InputError(
            f"{np.min(blocks)} data set has results of two learners or more; {where} needs at least 2.",
            f"{where}, argument losses",
            "add data sets.",
        )
