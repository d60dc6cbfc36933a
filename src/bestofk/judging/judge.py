"""From evidence to a verdict, one path for every kind of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from bestofk.advice.advice import Case, refuse_rope
from bestofk.comparing import Comparison, Family, chosen_test, compare_pairs, sample_of
from bestofk.comparing.compare import ADJUSTED_ALREADY
from bestofk.core.errors import InputError
from bestofk.core.options import alpha_of
from bestofk.core.phrases import listed, option_text
from bestofk.core.rng import refuse_wrong_seed
from bestofk.evidence import Curves, Evidence, Scores
from bestofk.evidence.curves import Runs
from bestofk.evidence.filled_results import fills
from bestofk.evidence.item_folds import completed_as_tested
from bestofk.evidence.missing_results import LeftOut, completed
from bestofk.evidence.step_grids import with_all_steps
from bestofk.evidence.vectors import Vectors
from bestofk.judging.findings.filled_in import FilledIn, judged_instead
from bestofk.judging.good_enough import Within, level_of, margin_number, within_of
from bestofk.judging.verdict import Status, Verdict, provenance_of
from bestofk.ordering import Ordering
from bestofk.ordering.methods import (
    GROUPS,
    best_set_of,
    means_first,
    ordering_of,
    winner_of,
    without_circles,
)
from bestofk.ordering.preference import Preference, preference_of
from bestofk.settings import Comparing, Judging, changed, settled
from bestofk.settings import Ordering as OrderingSettings


def compared(evidence: Evidence, given: Mapping[str, Any]) -> Comparison:
    """Compare all pairs by the test that fits."""
    return _compared(evidence, settled(Comparing, given, where="compare"))[1]


def ordered(evidence: Evidence, given: Mapping[str, Any]) -> Ordering:
    """Compare, then order."""
    return _ordered(evidence, settled(OrderingSettings, given, where="order"))[2]


def case_beside_margin(evidence: Evidence, given: Mapping[str, Any], missing: str) -> Case:
    """What advice looks at: the evidence as it is used, the comparison, by which losses are bounded, and the order."""
    settings = {**settled(OrderingSettings, given, where="compare"), "missing": missing}
    return Case(*_ordered(evidence, settings, bounded=True))


def judged(evidence: Evidence, given: Mapping[str, Any]) -> Verdict:
    """Order the learners and say how sure the first place is."""
    settings = settled(Judging, given, where="judge")
    verdict = _judged(evidence, settings)
    left_out = verdict.comparison.left_out
    return replace(verdict, filled_in=_filled_in(verdict, evidence, settings)) if left_out.filled else verdict


def _filled_in(verdict: Verdict, evidence: Evidence, settings: Mapping[str, Any]) -> FilledIn:
    """What was filled in, and what the verdict is without it: by the first other way that can be gone."""
    left_out = verdict.comparison.left_out
    found = FilledIn(results=left_out.filled, by=left_out.filled_by)
    way, other = judged_instead(left_out.filled_by, lambda way: _judged(evidence, {**settings, "missing": way}))
    if other is None:
        return found
    one, two = ((each.status, each.best or frozenset(each.best_set)) for each in (verdict, other))
    told = replace(found, status=other.status, best=other.best, best_set=other.best_set)
    return replace(told, instead=way, same=one == two)


def _judged(evidence: Evidence, settings: Mapping[str, Any]) -> Verdict:
    if settings["method"] in GROUPS:
        method = settings["method"]
        raise InputError(
            f"{method} says between which learners no difference is shown, not which is best.",
            "argument method",
            f"use multitest to judge; bestofk order --method {method} shows the groups.",
        )
    _refuse_for_several(evidence, settings)
    _refuse_beside_within(settings)
    if settings["within"] is not None:
        margin_number(settings["within"], name="within")  # before results are asked about
    used, comparison, ordering = _ordered(evidence, settings, bounded=settings["within"] is not None)
    within = None
    if settings["within"] is not None:
        bounded = comparison.bounded_at(level_of(comparison))
        within = within_of(settings["within"], bounded, ordering.prior or means_first(comparison))
        comparison = replace(comparison, margin=within.on_scale)
    features, prior = settings["features"], settings["prior"]
    asked = {**settings, "prior": prior if prior is None or isinstance(prior, str) else list(prior)}
    asked["features"] = str(features) if isinstance(features, str | PathLike) else None
    asked |= used.asked if isinstance(used, Vectors) else {}
    origin = used if isinstance(used, Vectors) else evidence  # items of folds may have been put together
    return Verdict(
        **_concluded(comparison, ordering, within),
        provenance=provenance_of(origin, {**changed(Judging, asked), **_on(asked)}, settings["seed"]),
        evidence=used,
        rope=_rope(settings["rope"]),
        features=None if features is None else _checked(features, used, comparison.kind),
        task=settings["task"],
        by_class=_by_class(evidence, settings),
    )


def _concluded(comparison: Comparison, ordering: Ordering, within: Within | None) -> dict[str, Any]:
    """The fields of a verdict that follow from its comparison and its ordering."""
    winner = winner_of(comparison)
    if ordering.method != "multitest" and (winner != ordering.best or ordering.ranks is not None):
        winner = None  # another way of ordering names its own best, and the ranks of Multi²Test decide nothing
    best_set = (winner,) if winner else best_set_of(comparison, ordering.order)
    status = _status(comparison, ordering, winner, best_set)
    enough = next(iter(within.learners), None) if within is not None else None
    if within is not None and winner in (None, *within.learners):
        status = "decided" if winner and enough == winner else "within" if enough else "undecided"
    order = means_first(comparison) if status == "undecided" else ordering.order  # a preference names nothing then
    if status == "within" and within is not None:
        order = (*within.learners, *(name for name in order if name not in within.learners))
    return {
        "best": {"decided": winner, "preferred": ordering.best, "within": enough}.get(status),
        "order": order,
        "status": status,
        "best_set": tuple(name for name in order if name in best_set),
        "rank_intervals": _rank_intervals(comparison, order),
        "comparison": comparison,
        "ordering": ordering,
        "within": within,
    }


def preferring(verdict: Verdict, prior: tuple[str, ...]) -> Verdict:
    """The verdict under another preference: the tests stay as they are.

    Not where the method or the tests themselves ask for the preference.
    """
    ordering = ordering_of("multitest", verdict.evidence, verdict.comparison, Preference(prior))
    within = verdict.within
    if within is not None:
        within = replace(within, learners=tuple(sorted(within.learners, key=prior.index)))
    return replace(verdict, **_concluded(verdict.comparison, ordering, within))


def _compared(
    evidence: Evidence, settings: Mapping[str, Any], *, prior: Any = None, sides: str = "two", bounded: bool = False
) -> tuple[Evidence, Comparison]:
    seed, paired, groups, control = (settings[name] for name in ("seed", "paired", "groups", "control"))
    adjust = settings["adjust"] or "holm"
    rope = _rope(settings["rope"])
    refuse_wrong_seed(seed, where="judge", name="seed")  # whether a test draws or not, a wrong seed is one
    used, quantity, short = _of_curves(evidence, settings["curve"], settings["missing"])
    used, left_out = _complete(used, settings["missing"], settings["test"])
    left_out = replace(left_out, runs=(*short, *left_out.runs)) if short else left_out
    k = len(used.learners)
    alpha = alpha_of(settings["alpha"])
    sample = sample_of(used, paired=paired, groups=groups)
    pairs = k * (k - 1) // 2 if control is None else k - 1
    family = Family(pairs, alpha, sample.level_share(adjust), mean=bounded)
    choice = chosen_test(settings["test"], sample, family, force=settings["force"])
    if choice.test in ADJUSTED_ALREADY and settings["adjust"] is not None:
        raise InputError(
            f"adjust is {adjust!r}, and {choice.test} adjusts the p values of all pairs itself.",
            "arguments test, adjust",
            "leave adjust out, or take a test that leaves it to you: bestofk list pairwise.",
        )
    preference = preference_of(prior, used) if sides == "one" else None
    comparison = compare_pairs(
        used,
        choice=choice,
        adjust=adjust,
        alpha=alpha,
        intervals=settings["intervals"],
        control=control,
        paired=paired,
        groups=groups,
        sides=sides,
        prior=None if preference is None else preference.names,
        seed=seed,
        quantity=quantity,
        left_out=left_out,
    )
    if rope:
        refuse_rope(rope, comparison)
    return used, replace(comparison, margin=rope) if rope else comparison


def _of_curves(
    evidence: Evidence, curve: str | None, missing: str
) -> tuple[Evidence, str, tuple[tuple[str, str], ...]]:
    """The part of every curve that is compared, how to call it, and the runs left out that ended before others."""
    if not isinstance(evidence, Curves) or isinstance(evidence, Runs):
        if curve is not None:
            raise InputError(
                f"curve is {curve!r}, and there are no curves.", "argument curve", "leave it out: there are no steps."
            )
        return evidence, "", ()
    evidence, short = with_all_steps(evidence, missing, own_steps=curve in ("final", "best"))
    first, last = evidence.steps[0], evidence.steps[-1]
    words = {
        "final": f"at each run's last step, up to {last:g}" if evidence.planned else f"at step {last:g}",
        "best": f"at each run's best step of {first:g}–{last:g}",
        "area": f"by the area under the curve, steps {first:g}–{last:g}",
    }
    return (
        evidence if curve in (None, "whole") else evidence.reduced(curve),
        words.get(curve or "whole", f"averaged over steps {first:g}–{last:g}"),
        short,
    )


def _complete(evidence: Evidence, missing: str, test: str) -> tuple[Evidence, LeftOut]:
    """Evidence without missing results, and what was left out; items are left out before folds hide them."""
    if not isinstance(evidence, Vectors):
        return completed_as_tested(evidence, missing)
    if fills(missing):
        raise InputError(
            f"missing is {missing!r}, and several measures or areas are not filled in.",
            "judge, arguments missing and on",
            "use drop-datasets, drop-items or drop-learners; or judge by one measure.",
        )
    from bestofk.evidence.measure_vectors.areas import settled_areas

    vectors, items = (evidence, LeftOut()) if evidence.complete is None else evidence.complete(evidence, missing)
    used, others = completed(settled_areas(vectors, test), missing)
    return used, items or others


def _ordered(
    evidence: Evidence, settings: Mapping[str, Any], *, bounded: bool = False
) -> tuple[Evidence, Comparison, Ordering]:
    prior = settings["prior"]
    used, comparison = _compared(evidence, settings, prior=prior, sides=settings["sides"], bounded=bounded)
    return used, comparison, ordering_of(settings["method"], used, comparison, preference_of(prior, used))


def _refuse_for_several(evidence: Evidence, settings: Mapping[str, Any]) -> None:
    """What has no meaning for several measures, and what has none for one."""
    if settings["task"] is not None and not isinstance(evidence, Vectors):
        fix = f"say {option_text('on', 'tpr,fpr')}, or leave it out."
        raise InputError(f"task is {settings['task']!r}, and on is not given.", "judge, argument task", fix)
    if not isinstance(evidence, Vectors):
        return
    asked, why = settings, "several measures are judged together"
    instead = f", or judge by one: {option_text('measure', evidence.measure)}"
    names: tuple[str, ...] = ("rope", "features", "force", "paired", "within")
    if evidence.is_area:
        asked = {**settings, "undefined": evidence.asked.get("undefined")}
        names, why, instead = ("undefined", "task"), "areas under ROC curves have no use for it", ""
    for name in names:
        if asked[name] is not None and asked[name] is not False:
            fix = f"leave {name} out{instead}."
            raise InputError(f"{name} is {asked[name]!r}, and {why}.", f"judge, arguments {name} and on", fix)


def _on(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: asked[name] for name in ("on", "positive", "undefined") if asked.get(name) is not None}


def _status(comparison: Comparison, ordering: Ordering, winner: str | None, best_set: tuple[str, ...]) -> Status:
    if winner is not None:
        return "decided"
    # Multi²Test decides nothing, and may choose the winner all the same.
    alone = len(best_set) == 1 and (ordering.ranks is None or winner_of(comparison) != ordering.best)
    if not comparison.decidable or (alone and comparison.control is None) or _untested(comparison, best_set):
        return "undecided"
    if alone or ordering.prior is None or (ordering.best is not None and ordering.best not in best_set):
        return "tied"
    return "undecided" if ordering.best is None else "preferred"


def _untested(comparison: Comparison, best_set: tuple[str, ...]) -> bool:
    """Whether some pair of the set of the best could not be tested."""
    among = np.isin(comparison.learners, best_set)
    first, second = comparison.places
    return bool((comparison.degenerate & among[first] & among[second]).any())


def _rank_intervals(comparison: Comparison, order: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """From 1 + the number shown better to K − the number shown worse.

    By the family of all pairs alone, so that all hold at once with 1 − alpha (Mogstad et al. 2024). The test of the
    winner is another promise: who passes it may still have ranks to share.
    """
    shown = without_circles(comparison.shown)
    better, worse = shown.sum(axis=0), shown.sum(axis=1)
    place = {name: i for i, name in enumerate(comparison.learners)}
    return {name: (1 + int(better[place[name]]), len(order) - int(worse[place[name]])) for name in order}


def _by_class(evidence: Evidence, settings: Mapping[str, Any]) -> tuple[Verdict, ...]:
    """Every class against the rest, at its share of alpha, so that the level holds for all classes together."""
    if not isinstance(evidence, Vectors):
        return ()
    share = {**settings, "alpha": settings["alpha"] / max(1, len(evidence.each))}
    return tuple(_judged(each, share) for each in evidence.each)


def _refuse_beside_within(settings: Mapping[str, Any]) -> None:
    """What contradicts the question who is good enough among all."""
    if settings["within"] is None:
        return
    for name, plain in (("control", None), ("sides", "two"), ("method", "multitest")):
        if settings[name] != plain:
            raise InputError(
                f"within is {settings['within']}, and {name} is {settings[name]}.",
                f"arguments within, {name}",
                "leave one of them out: within asks of every learner how far it is below the best.",
            )


def _rope(given: Any) -> float | None:
    if given is None:
        return None
    from bestofk.stats.bayes.posterior import rope_of

    return rope_of(given, where="judge")


def _checked(source: Any, used: Evidence, kind: str) -> Mapping[str, Any]:
    """The features of every data set that was used: what is wrong with them is said at once, not when they are read."""
    from bestofk.judging.findings.where_it_wins import feature_table, features_of

    features = features_of(source)
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
