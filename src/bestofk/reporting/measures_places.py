"""The order of a verdict on several measures as a list, and what that order is."""

from __future__ import annotations

from typing import Any

from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.means import ordinal
from bestofk.reporting.measures_words import MEASURES_STATUS_MEANS
from bestofk.reporting.order_words import CORRECTED_TITLE
from bestofk.reporting.places import Place
from bestofk.reporting.tables import mean_text


def measures_places(verdict: MeasuresVerdict) -> tuple[Place, ...]:
    """Every learner in the order of the verdict."""
    return tuple(_place(row, verdict) for row in verdict.rows())


def _place(row: dict[str, Any], verdict: MeasuresVerdict) -> Place:
    means = ", ".join(f"{name} {mean_text(row[f'mean {name}'])}" for name in verdict.names)
    dominated = row["dominated by"]
    state = "worse" if dominated else "first" if row["learner"] == verdict.best else "open"
    finding = f"dominated by {', '.join(dominated)}" if dominated else "not dominated"
    if verdict.comparison.of_areas:
        finding = f"shown to be smaller than {', '.join(dominated)}" if dominated else "not shown to be smaller"
    return Place(row["place"], row["learner"], means, state, finding, because=rank_words(row["learner"], verdict))


def measures_status_means(verdict: MeasuresVerdict) -> str:
    """What the status says; areas are larger or smaller, and do not dominate."""
    if verdict.status == "preferred" and verdict.comparison.of_areas:
        return "chosen by preference: nobody is shown to have a larger area"
    return MEASURES_STATUS_MEANS[verdict.status]


def rank_words(learner: str, verdict: MeasuresVerdict) -> str:
    """Where a learner stands by the error, or by the only measure, where a preference made another order."""
    measure = verdict.names[0] if len(verdict.names) == 1 else "error"
    found = next((each.order for each in verdict.ordering.by_measure if each.measure == measure), None)
    if verdict.prior is None or found is None or found == verdict.order:
        return ""
    return f"{ordinal(found.index(learner) + 1)} of {len(found)} by mean {measure}"


def measures_order_title(verdict: MeasuresVerdict) -> str:
    """What the learners are sorted by."""
    if verdict.prior is not None:
        return CORRECTED_TITLE
    if verdict.comparison.of_areas:
        return "Order by area under the ROC curve, largest first"
    after = ", the dominated after those that dominate them" if verdict.ordering.edges else ""
    of = f" {verdict.comparison.error_of}" if verdict.comparison.error_of else ""
    return f"Listed by mean {verdict.ordering.listed_by}{of}{after}"


def measures_order_note(verdict: MeasuresVerdict) -> str:
    """What the order is not, where a preference has made it."""
    if verdict.prior is None:
        return ""
    until = "shown to have a larger area" if verdict.comparison.of_areas else "shown to dominate it"
    return f"No ranking by quality: a preferred learner stands above others until one is {until}."
