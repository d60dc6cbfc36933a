"""Sections of the page agree with the findings that they show, and are there only where something was found."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.gallery import figures_for
from bestofk.reporting.page import page_of
from bestofk.reporting.report import report_text
from bestofk.reporting.tables import comparison_table, mean_text, tab_separated
from makers import over_datasets as errors
from report_cases import EXAMPLES, demo


@pytest.fixture(autouse=True)
def no_drawing(monkeypatch):
    monkeypatch.setattr("bestofk.reporting.page.figures_of", lambda verdict: ())


@cache
def demsar(**options):
    """Demšar 2006, table 6: wilcoxon shows C4.5+m to be better than C4.5 (adjusted p = 0.0439), and nothing else."""
    return bk.judge(bk.read(EXAMPLES / "demsar.csv", measure="auc"), **options)


def over_datasets(k=3, number=9, folds=10, seed=0, gap=0.05, **options):
    rng = np.random.default_rng(seed)
    values = 0.2 + gap * np.arange(k)[:, None, None, None] + rng.normal(0, 0.02, (k, number, 1, folds))
    times = np.exp(rng.normal(0, 0.1, values.shape)) * 2.0 ** np.arange(k)[:, None, None, None]
    facts = {"measure": "error", "larger_is_better": False, "datasets": tuple(f"set {i}" for i in range(number))}
    scores = bk.Scores(learners=tuple("abcde"[:k]), values=values, measured_costs={"fit_time": times}, **facts)
    return bk.judge(scores, **options)


def tables(verdict):
    """Tables of the page by anchor."""
    blocks = (block for section in page_of(verdict).sections for block in section.blocks)
    return {block.anchor: block.table for block in blocks if block.kind == "table"}


def anchors(verdict):
    return {section.anchor for section in page_of(verdict).sections}


def test_sections_are_those_that_have_something_to_show():
    assert anchors(demo()) == {"pairs-of-learners", "power", "figures", "advice", "methods", "provenance"}
    assert {"data-sets", "other-tests", "other-data-sets"} <= anchors(demsar())
    assert "curves" in anchors(bk.judge(EXAMPLES / "curves.csv"))
    assert "costs" in anchors(over_datasets())
    assert "costs" not in anchors(over_datasets(control="a"))


@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
def test_who_is_shown_to_be_beaten_is_not_among_the_best(adjust):
    verdict = demsar(adjust=adjust)
    assert verdict.best_set == ("C4.5+m+cf", "C4.5+m", "C4.5+cf")
    assert verdict.comparison.shows("C4.5+m", "C4.5")


@pytest.mark.parametrize("least", [1.0, 0.0, np.nan], ids=["folds", "a time of 0", "a time that is missing"])
def test_costs_of_few_data_sets_are_tested_by_their_folds_if_all_have_a_logarithm(least):
    verdict = over_datasets(number=4)
    evidence = verdict.evidence
    times = np.array(evidence.measured_costs["fit_time"])
    times[0, 0, 0, 0] *= least
    found = bk.judge(replace(evidence, measured_costs={"fit_time": times}, costs={})).pareto_front
    assert verdict.test == "stratified-t"
    assert [criterion.tested for criterion in found.criteria] == [True, True]
    assert found.criteria[1].better[0, 2]  # four times as fast, by its folds or by four means


def test_every_conclusion_has_its_flips_and_its_stability():
    verdict = demsar()
    rows = tables(verdict)["choice"].rows
    assert rows[0][0] == "no single best"
    for row, each in zip(rows[1:], verdict.sensitivity.pairs, strict=True):
        assert all(name in row[0] for name in each.about)
        assert row[1] == str(each.flips_one)
        assert row[5] == f"{100 * each.stability:.3g} %"
    assert verdict.sensitivity.shakiest.flips_one == 10


def test_first_place_is_the_first_conclusion_where_somebody_is_first():
    verdict = over_datasets(prior=("c", "b", "a"))
    row = tables(verdict)["choice"].rows[0]
    assert row[0] == f"{verdict.order[0]} is best"
    assert row[5] == f"{100 * verdict.sensitivity.best.stability:.3g} %"


def test_what_could_be_seen_is_listed_for_every_pair_that_does_not_differ():
    verdict = demsar()
    alike = {names for names in verdict.comparison.pairs if not verdict.comparison.differs(*names)}
    assert {row[:2] for row in tables(verdict)["seen"].rows} == alike
    assert {(pair.first, pair.second) for pair in verdict.detectable.pairs} == alike


def test_wins_ties_and_losses_are_those_counted():
    verdict = over_datasets()
    for first, second, *counts, _ in tables(verdict)["wins"].rows:
        assert tuple(map(int, counts)) == tuple(verdict.counted_wins.of(first, second))
        assert sum(map(int, counts)) == 9


def test_costs_name_who_dominates_whom():
    verdict = over_datasets()
    front = verdict.pareto_front
    table = tables(verdict)["criteria"]
    assert table.columns == ("learner", *(criterion.name for criterion in front.criteria), "finding")
    for row in table.rows:
        by = dict(front.dominated_by).get(row[0], ())
        assert all(name in row[-1] for name in by)
        assert (row[-1] == "on the front") == (row[0] in front.plain_front)


def test_mean_ranks_and_bayesian_tests_are_of_the_findings():
    found = tables(demsar())
    ranks, bayes = demsar().mean_ranks, demsar().bayes
    assert [row[:2] for row in found["ranks"].rows] == [
        (name, f"{rank:.4g}") for name, rank in zip(ranks.learners, ranks.ranks, strict=True)
    ]
    assert found["chances"].rows[0][1:] == tuple(f"{share:.3g}" for share in bayes.next_dataset)


def test_means_have_the_same_digits_everywhere():
    verdict = demsar()
    page = page_of(verdict)
    at = page.table.columns.index(verdict.measure)
    assert {row[at] for row in page.table.rows} == {mean_text(value) for value in verdict.means.values()}


def test_results_left_out_are_said():
    scores = bk.read(EXAMPLES / "demsar.csv", measure="auc")
    values = scores.values.copy()
    values[0, 3] = np.nan
    gaps = bk.Scores(learners=scores.learners, values=values, measure="auc", larger_is_better=True,
                     datasets=scores.datasets)  # fmt: skip
    verdict = bk.judge(gaps, missing="drop-datasets")
    said = " ".join(line for line in page_of(verdict).sections[0].blocks[0].lines)
    assert scores.datasets[3] in said


def test_the_page_sets_everyone_beside_the_control():
    verdict = bk.judge(EXAMPLES / "five_by_two.csv", control="max", prior=("max", "nmc", "lgc", "tree", "nn"))
    table = page_of(verdict).table
    findings = {row[1]: row[table.columns.index("finding")] for row in table.rows}
    assert not any("not compared" in said for said in findings.values())
    assert {name for name, said in findings.items() if "better" in said} == {"nmc", "lgc", "tree", "nn"}
    assert table.drawn.startswith("difference from max")


def test_where_nothing_was_tested_nothing_speaks_of_tests():
    verdict = bk.judge(EXAMPLES / "language_models.csv", prior="price")
    assert not verdict.comparison.tested
    page = page_of(verdict)
    assert not {figure.name for figure in figures_for(verdict)} & {
        "differences",
        "critical-difference",
        "underlined-order",
        "pairs",
    }
    assert verdict.detectable is None
    pairs = next(
        block.table for section in page.sections for block in section.blocks if getattr(block, "anchor", "") == "pairs"
    )
    assert not {"low", "high", "p", "adjusted p"} & set(pairs.columns)
    assert not any(criterion.tested for criterion in verdict.pareto_front.criteria)
    text = report_text(verdict, "txt")
    for words in ("p = 1", "inf", "were tested", "tested two-sided", "not significantly different", "Low and high"):
        assert words not in text, words


def test_numbers_of_a_pair_have_one_direction():
    """First minus second in the measure, whether larger is better or not."""
    rng = np.random.default_rng(0)
    values = np.array([0.3, 0.5])[:, None] + 0.05 * rng.normal(size=(2, 14))
    for larger in (True, False):
        comparison = bk.compare(
            errors(values, measure="accuracy" if larger else "error", larger_is_better=larger), test="wilcoxon"
        )
        table = comparison_table(comparison)
        row = dict(zip(table.columns, table.rows[0], strict=True))
        assert all(row[name].startswith("−") for name in ("difference", "low", "d", "rank-biserial"))
        assert float(row["A12"]) < 0.5
        assert "-" not in "".join(table.rows[0])
        assert tab_separated(table).count("−") == 0


def test_below_every_pair_stands_what_p_is_of():
    def caption(verdict):
        blocks = next(each.blocks for each in page_of(verdict).sections if each.anchor == "pairs-of-learners")
        return next(block.caption for block in blocks if block.kind == "table")

    forced = bk.judge(EXAMPLES / "five_by_two.csv", test="5x2cv-f", force=True)
    assert "p: 9 degrees of freedom." in caption(demo())
    assert "p: 10 and 5 degrees of freedom." in caption(forced)
    assert "p: counted in all 16,384 shuffles." in caption(demsar(test="permutation-t"))
    assert "p: counted in 10,000 shuffles." in caption(over_datasets(number=30, gap=0.0, test="permutation-t"))
    assert "p: approximated." in caption(over_datasets(number=30, test="permutation-t"))
    assert "p: " not in caption(demsar())
