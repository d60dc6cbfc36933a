"""K126: data sets that everybody uses."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.design.datasets.paper_sets import PAPER_SETS
from bestofk.design.datasets.shelf import DATASETS
from bestofk.evidence import Scores

#: Fewer well-known data sets are no collection.
FEWEST = 5
#: Newcomers that the expected number of false discoveries is said for.
TRIED = 100


def advise(case: Case) -> Advice | None:
    """Fire when a significant result rests on data sets of which most are public and in wide use."""
    evidence, comparison = case.evidence, case.comparison
    if comparison.kind != "datasets" or not isinstance(evidence, Scores):
        return None
    known = {*PAPER_SETS, *DATASETS}
    public = [name for name in evidence.datasets if _plain(name) in known]
    shown = comparison.significant.any()
    if len(public) < FEWEST or 2 * len(public) < len(evidence.datasets) or not shown:
        return None
    return Advice(
        "K126",
        f"{len(public)} of {len(evidence.datasets)} data sets are in wide use: of {TRIED} equal learners tried on them "
        f"by {TRIED} people, {TRIED * comparison.alpha:.3g} would be found to differ, and these get published",
        "test once more on data sets that nobody tuned on, or use a smaller alpha",
    )


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "-").replace("_", "-")
