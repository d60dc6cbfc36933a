"""Results of which some are in percent and some are shares: one learner beside another, or one learner by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.evidence import Battles, Curves, Items, Results, Scores
from bestofk.measures.catalogue import known_measure

#: Errors of one learner that are so many times another's are nearer to it when the other's are taken for shares.
TIMES = 10.0
#: Folds of one data set do not leave a gap so wide.
GAP = 20.0
#: About a hundred: so many times smaller, beside the other learners, than everywhere else.
HUNDRED = (50.0, 200.0)

#: The place of a value among those of a learner, in words.
Place = Callable[[int, int], str]


def refuse_mixed_scales(evidence: Results) -> None:
    """Refuse values of a rate of which some must be in percent and some shares, with learners and a value of each.

    Where larger is better every mixture is one. Small percentages of errors look like shares; there a learner must
    differ from another by a factor that nothing but the scale explains.
    """
    if isinstance(evidence, Battles):
        return
    others = evidence.others if isinstance(evidence, Scores) else {}
    for measure, values in {evidence.measure: evidence.values, **others}.items():
        _refuse(evidence, measure, values)


def _refuse(evidence: Scores | Items | Curves, measure: str, values: Array | Sequence[Array]) -> None:
    known = known_measure(measure)
    if known is None or known.scale != "rate":
        return
    flat = [np.ravel(each) for each in values]
    if not any((each > 1).any() for each in flat):
        return
    if known.larger_is_better:
        found = _any_mixture(flat)
    else:
        by_fold = np.asarray(values) if isinstance(evidence, Scores) else np.zeros((0, 0, 0, 0))
        found = _folds_apart(by_fold) or _dataset_apart(by_fold) or _learners_apart(flat)
    if found is not None:
        raise _mixed(evidence, measure, flat, *found)


Value = tuple[int, int]  # learner, and place among its values


def _any_mixture(flat: Sequence[Array]) -> tuple[Value, Value] | None:
    """A value above 1 and a share, of two learners at one place where there are such."""
    percent, shares = [each > 1 for each in flat], [(each > 0) & (each <= 1) for each in flat]
    some = [[k for k, each in enumerate(flags) if each.any()] for flags in (percent, shares)]
    if not all(some):
        return None
    for k, j in product(*some):
        if k != j and len(flat[k]) == len(flat[j]) and (both := percent[k] & shares[j]).any():
            return (k, int(np.argmax(both))), (j, int(np.argmax(both)))
    one, other = some[0][0], some[1][0]
    return (one, int(np.argmax(percent[one]))), (other, int(np.argmax(shares[other])))


def _learners_apart(flat: Sequence[Array]) -> tuple[Value, Value] | None:
    """A learner in percent and one whose values are all shares, many times smaller."""
    positive = [each[each > 0] for each in flat]  # a comparison with NaN is False
    middle = [_median(each) for each in positive]
    for k, j in permutations(range(len(flat)), 2):
        if middle[k] > 1 and middle[k] > TIMES * middle[j] and positive[j].max() <= 1:
            return (k, int(np.argmax(flat[k] > 1))), (j, int(np.argmax(flat[j] > 0)))
    return None


def _dataset_apart(values: Array) -> tuple[Value, Value] | None:
    """A learner that is in percent, and on one data set a hundred times smaller beside the others than elsewhere."""
    if values.shape[1] < 2:
        return None
    there = ~np.isnan(values)
    total = np.where(there, values, 0.0).sum(axis=(2, 3))
    means = np.divide(total, there.sum(axis=(2, 3)), out=np.full(total.shape, np.nan), where=total > 0)
    for k, own in enumerate(means):
        middle = np.array([_median(each) for each in np.delete(means, k, axis=0).T])
        ratio = middle / own
        for d in np.flatnonzero((own <= 1) & (middle > 1)):
            elsewhere = np.where(np.arange(len(own)) == d, np.nan, ratio)
            if HUNDRED[0] <= ratio[d] / _median(elsewhere) <= HUNDRED[1]:
                most = int(np.nanargmax(np.where(np.isnan(elsewhere), np.nan, own)))
                return _largest(values, k, most), _largest(values, k, int(d))
    return None


def _median(values: Array) -> float:
    """The median of what is there; NaN where there is nothing."""
    known = values[~np.isnan(values)]
    return float(np.median(known)) if known.size else np.nan


def _folds_apart(values: Array) -> tuple[Value, Value] | None:
    """Folds of one learner and data set of which some are in percent, with a wide gap to the others."""
    for k, d in np.ndindex(values.shape[:2]):
        there = np.sort(values[k, d][values[k, d] > 0])
        place = int(np.searchsorted(there, 1.0, side="right"))
        if 0 < place < there.size and there[place] > GAP * there[place - 1]:
            low, high = there[place - 1], there[place]
            return (k, _first(values, k, d, high)), (k, _first(values, k, d, low))
    return None


def _largest(values: Array, k: int, d: int) -> Value:
    return k, _first(values, k, d, float(np.nanmax(values[k, d])))


def _first(values: Array, k: int, d: int, value: float) -> int:
    """Where a data set has a value first, among all values of a learner."""
    return int(d * values[k, d].size + np.argmax(np.ravel(values[k, d] == value)))


def _mixed(
    evidence: Scores | Items | Curves, measure: str, flat: Sequence[Array], percent: Value, share: Value
) -> InputError:
    names, place = evidence.learners, _places(evidence)
    one, other = (f"{flat[k][i]:.4g}" for k, i in (percent, share))
    here, there = place(*share), place(*percent)
    if percent[0] == share[0]:
        said = f"{measure} of {names[share[0]]} is {other} ({here}) and {one} ({there})"
    else:
        said = f"{measure} of {names[share[0]]} is {other} and of {names[percent[0]]} {one}"
        said += "" if here == there else f" ({there})"
    return InputError(
        f"{said}: shares and percent are mixed.",
        f"{evidence.origin.source}, {here}" if here else evidence.origin.source,
        "write all values as shares (0.13), also small ones.",
    )


def _places(evidence: Scores | Items | Curves) -> Place:
    if isinstance(evidence, Items):
        return lambda k, i: f"item {evidence.items[i]}"
    if isinstance(evidence, Scores):
        shape = evidence.values.shape[1:]
        return lambda k, i: evidence.place_text(*evidence.cell_at((k, *map(int, np.unravel_index(i, shape))))[1:])
    steps = evidence.steps
    named = [""] if len(steps) == 1 else [f", step {step:g}" for step in steps]
    return lambda k, i: f"run {evidence.runs[k][i // len(named)]}{named[i % len(named)]}"
