"""What a verdict claims, and what it does not, in tables, sentences, reports and figures."""

import re

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.phrases import p_text, p_words
from bestofk.plots.figures.difference_intervals import DifferenceIntervalsInfo
from bestofk.plots.figures.order_graph import OrderGraphInfo
from bestofk.reporting.first_screen import first_table
from bestofk.reporting.page import page_of
from bestofk.reporting.report import report_text
from bestofk.reporting.tables import aligned, comparison_table, fitted, narrowed
from bestofk.reporting.words import comparison_text, headline, ordering_text, verdict_text
from makers import NAMES, amounts, codes, folds, items, over_datasets, runs, task_runs, with_gap
from report_cases import EXAMPLES


@pytest.fixture(autouse=True)
def no_drawing(monkeypatch):
    monkeypatch.setattr("bestofk.reporting.page.figures_of", lambda verdict: ())


def won(k=6, seed=4, **options):
    """The first learner is better than each other at alpha, and than some of them not among all pairs."""
    rng = np.random.default_rng(seed)
    level = np.array([0.2, *(0.24 + 0.002 * np.arange(k - 1))])
    values = level[:, None, None] + 0.02 * rng.normal(size=(k, 1, 10)) + 0.02 * rng.normal(size=10)
    return bk.judge(folds(values), **options)


def rows_of(table, learner):
    return [row for row in table.rows if learner in row]


@pytest.mark.parametrize("prior", [None, list("fedcba")])
def test_the_winner_test_calls_nobody_worse(prior):
    verdict = won(prior=prior)
    grounds = {name: verdict.reason("a", name).ground for name in verdict.order[1:]}
    beaten = [name for name, ground in grounds.items() if ground == "winner"]
    assert (verdict.status, verdict.best, verdict.best_set) == ("decided", "a", ("a",))
    assert set(grounds.values()) == {"winner", "significant"}
    for name in beaten:
        pair = verdict.comparison.pair("a", name)
        assert pair.pvalue <= verdict.alpha < pair.adjusted
        assert verdict.against("a", name) == "not significant"
        (row,) = rows_of(first_table(verdict), name)
        assert row[-1] == f"{p_words(pair.pvalue)}, tested alone"
        against_a = [row for row in comparison_table(verdict.comparison).rows if {row[0], row[1]} == {"a", name}]
        assert [row[-1] for row in against_a] == ["not significant"]
    blocks = page_of(verdict).sections[0].blocks
    if prior is not None:
        because = {row[1]: row[2] for row in blocks[-1].table.rows if row[0] == "a"}
        for name in beaten:
            assert because[name].endswith(p_text(verdict.comparison.pair("a", name).pvalue))
        assert not re.search(r"worse|beaten", ordering_text(verdict.ordering))
        assert not re.search(r"worse|beaten", OrderGraphInfo.of(verdict).alt)
    for format in ("html", "md", "txt", "tex"):
        text = report_text(verdict, format)
        assert text.count("tested alone") >= len(beaten)


def test_of_hidden_learners_those_are_counted_that_are_shown_to_be_worse():
    verdict = won(k=12)
    hidden = first_table(verdict).rows[-1]
    shown = {row[1] for row in first_table(verdict).rows[:-1]}
    rest = [name for name in verdict.order if name not in shown]
    worse = [name for name in rest if verdict.comparison.shows(verdict.best, name)]
    assert verdict.status == "decided"
    assert 0 < len(worse) < len(rest)
    assert hidden[1] == f"and {len(rest)} more"
    assert hidden[-1] == f"{len(worse)} worse than {verdict.best}"


def test_amounts_in_other_units_are_ratios():
    verdict = bk.judge(amounts())
    table, pair = first_table(verdict), verdict.comparison.pair("b", "a")
    assert "mean rank" in table.columns
    assert verdict.measure not in table.columns
    ends = [f"×{np.exp(end):.3g}" for end in (pair.difference, pair.low, pair.high)]
    (row,) = rows_of(table, "b")
    assert "{} [{}, {}]".format(*ends) in row
    pairs = comparison_table(verdict.comparison)
    assert "ratio" in pairs.columns
    assert "difference" not in pairs.columns
    turned = verdict.comparison.pair("a", "b")
    assert pairs.rows[0][2:5] == tuple(f"×{np.exp(end):.3g}" for end in (turned.difference, turned.low, turned.high))
    assert "ratio of first and second" in comparison_text(verdict.comparison)
    few = bk.judge(amounts(datasets=4))
    assert (few.test, "mean rank" in first_table(few).columns) == ("paired-t", True)
    gaps = first_table(bk.judge(with_gap(amounts(), (0, 3)), missing="keep"))  # no ranks of a table with gaps
    assert {"mean rank", "rmse"}.isdisjoint(gaps.columns)
    assert "geometric mean" in gaps.columns
    rates = bk.judge(over_datasets(0.2 + 0.01 * np.random.default_rng(0).normal(size=(3, 12))))
    assert "×" not in verdict_text(rates)


@pytest.mark.parametrize("scale", [0.003, 1e-4, 1e-6])
def test_a_ratio_beside_1_is_not_written_as_1(scale):
    """An interval that excludes ×1 says so in the table, too."""
    values = np.exp(scale * (np.arange(3.0)[:, None] + 0.1 * np.random.default_rng(1).normal(size=(3, 20))))
    verdict = bk.judge(over_datasets(values * 10.0 ** np.arange(-2, 2).repeat(5), measure="rmse"))
    assert verdict.status == "decided"
    for name in "bc":
        (row,) = rows_of(first_table(verdict), name)
        ratios = re.findall(r"×([0-9.]+)", " ".join(row))
        assert len(ratios) == 3
        assert all(float(each) > 1 for each in ratios)


def test_amounts_that_have_no_ratio_have_no_size_either():
    """A perfect score: only who is ahead is counted, and differences in other units are not put side by side."""
    values = np.array(amounts().by_dataset())
    values[0, 0] = 0.0
    verdict = bk.judge(over_datasets(values, measure="rmse"), prior=list("cba"))
    assert (verdict.test, verdict.comparison.sample.scale) == ("sign", "rank")
    assert {"rmse", "difference"}.isdisjoint(re.split(r"\s+", " ".join(first_table(verdict).columns)))
    assert {"difference", "low", "high", "d", "rank-biserial"}.isdisjoint(comparison_table(verdict.comparison).columns)
    even = bk.judge(over_datasets(np.random.default_rng(0).normal(size=(3, 12)), measure="return"))
    assert (even.comparison.sample.scale, even.detectable, "K119" in codes(even)) == ("rank", None, False)
    assert {even.comparison.pair(*pair).to_dict()["difference"] for pair in even.comparison.pairs} == {None}
    assert "interval" not in comparison_text(verdict.comparison)
    assert DifferenceIntervalsInfo.of(verdict) is None
    assert report_text(verdict, "html")


def test_a_lead_by_preference_is_said_as_a_ratio():
    verdict = bk.judge(amounts(gap=0.005), prior=list("cba"))
    assert verdict.status == "preferred"
    pair = verdict.comparison.pair("a", verdict.best)
    assert f"a has the best mean rank (ratio ×{np.exp(pair.difference):.3g} [" in headline(verdict)


@pytest.mark.parametrize(
    ("evidence", "options", "said"),
    [
        (task_runs(tasks=5), {}, "on these 5 data sets"),
        (over_datasets(np.random.default_rng(0).normal(0.2, 0.01, (3, 4, 1, 10))), {}, "on these 4 data sets"),
        (runs(np.random.default_rng(0).normal(0.2, 0.01, (3, 8))), {}, "whatever the seed"),
        (
            items(np.tile([[1, 0, 1], [1, 1, 0]], 20), groups=tuple("abcdefghij" * 6)),
            {"groups": "fixed"},
            "these groups",
        ),
    ],
    ids=["tasks", "data sets", "runs", "groups"],
)
def test_the_headline_says_what_the_claim_is_about(evidence, options, said):
    assert said in headline(bk.judge(evidence, **options))


def test_a_difference_that_cannot_be_tested_is_undecided():
    verdict = bk.judge(folds(np.tile([[0.1], [0.2]], (1, 4)).reshape(2, 1, 4)))
    assert (verdict.status, verdict.decidable) == ("undecided", True)
    assert verdict.comparison.degenerate.all()
    assert headline(verdict).startswith("Undecided: a and b")
    assert "4 folds" in headline(verdict)
    assert "finds no best" in headline(bk.judge(won().evidence, method="anova-best", prior=NAMES[:6]))


def test_the_level_of_intervals_is_said():
    def said(evidence, **options):
        return " ".join(comparison_text(bk.compare(evidence, **options)).split())

    evidence = won().evidence
    assert "the level that decided" in said(evidence)
    assert "the 95 % interval" in said(evidence, intervals="single")
    assert "the 99.67 % interval" in said(evidence, adjust="bonferroni")
    assert "interval" not in said(task_runs(tasks=12), test="nemenyi")
    assert "[" not in verdict_text(bk.judge(task_runs(tasks=12), test="nemenyi"))


@pytest.mark.parametrize("least", [0.2, -0.4])  # means below 0 have a minus sign
@pytest.mark.parametrize("reverse", [False, True])
def test_a_narrow_table_keeps_rank_intervals_and_what_learners_are_listed_by(reverse, least):
    """The mean rank goes where the mean tells the same order; else the mean does."""
    rng = np.random.default_rng(0)
    values = least + 0.05 * np.arange(3)[:, None] + 0.01 * rng.normal(size=(3, 12))
    if reverse:
        values[0, 0] += 2.0  # the best mean rank, and the worst mean
    verdict = bk.judge(over_datasets(values))
    table = first_table(verdict)
    assert {"error", "mean rank", "rank"} <= set(table.columns)
    headings = [aligned(fitted(table, width)).split("\n")[0] for width in range(120, 50, -1)]
    narrow = [heading for heading in headings if ("mean rank" in heading) != ("error" in heading)]
    assert narrow
    assert all(("mean rank" in heading) == reverse for heading in narrow)
    assert " rank " in narrow[0].replace("mean rank", "")


def test_a_narrow_table_says_beside_whom_and_breaks_no_row():
    table = first_table(bk.judge(bk.read(EXAMPLES / "demsar.csv", larger_is_better=True), test="paired-t"))
    for width in (80, 60, 52):
        narrow = fitted(table, width)
        assert len(narrow.rows) == len(table.rows)
        assert max(map(len, aligned(narrow).split("\n"))) <= width
        assert any(table.rows[0][1] in column for column in narrow.columns)


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_a_narrow_table_of_pairs_lacks_columns_and_breaks_no_number(width):
    whole = comparison_table(bk.judge(task_runs(tasks=12)).comparison)
    table = narrowed(whole, width)
    assert max(map(len, aligned(table).split("\n"))) <= width
    assert {"first", "second", "difference", "adjusted p", "finding"} <= set(table.columns)
    assert set(whole.columns) - set(table.columns) <= set(whole.lesser)
    kept = [whole.columns.index(column) for column in table.columns if column in whole.numeric]
    numbers = [row[i] for row in whole.rows for i in kept]
    assert [cell for row in table.rows for column, cell in zip(table.columns, row, strict=True)
            if column in table.numeric and cell] == numbers  # fmt: skip
