"""Whether any outcome at all could have been significant, by the smallest p of a test and the adjustment."""

import numpy as np
import pytest

import bestofk as bk
from makers import codes, curves, items, over_datasets, table

BASE = np.linspace(0.1, 0.2, 6)

NOTHING = [
    BASE,
    BASE + 0.01 * np.array([1, -1, 1, -1, 1, -1.5]),
    BASE + 0.012 * np.array([-1, 1.1, 1, -1.2, 1, -1]),
]

APART = [BASE, BASE + 0.05 + 0.001 * np.arange(6), BASE + 0.1 + 0.003 * np.arange(6)]

#: Of three pairs by Wilcoxon on six data sets each has p ≥ 1/32; these show three such pairs together at 0.05 …
SHOWN_TOGETHER = ["benjamini-hochberg", "hochberg", "hommel", "li"]

#: … and these show none: about 3/32, by Benjamini and Yekutieli (1 + 1/2 + 1/3)/32.
NEVER_SHOWN = ["bonferroni", "holm", "shaffer", "bergmann-hommel", "holland", "finner", "benjamini-yekutieli"]


@pytest.mark.parametrize("adjust", SHOWN_TOGETHER)
def test_what_pairs_show_together_is_decidable(adjust):
    clear = bk.judge(over_datasets(APART), test="wilcoxon", adjust=adjust)
    assert (clear.status, clear.decidable) == ("decided", True)
    assert "K102" not in codes(clear)
    verdict = bk.judge(over_datasets(NOTHING), test="wilcoxon", adjust=adjust)
    assert verdict.decidable
    assert "K119" in codes(verdict)
    assert "K102" not in codes(verdict)
    assert verdict.detectable.beside_others
    assert {pair.seen for pair in verdict.detectable.pairs} == {np.inf}  # of a pair by itself


@pytest.mark.parametrize("adjust", NEVER_SHOWN)
def test_what_no_family_can_show_is_not_decidable(adjust):
    clear = bk.judge(over_datasets(APART), test="wilcoxon", adjust=adjust)
    assert not any(clear.comparison.adjusted <= clear.alpha)
    assert not clear.decidable
    verdict = bk.judge(over_datasets(NOTHING), test="wilcoxon", adjust=adjust)
    assert {"K102", "K119"} <= codes(verdict)
    assert not verdict.detectable.beside_others


@pytest.mark.parametrize("adjust", SHOWN_TOGETHER)
def test_five_data_sets_show_nothing_by_any_adjustment(adjust):
    verdict = bk.judge(over_datasets([row[:5] for row in APART]), test="wilcoxon", adjust=adjust)
    assert "K102" in codes(verdict)
    assert not verdict.decidable
    assert not verdict.detectable.beside_others


@pytest.mark.parametrize(("datasets", "possible"), [(5, False), (6, True)])
def test_six_data_sets_are_the_fewest_of_wilcoxon(datasets, possible):
    verdict = bk.judge(table(2, datasets, gap=10.0, spread=0.01), test="wilcoxon")
    assert (verdict.status == "decided") == verdict.decidable == possible
    assert verdict.comparison.smallest == 2 * 0.5**datasets
    assert ("K102" in codes(verdict)) != possible


def test_curves_that_show_pairs_together_are_decidable():
    rng = np.random.default_rng(0)
    lines = [rng.normal(0.3, 0.02, (4, 1)) + rng.normal(0, 0.001, (4, 5)) for _ in "abc"]  # p ≥ 2/70
    for adjust, together in (("holm", False), ("hochberg", True)):
        verdict = bk.judge(curves(lines), adjust=adjust)
        assert verdict.test == "randomized-t"
        assert verdict.decidable == verdict.detectable.beside_others == together
        assert ("K102" in codes(verdict)) != together


def test_too_few_items_in_disagreement_is_not_too_few_results():
    wrong = np.zeros((2, 80))
    wrong[0, :2] = wrong[1, 2:4] = 1.0
    verdict = bk.judge(items(wrong, measure="error", larger_is_better=False))
    assert verdict.decidable
    assert "K119" in codes(verdict)
