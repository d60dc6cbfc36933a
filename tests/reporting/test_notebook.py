"""What a notebook shows: small, by itself, and names stay text."""

import pytest

import bestofk as bk
from bestofk.reporting.notebook import comparison_html, evidence_html, ordering_html, verdict_html
from report_cases import EVIL, EXAMPLES, demo, evil, large, scores


def pages(verdict, evidence):
    return {
        "verdict": verdict_html(verdict),
        "comparison": comparison_html(verdict.comparison),
        "ordering": ordering_html(verdict.ordering),
        "evidence": evidence_html(evidence),
    }


def test_a_notebook_says_what_the_report_says():
    shown = pages(demo(), bk.read(EXAMPLES / "five_by_two.csv"))
    assert "Take nmc: most preferred of those not shown to be worse" in shown["verdict"]
    assert "Careful" in shown["verdict"]
    assert "--full" not in shown["verdict"]
    assert "more: verdict.advice" in shown["verdict"]
    assert "4 of 10 pairs" in shown["comparison"]
    assert "multitest finds nmc best" in shown["ordering"]
    assert "five_by_two.csv" in shown["evidence"]


def test_names_stay_text_in_a_notebook():
    for page in pages(evil(), scores(EVIL)).values():
        assert "<script" not in page
        assert "<img" not in page
        assert "&lt;script&gt;" in page


def test_a_notebook_page_is_small_however_many_pairs():
    verdict = large(datasets=12)
    for name, page in pages(verdict, scores(verdict.order, datasets=12)).items():
        assert len(page) < 25_000, name
    assert "405 more rows: see frame()" in comparison_html(verdict.comparison)


@pytest.mark.parametrize("name", ["curves.csv", "predictions.csv", "counts.csv", "language_models.csv"])
def test_every_kind_of_evidence_is_shown(name):
    evidence = bk.read(EXAMPLES / name)
    page = evidence_html(evidence)
    assert repr(evidence) in page.replace("&#39;", "'")
    assert all(learner in page for learner in evidence.learners)


def test_missing_results_are_counted():
    evidence = scores(("a", "b"), datasets=5)
    values = evidence.values.copy()
    values[0, 2] = float("nan")
    gappy = bk.Scores(
        learners=("a", "b"), values=values, measure="error", larger_is_better=False, datasets=evidence.datasets
    )
    assert "learner a, data set d2" in evidence_html(gappy)
