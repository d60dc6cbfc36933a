"""K112: amounts and ranks disagree over data sets."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.comparing.compare import adjusted_pvalues

OTHER = {"paired-t": "wilcoxon", "wilcoxon": "paired-t"}


def advise(case: Case) -> Advice | None:
    """Fire when the t test and Wilcoxon's test separate different pairs: a few data sets weigh much."""
    used = case.comparison
    if used.kind != "datasets" or used.test not in OTHER:
        return None
    other = adjusted_pvalues(case.evidence, OTHER[used.test], used.adjust, used.alpha, used.control)
    apart = np.flatnonzero(used.significant != (other <= used.alpha))
    if apart.size == 0:
        return None
    i = int(apart[0])
    first, second = used.pairs[i]
    more = f", and on {apart.size - 1} more pair{'s' if apart.size > 2 else ''}" if apart.size > 1 else ""
    return Advice(
        "K112",
        f"{used.test} and {OTHER[used.test]} disagree on {first} and {second} (adjusted p = {used.adjusted[i]:.3g} and "
        f"{other[i]:.3g}){more}",
        "a few data sets with large differences may decide: look at them before you claim either",
    )
