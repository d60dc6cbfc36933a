"""K135: hardly more folds than measures."""

from __future__ import annotations

from typing import Any

from bestofk.advice.advice import Advice
from bestofk.advice.k13x_measures import MeasuresCase
from bestofk.core.phrases import counted

#: Fewer degrees of freedom below the line of F than this see large differences only.
FEW = 5.0


def advise(case: Any) -> Advice | None:
    """Fire when the F of Hotelling's test has few degrees of freedom left."""
    if not isinstance(case, MeasuresCase) or case.comparison.kind != "folds":
        return None
    left = min(pair.df[1] for pair in case.comparison.pairs)
    if left >= FEW:
        return None
    return Advice(
        "K135",
        f"{counted(case.comparison.rows, 'fold')} and {counted(len(case.comparison.names), 'measure')} leave "
        f"{counted(int(left), 'degree')} of freedom: only very large differences can be seen",
        "collect ten folds or more, or judge on fewer measures",
    )
