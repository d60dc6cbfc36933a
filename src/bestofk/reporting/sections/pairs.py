"""Sections on the pairs: every pair, each of several measures, whole curves, ROC curves, classes one by one."""

from __future__ import annotations

import numpy as np

from bestofk.comparing import Comparison
from bestofk.comparing.curve_shapes import CurvePair
from bestofk.core.arrays import Array
from bestofk.core.phrases import counted, listed, p_text, signed
from bestofk.evidence import Curves, Scores
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict
from bestofk.judging.findings.roc import CostsOfMistakes
from bestofk.reporting.blocks import Block, Section, Sentences, TableBlock
from bestofk.reporting.first_screen import first_table
from bestofk.reporting.tables import (
    PlainTable,
    comparison_table,
    interval_words,
    mean_text,
    parts_table,
    scores_table,
    told_in_pairs,
)
from bestofk.reporting.words import headline

#: How a learner comes to stand above another.
_GROUNDS = {
    "significant": "significantly better",
    "winner": "passes the winner test",
    "ranked": "ranked above by Multi²Test, against the preference",
    "within": "shown to be close enough to the best",
    "preferred": "preferred, and not shown to be worse",
    "mean": "better mean, not significant",
    "mean rank": "better mean rank, not significant",
    "graph": "others are shown to be better than the lower one",
    "found": "named by the method, not significant",
    "against": "although the lower one is shown to be better",
}
#: More pairs than these are not told one by one.
MOST_PAIRS = 400
#: As many groups of items are shown.
MOST_SHOWN_GROUPS = 50


def pairs_section(verdict: Verdict) -> Section:
    """Every pair in numbers, and what the test over all learners says."""
    comparison = verdict.comparison
    said = [f"{comparison.test}{'' if comparison.tested else ' would be the test'}: {comparison.choice.reason}."]
    omnibus = comparison.omnibus
    if omnibus is not None:
        caution = " It takes folds for independent, which they are not." if omnibus.assumes_independence else ""
        said.append(f"Over all learners: {omnibus!r}.{caution}")
    if verdict.filled_in is not None:
        said.append(f"Filled in: {verdict.filled_in!r}.")
    elif comparison.left_out:
        said.append(f"Missing results: {comparison.left_out!r}.")
    ratio = comparison.sample.scale == "log-ratio"
    what = f": {'ratio of first and second' if ratio else 'first minus second'} in {comparison.measure}"
    among = told_in_pairs(verdict.order)
    which = "Every pair" if among is None else f"Pairs of the first {len(among)}; a report in JSON has all"
    caption = f"{which}{what if comparison.sized else ''}."
    if comparison.sized and comparison.bounded and comparison.tested:
        caption += f" Low and high: {interval_words(comparison)}."
    if comparison.a12 is not None:
        caption += f" A12: the chance that the first has the larger {comparison.measure}."
    caption += _behind_p(comparison)
    blocks: list[Block] = [Sentences(tuple(said)), TableBlock("pairs", caption, comparison_table(comparison, among))]
    if verdict.prior is not None and len(comparison.pairs) <= MOST_PAIRS:
        blocks.append(TableBlock("reasons", "Which learner stands above which, and why.", _reasons_table(verdict)))
    return Section("pairs-of-learners", "Every pair", tuple(blocks))


def _behind_p(comparison: Comparison) -> str:
    """The degrees of freedom, or the shuffles, of the p values of all pairs."""
    there = ~comparison.degenerate
    if not there.any():
        return ""
    if comparison.shuffles is not None and comparison.exact is not None:
        number = comparison.shuffles[there]
        counted = number[number > 0]
        every = "all " if comparison.exact.all() else ""
        said = [f"counted in {every}{_range(counted, ',')} shuffles"] if counted.size else []
        return f" p: {' or '.join([*said, *(['approximated'] if counted.size < number.size else [])])}."
    freedom = comparison.df[there].T
    if not freedom.size or np.isinf(freedom).any():
        return ""
    return f" p: {listed([_range(column, '.4g') for column in freedom])} degrees of freedom."


def _range(values: Array, form: str) -> str:
    """A number, or the smallest and the largest.

    Examples
    --------
    >>> _range(np.array([10_000, 200_000]), ","), _range(np.array([4.0, 4.0]), ".4g")
    ('10,000 to 200,000', '4')
    """
    return " to ".join(dict.fromkeys(format(end, form) for end in (values.min(), values.max())))


def _reasons_table(verdict: Verdict) -> PlainTable:
    rows = []
    for each in verdict.reasons:
        alone = each.ground == "winner"  # by its own p, beside that of all pairs
        p = f", {p_text(verdict.comparison.pair(each.better, each.worse).pvalue)}" if alone else ""
        adjusted = "" if each.pvalue is None else f"{each.pvalue:.3g}"
        rows.append((each.better, each.worse, f"{_GROUNDS[each.ground]}{p}", adjusted))
    return PlainTable(("above", "below", "because", "adjusted p"), tuple(rows), frozenset({"adjusted p"}))


def scores_section(verdict: Verdict) -> Section | None:
    """Mean score of every learner on every data set, or on every task of runs and curves."""
    scores = verdict.evidence
    if isinstance(scores, Curves):
        names, what = scores.shared_datasets(), scores.block
    elif isinstance(scores, Scores) and verdict.comparison.several is None:
        names, what = scores.datasets, "data set"
    else:
        return None
    if len(names) < 2:
        return None
    caption = f"Mean {scores.measure} on every {what}; {scores.direction}."
    table = scores_table(names, scores.learners, scores.by_dataset(), what)
    return Section("data-sets", f"Every {what}", (TableBlock("scores", caption, table),))


def groups_section(verdict: Verdict) -> Section | None:
    """Mean outcome of every learner in every group of items; of many groups, in the largest."""
    found = verdict.by_group
    if found is None:
        return None
    shown, number = found.groups[:MOST_SHOWN_GROUPS], len(found.groups)
    what = found.group_name
    which = f"every {what}" if len(shown) == number else f"{len(shown)} of {counted(number, what)}"
    which += ", the largest first" if len({each.items for each in found.groups}) > 1 else ""
    rows = tuple(
        (each.group, str(each.items), *(mean_text(each.means[name]) for name in verdict.order)) for each in shown
    )
    columns = ("items", *verdict.order)
    table = PlainTable((what, *columns), rows, frozenset(columns))
    caption = f"Mean {found.measure} in {which}; means alone, no test."
    return Section("groups", f"Every {what}", (TableBlock("by-group", caption, table),))


def measures_section(verdict: Verdict) -> Section | None:
    """Each of several measures by itself."""
    comparison, orders = verdict.comparison, verdict.measure_orders
    if comparison.several is None:
        return None
    test = comparison.several.part_test
    caption = f"Every pair in each measure, by {test}; adjusted for all pairs and measures."
    of = verdict.evidence.error_of if isinstance(verdict.evidence, Vectors) else ""
    if of:
        caption += f" The error is {of}."
    blocks: list[Block] = [TableBlock("measures", caption, parts_table(comparison))]
    if orders is not None:
        listed_orders = tuple(
            (each.measure, ", ".join(each.order), "; ".join(listed(group) for group in each.groups or ()))
            for each in orders.orders
        )
        table = PlainTable(("measure", "best first", "no difference shown within"), listed_orders, frozenset())
        blocks.append(TableBlock("orders", "Each measure by itself, best first.", table))
    return Section("each-measure", "Every measure", tuple(blocks))


def curves_section(verdict: Verdict) -> Section | None:
    """Level and shape over all learners, and where along training pairs differ."""
    curves = verdict.comparison.curves
    if curves is None:
        return None
    blocks: list[Block] = []
    if curves.parts is not None and curves.anova is not None:
        level, shape, anova = curves.parts.p_level, curves.parts.p_shape, curves.anova
        over_all = (
            f"Over all learners: level {p_text(level)}, shape {p_text(shape)}, each whatever the other is. "
            f"Randomized ANOVA: F_alg = {anova.f_alg:.4g}, {p_text(anova.p_alg)}; "
            f"F_int = {anova.f_int:.4g}, {p_text(anova.p_int)}."
        )
        blocks.append(Sentences((over_all,)))
    table = PlainTable(
        ("first", "second", "where a difference is shown", "features, first minus second"),
        tuple((pair.first, pair.second, _stretches(pair), _traits(pair)) for pair in curves.pairs),
        frozenset(),
    )
    words = frozenset(table.columns[2:])
    return Section("curves", "Along training", (*blocks, TableBlock("stretches", "Every pair.", table, words)))


def _stretches(pair: CurvePair) -> str:
    return (
        "; ".join(f"{s.better}, steps {s.start:g}–{s.stop:g} ({p_text(s.pvalue)})" for s in pair.stretches) or "nowhere"
    )


def _traits(pair: CurvePair) -> str:
    return "; ".join(
        f"{t.feature}{'' if t.threshold is None else f' {t.threshold:.3g}'} {signed(t.difference)} "
        f"({p_text(t.adjusted)})"
        for t in pair.traits
    )


def roc_section(verdict: Verdict) -> Section | None:
    """Areas under ROC curves, and for which costs of mistakes each learner is best."""
    table = _roc_table(verdict)
    return None if table is None else Section("roc", "ROC and costs of mistakes", (table,))


def _roc_table(verdict: Verdict, anchor: str = "areas") -> TableBlock | None:
    roc, costs = verdict.roc, verdict.mistake_costs
    if roc is None and costs is None:
        return None
    known = costs if roc is None else roc.costs
    assert known is not None
    of = "" if roc is None else f" of {counted(roc.folds, 'fold')}" if roc.folds > 1 else " of all items together"
    rows = tuple(
        (name, *(() if roc is None else (mean_text(roc.areas[name]),)), _prices(known, name)) for name in verdict.order
    )
    area = () if roc is None else ("area",)
    table = PlainTable(("learner", *area, "best while a false alarm costs, in misses"), rows, frozenset(area))
    share = f"{100 * known.positives:.3g} % positives"
    caption = f"{'Rates' if roc is None else 'ROC curves'}{of}, and their convex hull ({share}); means alone, no test."
    return TableBlock(anchor, caption, table)


def _prices(costs: CostsOfMistakes, name: str) -> str:
    prices = [each for each in costs.best if each.learner == name]
    return "; ".join(price_text(each.low, each.high) for each in prices) or "at no price"


def price_text(low: float, high: float) -> str:
    """Between which prices of a false alarm, in misses.

    Examples
    --------
    >>> price_text(0.0, 2.0), price_text(0.5, float("inf")), price_text(0.0, float("inf"))
    ('below 2', 'above 0.5', 'at any price')
    """
    if low == 0.0 and high == float("inf"):
        return "at any price"
    if low == 0.0:
        return f"below {high:.2g}"
    return f"above {low:.2g}" if high == float("inf") else f"from {low:.2g} to {high:.2g}"


def classes_section(verdict: Verdict) -> Section | None:
    """Every class against the rest, each at its share of alpha."""
    if not verdict.by_class:
        return None
    blocks: list[Block] = []
    for number, each in enumerate(verdict.by_class, 1):
        positive = each.provenance.settings.get("positive", "")
        caption = f"Class {positive} against the rest, at alpha {each.alpha:.3g}. {headline(each)}"
        blocks.append(TableBlock(f"class-{number}", caption, first_table(each, most=len(each.order))))
        blocks.append(TableBlock(f"class-{number}-pairs", "Its pairs.", comparison_table(each.comparison)))
        blocks += [table for table in (_roc_table(each, f"class-{number}-areas"),) if table is not None]
    names = listed([str(each.provenance.settings.get("positive", "")) for each in verdict.by_class])
    said = Sentences((f"Classes {names}; the level holds for all of them together.",))
    return Section("classes", "Every class", (said, *blocks))
