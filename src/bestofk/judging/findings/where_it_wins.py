"""Where does the second learner win? Features of data sets against the difference, said only if chance does not."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.comparing import sample_of
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import level_inside
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.design.datasets.dataset import Dataset
from bestofk.evidence import Scores
from bestofk.stats.across import Associations, Branch, Leaf, associations, grown_tree
from bestofk.stats.across.features import OUTCOMES
from bestofk.tables.cells import Purpose
from bestofk.tables.files import table_from_file

#: Fewer data sets than these say nothing about features.
FEWEST = 8


class Finding(Record):
    """A feature that goes with the difference, after correction for all features looked at.

    ``correlation`` is the rank correlation with ``outcome``, the size or the sign of what the first gains (positive
    where the first is better).
    """

    feature: str
    outcome: str
    correlation: float
    adjusted: float


class WhereItWins(Record, kw_only=True):
    """What is known of the place where each of two learners wins.

    ``findings`` survive the correction at half of ``alpha``, ``rules`` are the tree's at the other half, one line each,
    both empty where chance would do as well; ``constant`` are features that do not vary. ``gain`` per data set is
    positive where the first is better, in units of the measure.
    """

    first: str
    second: str
    datasets: tuple[str, ...]
    features: tuple[str, ...]
    gain: Array
    alpha: float
    associations: Associations
    findings: tuple[Finding, ...]
    tree: Leaf | Branch
    rules: tuple[str, ...]
    constant: tuple[str, ...] = ()

    def __repr__(self) -> str:
        if not self.findings and not self.rules:
            looked = counted(len(self.features) - len(self.constant), "feature")
            return (
                f"No feature of the {counted(len(self.datasets), 'data set')} says where {self.first} or {self.second} "
                f"wins: what there is, chance finds too (alpha {self.alpha:g} over {looked})."
            )
        said = [
            f"{each.feature}: the {'larger' if each.correlation > 0 else 'smaller'}, the better for {self.first} "
            f"against {self.second} (rank correlation with the {each.outcome} {each.correlation:.2f}, "
            f"adjusted p = {each.adjusted:.3g})"
            for each in self.findings
        ]
        return "\n".join([*said, *self.rules])


def where_it_wins(
    evidence: Scores,
    features: Mapping[str, Any],
    *,
    first: str | None = None,
    second: str | None = None,
    alpha: float = 0.05,
    shuffles: int = 9_999,
    seed: int = 0,
) -> WhereItWins:
    """Look for features of data sets that go with the difference of two learners.

    Parameters
    ----------
    evidence : Scores
        Results on at least eight data sets.
    features : mapping
        Data set by name → features (``{"rows": 150, …}``), or the ``Dataset`` itself, whose features are found.
    first, second : str, optional
        Two learners; the only two when there are no more.
    alpha : float
        Level of everything that is said: half of it for the correlations with all features and both outcomes, half for
        the tree.
    shuffles : int
    seed : int
    """
    alpha = level_inside(alpha, name="alpha", where="where it wins")
    if not isinstance(evidence, Scores) or len(evidence.datasets) < FEWEST or evidence.gaps.any():
        raise InputError(
            f"features need complete results on at least {FEWEST} data sets.",
            "where it wins, argument evidence",
            "collect more data sets, or complete the results.",
        )
    one, two = _learners(evidence, first, second)
    names, table = feature_table(features, evidence.datasets)
    losses = sample_of(evidence).rows
    gain = losses[evidence.learners.index(two)] - losses[evidence.learners.index(one)]
    half = alpha / 2.0  # correlations and tree are two looks at the same features
    found = associations(table, gain, shuffles=shuffles, rng=seed)
    tree = grown_tree(table, gain, alpha=half, shuffles=min(shuffles, 1_999), rng=seed)
    return WhereItWins(
        first=one,
        second=two,
        datasets=evidence.datasets,
        features=names,
        gain=gain,
        alpha=alpha,
        associations=found,
        findings=_findings(found, names, half),
        tree=tree,
        rules=tuple(_rules(tree, names, one, two, gain)) if isinstance(tree, Branch) else (),
        constant=tuple(name for name, column in zip(names, table.T, strict=True) if (column == column[0]).all()),
    )


def _learners(evidence: Scores, first: str | None, second: str | None) -> tuple[str, str]:
    if first is None and second is None and len(evidence.learners) == 2:
        return evidence.learners[0], evidence.learners[1]
    for name in (first, second):
        if name not in evidence.learners:
            raise unknown(name, evidence.learners, what="learner", where="where it wins, arguments first and second")
    if first == second:
        raise InputError(f"{first} is both learners.", "where it wins, arguments first and second", "give two.")
    return str(first), str(second)


def _findings(found: Associations, names: tuple[str, ...], alpha: float) -> tuple[Finding, ...]:
    kept = [
        Finding(feature, outcome, float(found.correlation[i, j]), float(found.adjusted[i, j]))
        for i, feature in enumerate(names)
        for j, outcome in enumerate(OUTCOMES)
        if found.adjusted[i, j] <= alpha
    ]
    return tuple(sorted(kept, key=lambda each: (each.adjusted, -abs(each.correlation), each.feature)))


def _rules(
    tree: Leaf | Branch, names: tuple[str, ...], first: str, second: str, gain: Array, so_far: tuple[str, ...] = ()
) -> list[str]:
    if isinstance(tree, Branch):
        below = (*so_far, f"{names[tree.feature]} <= {tree.threshold:.4g}")
        above = (*so_far, f"{names[tree.feature]} > {tree.threshold:.4g}")
        return [
            *_rules(tree.yes, names, first, second, gain, below),
            *_rules(tree.no, names, first, second, gain, above),
        ]
    here = gain[list(tree.members)]
    return [
        f"{' and '.join(so_far)}: {first} better on {int((here > 0).sum())}, {second} on {int((here < 0).sum())} of "
        f"{counted(len(here), 'data set')}"
    ]


#: Names of the features, in order. ``noise`` is the share of rows whose nearest other row has another class.
FEATURES = ("rows", "columns", "classes", "skew", "nominal", "missing", "noise", "dimensionality")
#: Rows that the noise estimate looks at: it costs their square.
NOISE_ROWS = 800


def dataset_features(dataset: Dataset) -> dict[str, float]:
    """Rows, columns, classes, skew, shares of nominal and missing, a noise estimate, dimensionality.

    ``skew`` is the share of the largest class minus that of equal classes, over its largest value: 0 for equal classes,
    near 1 where nearly all rows are of one; for numbers the absolute skewness of the target. ``dimensionality`` is
    columns over rows. ``classes`` is 0 for regression.

    Examples
    --------
    >>> from bestofk.design.datasets.sources import dataset_of
    >>> found = dataset_features(dataset_of("iris"))
    >>> found["rows"], found["columns"], found["classes"], found["skew"], found["nominal"]
    (150.0, 4.0, 3.0, 0.0, 0.0)
    """
    values = np.stack([feature.values for feature in dataset.features], axis=1)
    nominal = np.array([feature.nominal for feature in dataset.features])
    rows, columns = values.shape
    return {
        "rows": float(rows),
        "columns": float(columns),
        "classes": float(len(np.unique(dataset.y))) if dataset.classes else 0.0,
        "skew": _skew(dataset),
        "nominal": float(nominal.mean()),
        "missing": float(np.isnan(values).mean()),
        "noise": _noise(values, nominal, dataset.y, bool(dataset.classes)),
        "dimensionality": columns / rows,
    }


def feature_table(source: Mapping[str, Any], names: tuple[str, ...]) -> tuple[tuple[str, ...], Array]:
    """Feature names and a table (data sets, features) in the order of ``names``, from data sets or their features."""
    missing = [name for name in names if name not in source]
    if missing:
        raise InputError(
            f"there are no features of {', '.join(missing[:3])}{', …' if len(missing) > 3 else ''}.",
            "where it wins, argument features",
            "give every data set of the results a row of the file, or a data set or dict of features.",
        )
    rows = [dataset_features(source[n]) if isinstance(source[n], Dataset) else _given(source[n], n) for n in names]
    known = tuple(rows[0])
    odd = next((name for name, row in zip(names, rows, strict=True) if set(row) != set(known)), None)
    if odd is not None:
        raise InputError(
            f"{odd} has other features than {names[0]}.", "where it wins, argument features", "give all the same."
        )
    return known, np.array([[row[feature] for feature in known] for row in rows])


def _given(features: Any, name: str) -> dict[str, float]:
    """Features that somebody gave for a data set: a number each."""
    where = "where it wins, argument features"
    if not isinstance(features, Mapping) or not features:
        raise InputError(f"the features of {name} are {features!r}.", where, "give a dict of numbers.")
    try:
        found = {str(feature): float(value) for feature, value in features.items()}
    except (TypeError, ValueError) as error:
        raise InputError(f"the features of {name} are {dict(features)!r}.", where, "give numbers.") from error
    wrong = next((feature for feature, value in found.items() if not np.isfinite(value)), None)
    if wrong is not None:
        raise InputError(f"{wrong} of {name} is {features[wrong]!r}.", where, "give a number for every feature.")
    return found


def _skew(dataset: Dataset) -> float:
    if dataset.classes:
        share = np.unique(dataset.y, return_counts=True)[1] / dataset.rows
        return float((share.max() - 1.0 / len(share)) / (1.0 - 1.0 / len(share)))
    centred = dataset.y - dataset.y.mean()
    spread = float(np.sqrt(np.square(centred).mean()))
    return abs(float(np.power(centred, 3).mean()) / spread**3) if spread > 0 else 0.0


def _noise(values: Array, nominal: Any, y: Array, classes: bool) -> float:
    """How often the nearest other row disagrees: an upper estimate of the noise in classes (Cover and Hart 1967)."""
    some = np.random.default_rng(0).permutation(len(y))[:NOISE_ROWS]
    x, target = _comparable(values[some], nominal), y[some]
    square = np.square(x).sum(axis=1)
    distance = square[:, None] + square[None, :] - 2.0 * x @ x.T
    np.fill_diagonal(distance, np.inf)
    closest = (distance <= distance.min(axis=1, keepdims=True) + 1e-9).astype(float)
    closest /= closest.sum(axis=1, keepdims=True)  # rows equally near share one vote
    apart = target[:, None] - target[None, :]
    if classes:
        return float((closest * (apart != 0)).sum() / len(target))
    variance = float(target.var())
    return min(1.0, float((closest * np.square(apart)).sum() / len(target) / 2.0) / variance) if variance > 0 else 0.0


def _comparable(values: Array, nominal: Any) -> Array:
    """Numbers of spread 1 with gaps at the mean, categories as indicators half as far apart as two deviations."""
    parts = []
    for column, categories in zip(values.T, nominal, strict=True):
        known = ~np.isnan(column)
        if categories:
            levels = np.unique(column[known])
            parts.append((column[:, None] == levels).astype(float))
        elif known.any():
            spread = float(column[known].std()) or 1.0
            parts.append(np.where(known, (column - column[known].mean()) / spread, 0.0)[:, None])
    return np.concatenate(parts, axis=1) if parts else np.zeros((len(values), 1))


WHERE = "argument features"
#: Names of the column that names data sets; the first column where none is called so.
NAMED = ("dataset", "data set", "data_set", "name")
_FILE = Purpose("data set", lambda name: name.lower() in NAMED)


def features_of(source: Mapping[str, Any] | str | PathLike[str]) -> Mapping[str, Any]:
    """Take features by data set as they are, or read them from a file of any format that bestofk reads."""
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, str | PathLike):
        raise InputError(f"features are {source!r}.", WHERE, "give a file, or one dict of numbers per data set.")
    try:
        return _features(Path(source))
    except InputError as error:
        raise InputError(error.wrong, f"{WHERE}, {error.where}", error.fix) from None


def _features(path: Path) -> dict[str, dict[str, float]]:
    table = table_from_file(path, _FILE)
    named = next((name for name in table.names if name.lower() in NAMED), table.names[0])
    features = [name for name in table.names if name != named]
    if not features:
        fix = "give names and numbers, one row each, under a line with the columns' names."
        raise InputError(f"{path.name} has no features.", table.source, fix)
    words = table.text(named)
    for name in (named, *features):
        empty = words.codes < 0 if name == named else np.isnan(table.numbers(name))
        if empty.any():
            where = table.where(row=int(np.argmax(empty)), column=name)
            raise InputError(f"{name} is empty.", where, "give a name and a number for every feature.")
    found: dict[str, dict[str, float]] = {}
    for row, code in enumerate(words.codes.tolist()):
        if words.categories[code] in found:
            wrong = f"there are two data sets {words.categories[code]!r}."
            raise InputError(wrong, table.where(row=row), "name every data set once.")
        found[words.categories[code]] = {name: float(table.numbers(name)[row]) for name in features}
    return found
