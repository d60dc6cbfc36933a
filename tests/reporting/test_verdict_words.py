"""Words about verdicts and comparisons: they agree with the fields, count rightly, and name the papers used."""

import re

import numpy as np
import pytest

import bestofk as bk
from bestofk.reporting import words
from bestofk.reporting.methods_paragraph import methods_of
from bestofk.reporting.report import report_text
from bestofk.reporting.sections.datasets import (
    features_section,
    other_datasets_section,
    other_tests_section,
    steps_table,
)
from makers import folds, over_datasets, random_case, slow, table, with_folds, with_gap

BENAVOLI = "Benavoli et al. 2017"
FORMATS = ("html", "md", "tex", "txt", "json")


@pytest.mark.parametrize("seed", [*range(20), *slow(*range(20, 60))])
def test_the_words_of_a_comparison_agree_with_its_fields(seed):
    evidence, options = random_case(np.random.default_rng(seed))
    asked = {name: options[name] for name in ("test", "alpha", "missing")}
    comparison = bk.compare(evidence, **asked)
    text = comparison.text()
    head, *rows = text.split("\n\n")[-1].splitlines()
    columns = re.split(r"\s{2,}", head.strip())
    assert ("n" in columns) == (comparison.shared is not None)
    differ = int(comparison.significant.sum())
    decimals = set()
    assert text.startswith(f"{differ} of {len(rows)} pair" if comparison.tested else "No pair")
    assert sum("not significant" not in row and "not tested" not in row for row in rows) == differ
    for row, names in zip(rows, comparison.pairs, strict=True):
        pair = comparison.pair(*names)
        cells = re.split(r"\s{2,}", row.strip())
        assert cells[:2] == [*names]
        difference = cells[columns.index("difference")].replace("−", "-")
        decimals.add(len(difference.partition(".")[2]))
        assert float(difference) == pytest.approx(pair.difference, rel=5.1e-3)
        if not comparison.tested:
            assert cells[-1] == "not tested"
        elif comparison.degenerate[comparison.pairs.index(names)]:
            assert cells[-2:] == ["n/a", "not tested"]
        else:
            found = f"{pair.better} better" if pair.significant else "not significant"
            assert cells[-2:] == [f"{pair.adjusted:.3g}", found]
    assert len(decimals) == 1 or max(decimals) > 5  # of very small numbers beside others each has its own


@pytest.mark.parametrize("seed", [*range(6), *slow(*range(6, 60))])
def test_the_set_of_the_best_is_named_where_it_says_something(seed):
    evidence, options = random_case(np.random.default_rng(seed))
    verdict = bk.judge(evidence, **options)
    assert "nan" not in repr(verdict)
    said = set(re.findall(r"[a-z]+", words.best_set_sentence(verdict))) & set(verdict.order)
    alone = {name for name in verdict.order[1:] if verdict.reason(verdict.order[0], name).ground == "winner"}
    assert said == {"decided": alone, "undecided": set()}.get(verdict.status, {*verdict.best_set})


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "none"])
def test_one_pair_is_not_said_to_be_adjusted(adjust):
    """One p value has nothing to be adjusted for."""
    one, several = (bk.judge(table(k, 12, gap=0.2), adjust=adjust) for k in (2, 3))
    assert "adjust" not in words.tested(one.comparison)
    assert adjust not in words.tested(one.comparison)
    assert ("not adjusted" if adjust == "none" else adjust) in words.tested(several.comparison)
    assert "Dunn 1961" not in {paper.short for paper in methods_of(one).references}
    named = {paper.short for paper in methods_of(several).references}
    assert ("Dunn 1961" in named) == (adjust == "bonferroni")
    assert "with a" in words.tested(bk.compare(table(3, 12), adjust=adjust, control="a"))


ONE_AS_MANY = re.compile(
    r"(?<![\d.,×])1 (?:more )?(?:pairs|data sets|folds|replications|learners|results|neighbours|items)\b"
)


@pytest.mark.parametrize(
    ("evidence", "options"),
    [
        (table(2, 12), {}),
        (table(2, 12, gap=0.002), {"prior": ["b", "a"]}),
        (table(4, 12, shape=(1, 10)), {"prior": list("abcd")}),
        (table(2, 1, shape=(1, 10)), {}),
        (table(2, 1, shape=(1, 10)), {"test": "paired-t"}),
        (table(5, 9, shape=(5, 2)), {"control": "b"}),
        (table(5, 12, gap=0.05, costs={"price": dict(zip("abcde", range(1, 6), strict=True))}), {}),
        (with_gap(table(3, 12), (0, 3)), {"missing": "keep"}),
    ],
)
def test_nothing_is_one_and_many_at_once(evidence, options):
    verdict = bk.judge(evidence, **options)
    said = [verdict, verdict.comparison, verdict.ordering, verdict.detectable, *verdict.advice]
    text = "\n".join([*map(repr, said), *methods_of(verdict).paragraphs, repr(verdict.comparison.left_out)])
    assert not ONE_AS_MANY.search(text), ONE_AS_MANY.search(text)


@pytest.mark.parametrize(("rope", "measure"), [(None, "error"), (0.02, "error")])
def test_a_rope_is_cited(rope, measure):
    methods = methods_of(bk.judge(table(2, 12, measure=measure), rope=rope))
    assert BENAVOLI in methods.further
    assert BENAVOLI in {paper.short for paper in methods.references}


@pytest.mark.parametrize(
    ("evidence", "rope"),
    [
        (table(2, 12), 0.0),
        (table(2, 12, measure="seconds"), None),
        (folds(0.3 + 0.1 * np.arange(3)[:, None, None] + 0.05 * np.random.default_rng(0).normal(size=(3, 5, 2))), None),
    ],
    ids=["rope 0", "scale not known", "no Bayesian test"],
)
def test_without_a_rope_none_is_said(evidence, rope):
    assert "rope" not in methods_of(bk.judge(evidence, rope=rope)).further


def test_nemenyi_with_a_control_is_called_by_its_names():
    with_control = bk.judge(table(4, 12), test="nemenyi", control="b")
    assert "Bonferroni–Dunn" in methods_of(with_control).paragraph
    assert words.tested_by(with_control) == "Tested by nemenyi (Bonferroni–Dunn) over 3 pairs with b, alpha 0.05"
    assert words.tested_by(bk.judge(table(4, 12), test="nemenyi")) == "Tested by nemenyi over 6 pairs, alpha 0.05"


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_of_a_difference_that_is_constant_up_to_rounding(format):
    low = np.array([0.1, 0.11] * 6)
    other = low + 0.3 + 0.02 * np.random.default_rng(0).normal(size=12)
    assert np.ptp(low - (low + 0.05)) > 0
    assert "a" in report_text(bk.judge(over_datasets([low, low + 0.05, other])), format)


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_of_two_learners_with_a_constant_difference(format):
    low = np.arange(1, 11) / 32
    verdict = bk.judge(over_datasets([low, low + 0.5]))
    rows = steps_table(verdict.two_learners).rows
    assert (rows[0][-1], rows[-1][-1]) == ("−0.5", "−inf")
    assert report_text(verdict, format)


def test_sections_over_data_sets_have_the_numbers_of_the_findings(monkeypatch):
    monkeypatch.setattr("bestofk.judging.findings.two_learners.SAMPLES", (16_000,))  # if chains agree
    verdict = bk.judge(with_folds(3, gap=0.001))
    tests, sets = other_tests_section(verdict), other_datasets_section(verdict)
    assert {block.anchor for block in tests.blocks} == {"ranks", "chances", "wins"}
    flips = [row[1:3] for row in sets.blocks[0].table.rows[1:]]
    assert flips == [(str(each.flips_one), str(each.flips_two)) for each in verdict.sensitivity.pairs]
    page = report_text(verdict, "html")
    assert tests.heading in page
    assert sets.heading in page


def test_what_was_not_tried_or_not_used_has_a_section_that_says_so():
    assert "1,689,600" in str(other_datasets_section(bk.judge(table(12, 160, gap=0.03))).blocks)
    few = bk.judge(table(2, 7), features={f"d{i}": {"rows": float(i)} for i in range(7)})
    assert "not used" in str(features_section(few).blocks)
    assert features_section(bk.judge(table(2, 7))) is None


@pytest.mark.parametrize("prior", [None, list("abc")])
def test_a_circle_of_differences_has_words_and_pages(prior):
    rows = np.tile([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]], (1, 60))
    verdict = bk.judge(over_datasets(rows), test="sign", prior=prior)
    assert verdict.best_set == ("a", "b", "c")
    assert set(re.findall(r"\b[abc]\b", words.best_set_sentence(verdict))) == {"a", "b", "c"}
    for format in FORMATS:
        assert report_text(verdict, format)
