"""Advice on classes and the measures made of them."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing import compare_pairs
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import counted
from bestofk.evidence import Scores
from bestofk.measures.catalogue import ENTRIES

#: A class of fewer than this share of the rows hardly counts in them.
RARE = 0.2


def k125(case: Case) -> Advice | None:
    """K125: error and accuracy say little on skewed classes.

    Fire when confusion counts show a rare class, and the measure does not care which class is wrong.
    """
    evidence, measure = case.evidence, ENTRIES.get(plain(case.evidence.measure))
    if not isinstance(evidence, Scores) or evidence.counts is None or measure is None or not measure.blind:
        return None
    with np.errstate(over="ignore"):
        tp, fn, fp, tn = (np.nansum(evidence.counts[..., i], axis=(0, 2, 3)) for i in range(4))
        total = tp + fn + fp + tn
    total = np.where(np.isfinite(total), total, 0.0)  # of counts beyond any sum no class is told
    share = (tp + fn) / np.maximum(total, 1.0)
    rare = np.where(total > 0, np.minimum(share, 1.0 - share), 1.0)  # data sets of more classes have no counts
    if not (rare < RARE).any():
        return None
    place = int(np.argmin(rare))
    where = f" on {evidence.datasets[place]}" if len(evidence.datasets) > 1 else ""
    return Advice(
        "K125",
        f"one class has {100 * rare[place]:.2g} % of the rows{where}: who always says the other one has an error of "
        f"{rare[place]:.2g}",
        "judge by balanced_accuracy, mcc or auc as well, or by tpr and fpr together",
    )


def k130(case: Case) -> Advice | None:
    """K130: the measures do not fit what the learners are for.

    Fire on (tpr, fpr) for retrieval, and on (precision, recall) for detection.
    """
    if case.vectors is None:
        return None
    if case.task == "retrieval" and case.looks_at_both_classes and "precision" not in case.names:
        return Advice(
            "K130",
            "the task is retrieval, and fpr changes when more negatives are added that nobody retrieves; precision and "
            "recall do not",
            "judge on precision,recall (MultiPR)",
        )
    if case.task == "detection" and case.looks_at_positives:
        return Advice(
            "K130",
            "the task is to tell two kinds apart, and precision and recall do not see how many negatives are "
            "recognised; precision also changes with the ratio of the classes",
            "judge on tpr,fpr (MultiTF)",
        )
    return None


def k131(case: Case) -> Advice | None:
    """K131: the positive class is rare, and nothing says what matters.

    Fire when positives are rare, so that (tpr, fpr) and (precision, recall) tell different stories.
    """
    if case.vectors is None or case.task is not None:
        return None
    shares = case.positive_shares()
    share = 1.0 if shares is None else float(shares.mean())
    if not share < RARE or not (case.looks_at_positives or case.looks_at_both_classes):
        return None
    return Advice(
        "K131",
        f"{100 * share:.2g} % of the rows are positive: a small fpr is a share of the many negatives, and most "
        "alarms can be false all the same, which precision shows and fpr does not",
        "say what the learners are for: --task retrieval (find the positives: precision,recall) or --task detection "
        "(tell both classes apart: tpr,fpr)",
    )


#: The largest share of positives is more than so many times the smallest.
MUCH = 1.5


def k132(case: Case) -> Advice | None:
    """K132: precision changes with the ratio of the classes.

    Fire when precision is averaged over folds or data sets whose shares of positives differ much.
    """
    if case.vectors is None or "precision" not in case.names:
        return None
    known = case.positive_shares()
    if known is None or known.min() <= 0 or known.max() <= MUCH * known.min():
        return None
    return Advice(
        "K132",
        f"between {100 * known.min():.2g} % and {100 * known.max():.2g} % of the rows are positive, and precision "
        "changes with that share even where a learner does not",
        "use stratified folds, or judge on tpr,fpr, which do not depend on the ratio of the classes",
    )


#: Pairs named in the sentence.
MOST = 3
_TF, _PR = frozenset({"tpr", "fpr"}), frozenset({"precision", "recall"})


def k133(case: Case) -> Advice | None:
    """K133: (tpr, fpr) and (precision, recall) decide differently.

    Fire when the other of the two usual vectors tells apart other pairs of learners.
    """
    if case.vectors is None or case.vectors.counts is None or case.names not in (_TF, _PR):
        return None
    from bestofk.evidence.measure_vectors.fold_vectors import vectors_of
    from bestofk.evidence.measure_vectors.wanted import Ask

    other = ("precision", "recall") if case.names == _TF else ("tpr", "fpr")
    comparison = case.comparison
    try:
        beside = compare_pairs(
            vectors_of(case.vectors, Ask(other)),
            choice=comparison.choice,
            adjust=comparison.adjust,
            alpha=comparison.alpha,
            control=comparison.control,
            seed=comparison.seed,
        )
    except InputError:  # no precision in some fold: there is nothing to compare with
        return None
    other_answer = np.flatnonzero(comparison.significant != beside.significant)
    turned = [" and ".join(comparison.pairs[i]) for i in other_answer]
    if not turned:
        return None
    more = [f"{len(turned) - MOST} more pairs"] if len(turned) > MOST else []
    return Advice(
        "K133",
        f"{','.join(other)} would decide otherwise about {'; '.join([*turned[:MOST], *more])}: fpr divides "
        "false alarms by all negatives, precision by all alarms",
        "choose by the task, not by the answer: precision,recall to find positives, tpr,fpr to tell both classes apart",
    )


def k134(case: Case) -> Advice | None:
    """K134: some measures follow from one another.

    Fire when fewer measures vary independently than were named, on every pair that varies at all.

    A measure that differs by the same amount on every fold does not vary, and decides: then there is nothing to drop.
    """
    if case.vectors is None:
        return None
    several, number = case.comparison.several, len(case.comparison.names)
    if several is None:
        return None
    most = int(several.rank.max())
    if most == 0 or most >= number or np.isinf(case.comparison.statistic).any():
        return None
    return Advice(
        "K134",
        f"of {counted(number, 'measure')} {most} {'varies' if most == 1 else 'vary'} independently: the others follow "
        "from them, or never vary, and add nothing",
        "name fewer measures; the degrees of freedom are those of the rank already",
    )
