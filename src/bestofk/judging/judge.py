"""From evidence to a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from bestofk.advice import Case, advice_for
from bestofk.comparing import Comparison, compare_pairs, completed, design_of
from bestofk.core.errors import InputError
from bestofk.core.phrases import listed
from bestofk.core.rng import generator
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.items_tested import completed_as_tested
from bestofk.judging.choice import chosen_test
from bestofk.judging.datasets_choice import feature_table
from bestofk.judging.feature_file import features_of
from bestofk.judging.methods import GROUPS, ordering_of
from bestofk.judging.preference import preference_of
from bestofk.judging.provenance import provenance_of
from bestofk.judging.reasons import Shown
from bestofk.judging.verdict import Status, Verdict
from bestofk.ordering import Multi2TestOrder, Ordering
from bestofk.ordering.possible_best import possible_best
from bestofk.stats.bayes.posterior import rope_of


def comparison_of(
    evidence: Evidence,
    *,
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    control: str | None = None,
    paired: bool = False,
    groups: str = "sampled",
    sides: str = "two",
    prior: Any = None,
    seed: int = 0,
    force: bool = False,
    missing: str = "refuse",
) -> tuple[Evidence, Comparison]:
    """Compare all pairs by the test that fits; return the evidence used as well."""
    generator(seed, where="judge", name="seed")  # whether a test draws or not, a wrong seed is one
    used, left_out = completed_as_tested(evidence, lambda each: completed(each, missing))
    choice = chosen_test(test, design_of(used, paired=paired, groups=groups), force=force)
    preference = preference_of(prior, used) if sides == "one" else None
    comparison = compare_pairs(
        used,
        test=choice.test,
        why=choice.why,
        forced=choice.forced,
        adjust=adjust,
        alpha=alpha,
        control=control,
        paired=paired,
        groups=groups,
        sides=sides,
        prior=None if preference is None else preference.names,
        seed=seed,
        left_out=left_out,
    )
    return used, comparison


def ordering_from(
    evidence: Evidence, *, prior: str | Sequence[str] | None = None, method: str = "multitest", **settings: Any
) -> tuple[Evidence, Comparison, Ordering]:
    """Compare, then order; return every step."""
    used, comparison = comparison_of(evidence, prior=prior, **settings)
    return used, comparison, ordering_of(method, used, comparison, preference_of(prior, used))


def judge_evidence(
    evidence: Evidence,
    *,
    prior: str | Sequence[str] | None = None,
    method: str = "multitest",
    seed: int = 0,
    rope: float | None = None,
    features: Mapping[str, Any] | str | PathLike[str] | None = None,
    **settings: Any,
) -> Verdict:
    """Order the learners and say how sure the first place is.

    ``rope`` is the largest difference that does not matter, ``features`` a table of the data sets' features (a file, or
    one dict per data set): neither changes the order.
    """
    if method in GROUPS:
        raise InputError(
            f"{method} says which learners are not told apart, not which is best.",
            "argument method",
            f"use multitest to judge; bestofk order --method {method} shows the groups.",
        )
    width = rope if rope is None else rope_of(rope, where="judge")
    used, comparison, ordering = ordering_from(evidence, prior=prior, method=method, seed=seed, **settings)
    shown = Shown(comparison, ordering)
    first = ordering.order[0]
    beaten_by = tuple(name for name in ordering.order[1:] if comparison.shows(name, first))
    apart = {name for name in ordering.order[1:] if comparison.shows(first, name)} | set(beaten_by)
    behind = tuple(name for name in ordering.order[1:] if name not in apart and shown.behind_control(first, name))
    rivals = tuple(name for name in ordering.order[1:] if name not in apart and name not in behind)
    asked = {"prior": prior if prior is None or isinstance(prior, str) else list(prior), "method": method, **settings}
    asked |= {"rope": rope} if rope is not None else {}
    asked |= {"features": str(features)} if isinstance(features, str | PathLike) else {}
    status = _status(comparison, ordering, (*rivals, *beaten_by))
    return Verdict(
        best=ordering.best if status in ("decided", "preferred") else None,
        order=ordering.order,
        status=status,
        rivals=rivals,
        beaten_by=beaten_by,
        overtaken=_overtaken(ordering),
        possible_best=_possible_best(comparison, ordering),
        reasons=shown.reasons(),
        comparison=comparison,
        ordering=ordering,
        advice=advice_for(Case(used, comparison, ordering, width)),
        provenance=provenance_of(evidence, asked, seed),
        evidence=used,
        behind_control=behind,
        rope=width,
        features=None if features is None else _checked(features_of(features), used, comparison.kind),
    )


def _checked(features: Mapping[str, Any], used: Evidence, kind: str) -> Mapping[str, Any]:
    """The features of every data set that was used: what is wrong with them is said at once, not when they are read."""
    if not isinstance(used, Scores) or kind != "datasets":
        return features
    names, table = feature_table(features, used.datasets)
    learners = [name for name in names if name in used.learners]
    if learners:
        are = "is a learner" if len(learners) == 1 else "are learners"
        said = f"{listed(learners)} {are}, not features of data sets."
        fix = "give a table of the data sets (rows, classes, …), not the results themselves, or rename the columns."
        raise InputError(said, "argument features", fix)
    return {name: dict(zip(names, row, strict=True)) for name, row in zip(used.datasets, table.tolist(), strict=True)}


def _status(comparison: Comparison, ordering: Ordering, not_worse: tuple[str, ...]) -> Status:
    if ordering.best is None or not comparison.decidable:
        return "undecided"
    if not not_worse and not isinstance(ordering.graph, Multi2TestOrder):
        return "decided"
    return "tied" if ordering.prior is None else "preferred"


def _overtaken(ordering: Ordering) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Learners preferred to the best, each with those that are shown to beat it."""
    if ordering.graph is None or ordering.prior is None or ordering.best is None:
        return ()
    preferred = ordering.prior[: ordering.prior.index(ordering.best)]
    return tuple((name, tuple(head for tail, head in ordering.edges if tail == name)) for name in preferred)


def _possible_best(comparison: Comparison, ordering: Ordering) -> tuple[str, ...] | None:
    if ordering.method != "multitest" or comparison.sides == "one":
        return None  # only MultiTest's best is the first learner that nobody overrules, whatever was asked
    possible = {comparison.learners[i] for i in possible_best(comparison.shown().T)}
    return tuple(name for name in ordering.order if name in possible)
