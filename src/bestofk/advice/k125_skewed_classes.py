"""K125: error and accuracy on skewed classes."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.core.names import plain
from bestofk.evidence import Scores
from bestofk.measures.catalogue import ENTRIES

#: Measures that a learner of the larger class alone does well by.
BLIND = frozenset({"error", "accuracy", "percent_correct", "percent_incorrect"})
#: A class of fewer than this share of the rows hardly counts in them.
RARE = 0.2


def advise(case: Case) -> Advice | None:
    """Fire when confusion counts show a rare class, and the measure does not care which class is wrong."""
    evidence = case.evidence
    if not isinstance(evidence, Scores) or evidence.counts is None or not _is_blind(evidence.measure):
        return None
    tp, fn, fp, tn = (np.nansum(evidence.counts[..., i], axis=(0, 2, 3)) for i in range(4))
    share = (tp + fn) / np.maximum(tp + fn + fp + tn, 1.0)
    rare = np.minimum(share, 1.0 - share)
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


def _is_blind(measure: str) -> bool:
    known = ENTRIES.get(plain(measure))
    return known is not None and known.name in BLIND
