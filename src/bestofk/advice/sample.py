"""Advice on what was tested: units that are not independent, not paired, missing, or not what they seem."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.phrases import counted, listed, plural
from bestofk.evidence import Curves, Items, Scores
from bestofk.evidence.evidence import BEST_OF_MORE, MOSTLY_CUT, OTHER_PROMPTS, SEARCHED, SETTINGS_AS_RUNS
from bestofk.evidence.items import FEWEST_GROUPS
from bestofk.evidence.missing_results import LeftOut
from bestofk.stats.ranks import average_ranks


def k101(case: Case) -> Advice | None:
    """K101: folds of one data set are taken for independent.

    Fire when folds, which share training data, are tested as if they were independent.
    """
    comparison = case.comparison
    if not comparison.ignores_overlap or comparison.several is not None:  # of several measures K136 speaks
        return None
    return Advice(
        "K101",
        f"{comparison.test} takes {comparison.sample.units_text} for independent, which they are not, and finds too "
        "many differences",
        "use corrected-t, or 5x2cv-t on 5 replications of 2 folds",
    )


def k136(case: Case) -> Advice | None:
    """K136: Hotelling's test takes folds of one data set for independent.

    Fire when folds, which share training data, are tested as if they were independent.
    """
    if case.vectors is None or case.comparison.test != "hotelling":
        return None
    return Advice(
        "K136",
        f"hotelling takes {case.comparison.sample.units_text} for independent, which they are not, and finds too many "
        "differences",
        "use hotelling-corrected (--test auto); the plain test is for repeating the paper's results",
    )


def k103(case: Case) -> Advice | None:
    """K103: rows without key columns were taken for data sets.

    Fire when nothing in the source says what its rows are.
    """
    if "rows-are-datasets" not in case.evidence.origin.assumed:
        return None
    return Advice(
        "K103",
        "no column says what the rows are, and they were taken as independent data sets",
        "if they are folds of one data set say --rows folds, if they are items of one test set --rows items",
    )


def k106(case: Case) -> Advice | None:
    """K106: items that belong together are not independent.

    Fire when items are in groups and each is taken for itself.
    """
    sample = case.comparison.sample
    if not sample.groups_fixed:
        return None
    groups = plural(sample.group_name)
    enough = isinstance(case.evidence, Items) and len(case.evidence.group_names) >= FEWEST_GROUPS
    return Advice(
        "K106",
        f"items of one {sample.group_name} often fail together: on other {groups} the outcome may be another",
        f"claim it of these {groups} only{f'; --groups sampled tests the {groups}' if enough else ''}",
    )


def k111(case: Case) -> Advice | None:
    """K111: the design does not allow the test that was forced.

    Fire when force=True had an effect.
    """
    if not case.comparison.choice.forced:
        return None
    return Advice(
        "K111",
        f"{case.comparison.test} was forced on {case.comparison.sample.units_text}, which does not allow it",
        "do not report its p values as if they were valid; --test auto takes the test that fits",
    )


def k114(case: Case) -> Advice | None:
    """K114: the source does not say how the folds were made.

    Fire when folds in a row were taken as one replication.
    """
    comparison = case.comparison
    if "one-replication" not in case.evidence.origin.assumed or not comparison.sample.of_folds(comparison.test):
        return None
    return Advice(
        "K114",
        f"nothing says how the data were divided, and {comparison.sample.units_text} were taken as one "
        "cross-validation",
        "repeated folds need --replications, random splits --test-fraction: taken as one cross-validation their p are "
        f"too small{'' if comparison.sample.curves else '; return_indices=True would say it'}",
    )


def k138(case: Case) -> Advice | None:
    """K138: runs of one learner differ in their settings.

    Fire when runs were taken for repeated ones though settings were changed between them.
    """
    if SETTINGS_AS_RUNS not in case.evidence.origin.assumed:
        return None
    return Advice(
        "K138",
        "runs of one learner differ in their settings (bestofk read says in which): settings were searched, not seeds, "
        "and the spread of runs is that of the search",
        "run the best setting of every learner, chosen on other data, with several seeds, and judge these runs",
    )


def k139(case: Case) -> Advice | None:
    """K139: the best setting of a search has too good a mean.

    Fire when the settings that a search tried are judged by its own folds.
    """
    if SEARCHED not in case.evidence.origin.assumed:
        return None
    return Advice(
        "K139",
        f"{len(case.comparison.learners)} settings were tried on these folds: expect the best of them to do worse on "
        "new data than its mean here",
        "score the chosen setting on data that the search has not seen, or compare whole searches: "
        "bk.compare_estimators({'svm': search, …}, X, y)",
    )


def k140(case: Case) -> Advice | None:
    """K140: models got different prompts.

    Fire when a log shows that the same items were asked in different words.
    """
    if OTHER_PROMPTS not in case.evidence.origin.assumed:
        return None
    return Advice(
        "K140",
        "models got different prompts for the same items: a model is judged together with its prompt",
        "where templates or examples should be the same, run all models with the same ones",
    )


def k146(case: Case) -> Advice | None:
    """K146: curves of very different lengths are compared.

    Fire when of every curve its best value was taken, and a learner has at least twice as many steps as another; when
    curves were cut to less than half of the steps of the longest; or when a run ended by more than a tenth before
    the step at which most runs end.
    """
    assumed, early = case.evidence.origin.assumed, _ended_early(case.evidence)
    if MOSTLY_CUT in assumed:
        return Advice(
            "K146",
            "more than half of the steps of the longest curves were left out, for not all curves have them"
            f"{f': {early}' if early else ''}",
            "complete the short curves, or leave them out: --missing drop-runs instead of --align",
        )
    if early:
        return Advice(
            "K146",
            f"runs that stopped early are compared as if they were whole: {early}",
            "see whether these runs broke down: complete them, or leave them out: --missing drop-runs",
        )
    if BEST_OF_MORE not in assumed:
        return None
    return Advice(
        "K146",
        "the best of many steps is compared with the best of few: chance alone makes the best of more values better",
        "compare the steps that all learners have (--align common), or last values (--curve final)",
    )


def _ended_early(evidence: Any) -> str:
    """Which runs stopped early, and where."""
    if not isinstance(evidence, Curves):
        return ""
    here = {(name, run) for name, runs in zip(evidence.learners, evidence.runs, strict=True) for run in runs}
    early = [
        f"{name} {run} ended at step {last:g} of {longest:g}"
        for (name, run), (last, longest) in evidence.ended.items()
        if (name, run) in here and (name, run) in evidence.stopped
    ]
    return f"{listed(early[:3])}{' …' if len(early) > 3 else ''}" if early else ""


def identical(evidence: Any, comparison: Comparison) -> list[list[str]]:
    """Learners that have the same result on every unit, set by set; of battles none."""
    if comparison.sample.battles is not None:
        return []
    vectors = comparison.sample.vectors
    alike: dict[bytes, list[str]] = {}
    for name, results in zip(evidence.learners, evidence.values if vectors is None else vectors, strict=True):
        alike.setdefault(np.ascontiguousarray(results).tobytes(), []).append(name)
    return [names for names in alike.values() if len(names) > 1]


def k128(case: Case) -> Advice | None:
    """K128: some learners have identical results.

    Fire when two learners have the same result on every unit, as one has under two names.
    """
    found = identical(case.evidence, case.comparison)
    if not found:
        return None
    first, *others = found
    more = f", and so are those of {counted(len(others), 'other set')}" if others else ""
    return Advice(
        "K128",
        f"the results of {listed(first)} are identical throughout{more}",
        "see whether they are one learner under several names, or a setting that changes nothing; if so keep one",
    )


def k115(case: Case) -> Advice | None:
    """K115: a difference is the same everywhere.

    Fire when a pair differs by the same amount on all units, so that how far it is apart is not known.
    """
    comparison = case.comparison
    effects = [each for each in (comparison.statistic, comparison.cohens_d) if each is not None]
    constant = np.isinf(effects).any(axis=0)
    if not constant.any():
        return None
    first, second = comparison.pairs[int(np.argmax(constant))]
    return Advice(
        "K115",
        f"{first} and {second} differ by the same amount on {comparison.sample.units_text}: without spread a test is "
        "no surer than signs are, and shows nothing of fewer than six",
        "check whether the scores are rounded; give more digits or more results",
    )


#: Fewer folds cannot show it.
FEWEST_FOLDS = 10
#: Learners on the same folds err together; below this, with 95 % certainty, they do not look as if they did.
EXPECTED = 0.5


def k123(case: Case) -> Advice | None:
    """K123: the folds do not look paired.

    Fire when nothing says that all learners saw the same folds, and their losses do not go together.
    """
    evidence = case.evidence
    if case.comparison.kind != "folds" or not isinstance(evidence, Scores) or evidence.fingerprints is not None:
        return None
    rows = case.comparison.sample.rows
    if rows.shape[1] < FEWEST_FOLDS or np.isnan(rows).any() or (rows.std(axis=1) == 0).any():
        return None
    middle = _mean_correlation(rows)
    if np.tanh(np.arctanh(min(middle, 0.999)) + 1.645 / np.sqrt(rows.shape[1] - 3.0)) >= EXPECTED:
        return None
    return Advice(
        "K123",
        f"losses of different learners on the same fold correlate by {middle:.2f} only, as if folds differed",
        "make sure that every learner has the same folds in the same order; bestofk collect does that by itself",
    )


def _mean_correlation(rows: Array) -> float:
    """Mean over pairs of learners, on Fisher's scale."""
    correlation = np.asarray(np.corrcoef(rows))[np.triu_indices(len(rows), 1)]
    return float(np.tanh(np.arctanh(np.clip(correlation, -0.999, 0.999)).mean()))


FEWEST_STEPS = 6
#: Mean losses that rise or fall this steadily (rank correlation) with the names are a curve.
STEADY = 0.9


def k124(case: Case) -> Advice | None:
    """K124: points of a curve are taken for independent results.

    Fire when rows are named by growing numbers, such as epochs or sizes, and the loss goes steadily with them.
    """
    evidence = case.evidence
    if not isinstance(evidence, Scores) or case.comparison.kind not in ("datasets", "folds"):
        return None
    names = evidence.datasets if case.comparison.kind == "datasets" else evidence.folds
    steps = _growing(names)
    rows = case.comparison.sample.losses
    means = np.nanmean(rows.reshape(-1, len(names)) if case.comparison.kind == "datasets" else rows, axis=0)
    means = means if means.ndim == 1 else means.mean(axis=0)
    if steps is None or abs(_rank_correlation(steps, means)) < STEADY:
        return None
    return Advice(
        "K124",
        f"rows {names[0]}, {names[1]}, … {names[-1]} look like points of one curve, which depend on each other",
        "name the column step (or epoch), with a column run, so that whole curves are compared",
    )


def _growing(names: tuple[str, ...]) -> Array | None:
    """The names as growing numbers; None where they are not, or merely count rows."""
    try:
        steps = np.array([float(name) for name in names])
    except ValueError:
        return None
    if len(steps) < FEWEST_STEPS or not np.isfinite(steps).all() or (np.diff(steps) <= 0).any():
        return None
    counting = np.allclose(np.diff(steps), 1.0) and steps[0] in (0.0, 1.0)
    return None if counting else steps


def _rank_correlation(one: Array, two: Array) -> float:
    a, b = (average_ranks(values) - (len(values) + 1) / 2.0 for values in (one, two))
    length = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / length if length > 0 else 0.0


def k110(case: Case) -> Advice | None:
    """K110: results are missing, and the comparison goes without them.

    Fire when something was left out.
    """
    left_out = case.comparison.left_out
    if not left_out or left_out.runs or left_out.filled:  # of which K122, or a line of its own, speaks
        return None
    if case.comparison.kind == "battles":
        return Advice(
            "K110",
            f"left out, as the rating would be infinite: {listed(left_out.learners)}",
            "a model that won all its battles may be the best: add battles until it loses or ties one",
        )
    return Advice(
        "K110",
        f"results are missing: {left_out!r}",
        "a learner that fails where it is weak looks better without these results: complete them if you can",
    )


def k122(case: Case) -> Advice | None:
    """K122: some cells or runs failed.

    Fire when results are missing because a learner failed, and say who failed most, and why; or whose runs were left
    out.
    """
    evidence = case.evidence
    if isinstance(evidence, Curves):
        return _failed_runs(evidence, case.comparison.left_out)
    if not isinstance(evidence, Scores) or not evidence.failures:
        return None
    learner, number = Counter(cell[0] for cell in evidence.failures).most_common(1)[0]
    reason = Counter(why for cell, why in evidence.failures.items() if cell[0] == learner).most_common(1)[0][0]
    return Advice(
        "K122",
        f"{counted(len(evidence.failures), 'result')} failed, {number} of {learner} ({reason.rstrip('.')})",
        "failures are not missing at random: mend the learner and run again, or count a failure as a loss",
    )


def _failed_runs(curves: Curves, left_out: LeftOut) -> Advice | None:
    """Runs that were left out, or that failed."""
    reasons = {(name, run): why for (name, run, _), why in curves.failures.items()}
    here = {(name, run) for name, names in zip(curves.learners, curves.runs, strict=True) for run in names}
    runs = left_out.runs or tuple(run for run in reasons if run in here)
    if not runs:
        return None
    ends = {run: f"ended at step {last:g} of {longest:g}" for run, (last, longest) in curves.ended.items()}
    named = [f"{name} {run} ({(ends | reasons).get((name, run), 'no value')})" for name, run in runs]
    whose = f"{listed(named[:3])}{' …' if len(named) > 3 else ''}"
    lacking = "" if any(run in ends for run in runs) else "without a result "
    gone = f"{lacking}{'was' if len(runs) == 1 else 'were'} left out" if left_out.runs else "failed"
    return Advice(
        "K122",
        f"{counted(len(runs), 'run')} {gone}: {whose}",
        "failures are not missing at random: mend the learner and run again, or count a failure as a loss",
    )
