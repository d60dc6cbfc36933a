"""ROC curves in words and as a table."""

from __future__ import annotations

from bestofk.core.phrases import counted, listed
from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.order_words import order_sentence
from bestofk.reporting.tables import PlainTable, mean_text


def areas_headline(verdict: MeasuresVerdict) -> str:
    """The verdict on areas in a sentence or two, with the order."""
    order = f"Order by area under the ROC curve, largest first: {', '.join(verdict.order)}."
    if verdict.status == "decided":
        others = "that of the other learner" if len(verdict.order) == 2 else "those of all other learners"
        return f"{verdict.best} is best: the area under its ROC curve is shown to be larger than {others}. {order}"
    if verdict.status == "preferred":
        chosen = f"{verdict.best} is the choice: no learner is shown to have a larger area, and it is preferred."
        return f"{chosen} {order_sentence(verdict.order, verdict.prior)}"
    return f"No learner is shown to have the largest area; in question: {listed(verdict.front)}. {order}"


def roc_lines(verdict: MeasuresVerdict) -> list[str]:
    """Areas, and which learners can be best for some costs, by the hull of the curves."""
    roc = verdict.roc
    if roc is None:
        return []
    of = f"mean curves of {counted(roc.folds, 'fold')}" if roc.folds > 1 else "all items together"
    areas = ", ".join(f"{name} {mean_text(roc.areas[name])}" for name in verdict.order)
    what = "mean areas" if roc.folds > 1 else "areas"
    lines = [f"ROC curves ({of}; positive is {roc.positive}); {what}: {areas}."]
    on_hull = tuple(dict.fromkeys(each.learner for each in roc.costs.best))
    if on_hull:
        never = f"; inside it, so best for no costs: {listed(roc.costs.never)}" if roc.costs.never else ""
        lines.append(f"On the convex hull, so best for some costs at some threshold: {listed(on_hull)}{never}.")
    return lines


def price_words(low: float, high: float) -> str:
    """Between which prices of a false alarm, in misses.

    Examples
    --------
    >>> price_words(0.0, 2.0), price_words(0.5, float("inf")), price_words(0.0, float("inf"))
    ('below 2', 'above 0.5', 'at any price')
    """
    if low == 0.0 and high == float("inf"):
        return "at any price"
    if low == 0.0:
        return f"below {high:.2g}"
    return f"above {low:.2g}" if high == float("inf") else f"from {low:.2g} to {high:.2g}"


def roc_table(verdict: MeasuresVerdict) -> PlainTable | None:
    """One row per learner: the area, and for which prices of a false alarm it is best; None without curves."""
    roc = verdict.roc
    if roc is None:
        return None
    prices = {name: [each for each in roc.costs.best if each.learner == name] for name in verdict.order}
    rows = tuple(
        (
            name,
            mean_text(roc.areas[name]),
            "; ".join(price_words(each.low, each.high) for each in prices[name]) or "at no price",
        )
        for name in verdict.order
    )
    return PlainTable(("learner", "area", "best by the price of a false alarm"), rows, frozenset({"area"}))
