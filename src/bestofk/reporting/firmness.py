"""How firm a verdict is on other data sets, and what its test could have found at all. Words read fields only."""

from __future__ import annotations

from bestofk.advice.dataset_names import listed_datasets
from bestofk.core.phrases import counted
from bestofk.judging import Verdict
from bestofk.judging.detectable import DetectableTable
from bestofk.judging.robustness import Robustness, Sensitivity

#: First place that comes out of fewer resamples than these is said to be shaky on the first screen.
FIRM = 0.95


def could_not(verdict: Verdict) -> str:
    """Said of a test that tells nobody apart, where it could not have, whatever the results."""
    table = verdict.detectable
    if table is None or len(table.pairs) < len(verdict.comparison.pairs) or not sees_nothing(table):
        return ""
    return f", and could not, with {table.n:,} {table.unit}, however large a difference"


def sees_nothing(table: DetectableTable) -> bool:
    """Whether no difference of any pair, however large, would have been seen."""
    return not table.beside_others and all(pair.seen == float("inf") for pair in table.pairs)


def shaky_first_place(verdict: Verdict) -> str:
    """For the first screen: first place, where one or two data sets change it or too few resamples keep it."""
    found = _about_first_place(verdict)
    if found is None or found.best is None or not (found.best.fragile or found.best.stability < FIRM):
        return ""
    return f"First place is not firm: {_what_changes_it(found.best, found)}."


def first_place_lines(verdict: Verdict) -> list[str]:
    """First place on other choices of data sets; none where no set that changes it was found."""
    found = _about_first_place(verdict)
    if found is None or found.best is None or found.best.smallest is None:
        return []
    return [f"First place: {found.best.conclusion}; {_what_changes_it(found.best, found)}."]


def _about_first_place(verdict: Verdict) -> Sensitivity | None:
    """Said where the first place is a conclusion, not the order of two means."""
    return None if verdict.status == "tied" or verdict.not_looked_at else verdict.sensitivity


def _what_changes_it(best: Robustness, found: Sensitivity) -> str:
    parts = []
    if best.smallest is not None:
        few = "" if best.exact else f"; at least {best.at_least} must go"
        example = f"{best.smallest.then} without {listed_datasets(best.smallest.without)}{few}"
        parts.append(f"{_how_many(best, found)} when left out ({example})")
    parts.append(f"it stays in {100 * best.stability:.3g} % of resamples")
    return "; ".join(parts)


def _how_many(best: Robustness, found: Sensitivity) -> str:
    """Single data sets that change it, else pairs of them, else the fewest."""
    if best.flips_one:
        return f"{best.flips_one} of {counted(len(found.datasets), 'data set')} {_changes(best.flips_one)} it"
    if best.flips_two:
        return f"no single data set, but {counted(best.flips_two, 'pair')} of them {_changes(best.flips_two)} it"
    assert best.smallest is not None
    return f"{counted(len(best.smallest.without), 'data set')} together change it"


def _changes(number: int) -> str:
    return "changes" if number == 1 else "change"
