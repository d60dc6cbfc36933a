"""Where does the second learner win? Features of data sets against the difference, said only if chance does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestofk.comparing import sample_of
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.options import level_inside
from bestofk.core.phrases import counted, listed
from bestofk.core.record import Record
from bestofk.evidence import Scores
from bestofk.judging.findings.dataset_features import feature_table
from bestofk.stats.across import Associations, Branch, Leaf, associations, grown_tree
from bestofk.stats.across.features import OUTCOMES

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
        if self.constant:
            are = "is" if len(self.constant) == 1 else "are"
            said = f"{listed(self.constant)} {are} the same on every data set, which tells nothing."
            return f"{self._found()}\n{said}"
        return self._found()

    def _found(self) -> str:
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
