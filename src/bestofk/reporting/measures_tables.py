"""The verdict on several measures as plain tables."""

from __future__ import annotations

from bestofk.comparing.measures_comparison import MeasuresPair, MeasureTest
from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.tables import PlainTable, mean_text


def learners_table(verdict: MeasuresVerdict) -> PlainTable:
    """One row per learner, best first: every mean, and by whom it is dominated."""
    rows = verdict.rows()
    columns = tuple(rows[0])
    numbers = tuple(column for column in columns if column.startswith("mean "))
    cells = tuple(
        (
            str(row["place"]),
            row["learner"],
            *(mean_text(row[column]) for column in numbers),
            ", ".join(row["dominated by"]),
        )
        for row in rows
    )
    return PlainTable(columns, cells, frozenset({"place", *numbers}))


def measures_pairs_table(verdict: MeasuresVerdict) -> PlainTable:
    """One row per pair: the test of all measures together, and that of the error."""
    statistic = _symbol(verdict)
    columns = ("first", "second", statistic, "df", "rank", "p", "adjusted p", "finding")
    has_error = bool(verdict.comparison.error_means) and "error" not in verdict.names
    rows = tuple(
        (
            pair.first,
            pair.second,
            *_numbers_of(pair, statistic),
            str(pair.rank),
            f"{pair.pvalue:.3g}",
            f"{pair.adjusted:.3g}",
            finding(pair),
            *((_error_finding(pair.error),) if has_error else ()),
        )
        for pair in verdict.comparisons
    )
    names = (*columns, "by error") if has_error else columns
    return PlainTable(names, rows, frozenset({statistic, "df", "rank", "p", "adjusted p"}))


def _numbers_of(pair: MeasuresPair, symbol: str) -> tuple[str, str]:
    """The statistic and its degrees of freedom: t has those below the line of F = t²."""
    statistic, df = (pair.tests[0].statistic, pair.df[-1:]) if symbol == "t" else (pair.statistic, pair.df)
    return f"{statistic:.4g}", ", ".join(f"{number:.4g}" for number in df)


def _symbol(verdict: MeasuresVerdict) -> str:
    if verdict.comparison.kind == "items":
        return "z"
    if verdict.comparison.of_areas:
        return "t"
    return "Q" if verdict.comparison.kind == "datasets" else "T²"


def finding(pair: MeasuresPair) -> str:
    """What the test says of a pair, in two or three words."""
    if pair.dominating is not None and len(pair.tests) == 1:
        return f"{pair.dominating} better in {pair.tests[0].measure}"
    if pair.dominating is not None:
        return f"{pair.dominating} dominates"
    if pair.relation == "alike":
        return "not separated"
    ahead = {name: [test.measure for test in pair.shown(name)] for name in (pair.first, pair.second)}
    shown = [f"{name} better in {', '.join(measures)}" for name, measures in ahead.items() if measures]
    return "; ".join(shown) if shown else "differ in a combination"


def _error_finding(error: MeasureTest | None) -> str:
    if error is None or not error.significant or error.better is None:
        return "not separated"
    return f"{error.better} better"


def single_measures_table(verdict: MeasuresVerdict) -> PlainTable:
    """One row per pair and measure: the tests after the multivariate one."""
    statistic = {"datasets": "W", "items": "z"}.get(verdict.comparison.kind, "t")
    means = ("mean of first", "mean of second", "difference")
    columns = ("first", "second", "measure", *means, statistic, "p", "adjusted p")
    rows = tuple(
        (
            pair.first,
            pair.second,
            test.measure,
            mean_text(test.first_mean),
            mean_text(test.second_mean),
            f"{test.difference:+.4g}",
            f"{test.statistic:.4g}",
            f"{test.pvalue:.3g}",
            f"{test.adjusted:.3g}",
            f"{test.better} better" if test.significant and test.better else "not separated",
        )
        for pair in verdict.comparisons
        for test in pair.tests
    )
    return PlainTable((*columns, "finding"), rows, frozenset(columns[3:]))


def acceptance_table(verdict: MeasuresVerdict, *, error: bool = False) -> PlainTable:
    """1 where a pair is not told apart, 0 where it is, as in Tables 2 and 3 of Yıldız, Aslan and Alpaydın 2011."""
    order = verdict.order

    def cell(one: str, two: str) -> str:
        if one == two:
            return "·"
        pair = verdict.comparison.pair(one, two)
        told = pair.significant if not error else bool(pair.error and pair.error.significant)
        return "0" if told else "1"

    rows = tuple((one, *(cell(one, two) for two in order)) for one in order)
    return PlainTable(("learner", *order), rows, frozenset(order))


def orders_table(verdict: MeasuresVerdict) -> PlainTable:
    """One row per measure: learners best first, and the groups whose ends are not told apart."""
    rows = tuple(
        (each.measure, " ".join(each.order), " | ".join(" ".join(group) for group in each.groups))
        for each in verdict.ordering.by_measure
    )
    return PlainTable(("measure", "best first", "underlined"), rows, frozenset())


def manova_table(verdict: MeasuresVerdict) -> PlainTable | None:
    """The four criteria over all learners; None without a MANOVA."""
    manova = verdict.comparison.manova
    if manova is None:
        return None
    rows = tuple(
        (
            each.name,
            f"{each.statistic:.4g}",
            f"{each.f_statistic:.4g}",
            ", ".join(f"{number:.4g}" for number in each.df),
            f"{each.pvalue:.3g}",
        )
        for each in manova.criteria
    )
    return PlainTable(("criterion", "value", "F", "df", "p"), rows, frozenset({"value", "F", "df", "p"}))


def discriminant_table(verdict: MeasuresVerdict) -> PlainTable | None:
    """What each measure has to do with the difference: its weight in the first discriminant, and its own ANOVA."""
    manova = verdict.comparison.manova
    if manova is None:
        return None
    columns = ("weight", "weight in standard deviations", "p of ANOVA")
    rows = tuple(
        (name, f"{manova.direction[name]:.4g}", f"{manova.weights[name]:.3g}", f"{manova.measure_pvalues[name]:.3g}")
        for name in verdict.names
    )
    return PlainTable(("measure", *columns), rows, frozenset(columns))
