"""Rates at thresholds of probabilities: tested together, their error and costs, the class that reaches them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.reporting.report import report_text
from makers_measures import LADDER, pairs_of, probabilities_file


def test_thresholds_are_tested_together(file):
    truth, scores, path = file(groups=True)
    verdict = bk.judge(path, on=LADDER)
    assert verdict.comparison.test == "threshold-test"
    folds = [np.arange(300) % 10 == f for f in range(10)]
    labels = [truth[f] for f in folds]
    for pair in pairs_of(verdict):
        sides = [[scores[name][f] for f in folds] for name in (pair.first, pair.second)]
        alone = bk.stats.multivariate.threshold_test(labels, *sides, [0.3, 0.6], test_fraction=0.1)
        assert (pair.statistic, pair.pvalue) == pytest.approx((alone.statistic, alone.pvalue))
    single = bk.stats.pairwise.corrected_t(
        *([(scores[n][f & (truth == 1)] >= 0.3).mean() for f in folds] for n in ("good", "fair")), test_fraction=0.1
    )
    assert verdict.comparison.pair("good", "fair").part("tpr@0.3").pvalue == pytest.approx(single.pvalue)


def test_the_order_of_thresholds_does_not_matter(file):
    _, _, path = file(groups=True)
    turned = ",".join(reversed(LADDER.split(",")))
    one, two = (pairs_of(bk.judge(path, on=on))[0].pvalue for on in (LADDER, turned))
    assert one == pytest.approx(two)


def test_thresholds_without_their_twin_go_to_hotelling(file):
    _, _, path = file(groups=True)
    assert bk.judge(path, on="tpr@0.3,fpr@0.6").comparison.test == "hotelling-corrected"
    assert bk.judge(path, on=LADDER, test="hotelling-corrected").comparison.test == "hotelling-corrected"
    with pytest.raises(bk.InputError, match="threshold-test is not valid"):
        bk.judge(path, on="tpr,fpr", test="threshold-test")


def at(path, threshold):
    """Counts by learner and fold, by hand."""
    rows = [line.split(",") for line in Path(path).read_text().split()[1:]]
    table = {}
    for learner, _, fold, truth, chance in rows:
        place = (0 if float(chance) >= threshold else 1) + (0 if truth == "p" else 2)
        table.setdefault((learner, int(fold)), np.zeros(4))[place] += 1
    return {name: np.array([table[name, fold] for fold in range(1, 11)]) for name in "ab"}


def test_costs_and_error_are_of_the_threshold(tmp_path):
    path = probabilities_file(tmp_path)
    verdict = bk.judge(path, on="tpr@0.3,fpr@0.3")
    for name, counts in at(path, 0.3).items():
        tp, fn, fp, tn = counts.sum(axis=0)
        assert verdict.mistake_costs.rates[name] == pytest.approx((fp / (fp + tn), tp / (tp + fn)))
        errors = (counts[:, 1] + counts[:, 2]) / counts.sum(axis=1)
        assert verdict.comparison.means_of("error")[name] == pytest.approx(errors.mean())
    assert verdict.evidence.error_of == "at the threshold 0.3"
    assert "The error is at the threshold 0.3." in " ".join(report_text(verdict, "txt").split())


def test_the_error_beside_two_thresholds_is_of_the_predicted_classes(tmp_path):
    path = probabilities_file(tmp_path)
    verdict, plain = bk.judge(path, on="tpr@0.3,fpr@0.6"), bk.judge(path, on="tpr,fpr")
    assert verdict.comparison.means_of("error") == pytest.approx(plain.comparison.means_of("error"))
    assert verdict.mistake_costs.rates == plain.mistake_costs.rates
    assert verdict.evidence.error_of == "of the predicted classes"
    assert plain.evidence.error_of == ""


def test_the_error_beside_one_threshold_and_a_measure_of_predictions(tmp_path):
    path = probabilities_file(tmp_path)
    verdict, there = bk.judge(path, on="tpr@0.3,fpr@0.3,f1"), bk.judge(path, on="tpr@0.3,fpr@0.3")
    assert verdict.mistake_costs.rates == there.mistake_costs.rates
    assert verdict.evidence.error_of == "of the predicted classes"


@pytest.mark.parametrize(("name", "other"), [("tnr@0.3", "fpr@0.3"), ("fnr@0.3", "tpr@0.3")])
def test_turned_rates_at_a_threshold(tmp_path, name, other):
    path = probabilities_file(tmp_path)
    beside = "tpr@0.3" if name.startswith("tnr") else "fpr@0.3"
    turned = bk.judge(path, on=f"{name},{beside}").comparison.means_of(name)["a"]
    assert turned == pytest.approx(1 - bk.judge(path, on="tpr@0.3,fpr@0.3").comparison.means_of(other)["a"])


def test_a_threshold_is_reached_by_the_other_class_too():
    table = pd.DataFrame(
        {
            "learner": np.repeat(["a", "b"], 40),
            "item": np.tile(np.arange(40), 2),
            "fold": np.tile(np.arange(40) // 10, 2),
            "truth": np.tile(["n", "p"], 40),
            "probability": np.r_[np.full(40, 0.8), np.tile([0.1, 0.9, 0.7, 0.3], 10)],
        }
    )
    verdict = bk.judge(table, on="tpr@0.2,fpr@0.2", positive="n")
    assert [verdict.comparison.means_of(name)["a"] for name in ("tpr@0.2", "fpr@0.2")] == pytest.approx([1.0, 1.0])
