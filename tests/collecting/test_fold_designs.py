"""What can be judged of results depends on how rows were divided: bootstraps, growing and unequal training sets."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GroupKFold, PredefinedSplit, TimeSeriesSplit

import bestofk as bk
from bestofk.core.errors import InputError
from collecting_plans import Column, X, Y, answers, collected, collected_beside_max, noisy
from makers import command, three_lines

TWO = {"right": Column(0), "other": Column(1)}


def test_a_bootstrap_of_the_full_set_has_means_and_no_verdict(tmp_path):
    evidence = collected(tmp_path, "bootstrap-5")
    answer = command("judge", tmp_path / "r.db")
    assert answer.exit_code == 2
    assert len(answer.stderr.strip().splitlines()) == 3
    assert "tested on the full" in answer.stderr
    assert "bootstrap-10-oob" in answer.stderr
    assert "--test-fraction" not in answer.output
    for learner, mean in evidence.means().items():
        assert f"{learner} {mean:.4g}" in answer.stderr.splitlines()[0]


@pytest.mark.parametrize("more", [(), ("--test", "corrected-t"), ("--test", "paired-t", "--force")])
def test_a_share_of_test_data_makes_no_random_splits_of_a_bootstrap(tmp_path, more):
    collected(tmp_path, "bootstrap-5")
    answer = command("judge", tmp_path / "r.db", "--test-fraction", "0.3", *more)
    assert answer.exit_code == 2
    assert "test_fraction is 0.3" in answer.stderr
    assert command("judge", tmp_path / "r.db", *more).exit_code == 2


def test_several_measures_of_such_a_bootstrap_have_no_verdict_either(tmp_path):
    collected(tmp_path, "bootstrap-8")
    answer = command("judge", tmp_path / "r.db", "--on", "accuracy,f1")
    assert answer.exit_code == 2
    assert "tested on the full" in answer.stderr


def test_over_data_sets_the_reader_is_told_that_such_errors_are_too_low(tmp_path):
    plan = bk.Plan(["max", "nmc"], ["iris", "wine"], folds="bootstrap-2", seed=1)
    evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert any("errors are too low" in note for note in evidence.origin.notes)


@pytest.mark.parametrize("folds", ["forward-4", TimeSeriesSplit(4)], ids=["forward", "TimeSeriesSplit"])
def test_growing_training_sets_are_corrected_by_the_mean_of_their_own_sizes(tmp_path, folds):
    """By hand: d = .25, .625, .25, .5 has mean .40625 and variance .105469/3; n_test/n_train are 1, 1/2, 1/3, 1/4.

    t = .40625 / sqrt((1/4 + .520833) · .0351563) = 2.4678, and 2·P(T₃ > 2.4678) = .0902.
    """
    evidence = collected(tmp_path, folds, answers(), TWO)
    np.testing.assert_allclose(evidence.values[:, 0, 0], [[0, 0, 0, 0], [0.25, 0.625, 0.25, 0.5]])
    verdict = bk.judge(evidence)
    pair = verdict.comparison.pair("right", "other")
    assert verdict.test == "corrected-t"
    assert abs(pair.statistic) == pytest.approx(2.4678, abs=1e-4)
    assert pair.pvalue == pytest.approx(0.0902, abs=1e-4)
    assert verdict.comparison.sample.divided == "growing"
    share = evidence.test_fraction / (1 - evidence.test_fraction)  # test rows per training row
    assert share == pytest.approx(0.5208, abs=1e-4)
    assert "4 folds with growing" in verdict.comparison.sample.units_text


def test_growing_folds_are_no_values_for_the_plain_t_test(tmp_path):
    evidence = collected(tmp_path, "forward-4", answers(), TWO)
    with pytest.raises(InputError, match="4 folds with growing"):
        bk.judge(evidence, test="paired-t")


def test_folds_of_unequal_sizes_are_corrected_by_the_mean_of_their_own_sizes(tmp_path):
    """Test sets of 20, 10 and 10 of 40 rows: n_test/n_train are 1, 1/3 and 1/3, in the mean 5/9 instead of 1/2."""
    evidence = collected(tmp_path, PredefinedSplit(np.repeat([0, 1, 2], [20, 10, 10])), answers(), TWO)
    assert evidence.test_fraction / (1 - evidence.test_fraction) == pytest.approx(5 / 9)
    assert "3 folds of other sizes than in k-fold" in repr(evidence)
    verdict = bk.judge(evidence)
    differences = evidence.values[1].ravel() - evidence.values[0].ravel()
    error = np.sqrt((1 / 3 + 5 / 9) * differences.var(ddof=1))
    assert abs(verdict.comparison.pair("right", "other").statistic) == pytest.approx(differences.mean() / error)
    assert verdict.comparison.sample.divided == "uneven"


def test_a_window_that_slides_does_not_grow(tmp_path):
    """Eight rows train and eight test in every fold: n_test/n_train is 1, not the 1/3 of 4-fold."""
    evidence = collected(tmp_path, TimeSeriesSplit(4, max_train_size=8), answers(), TWO)
    assert (evidence.divided, evidence.test_fraction) == ("uneven", pytest.approx(0.5))
    assert "grow" not in bk.judge(evidence).text()


@pytest.mark.parametrize("folds", ["3-fold", "2x7", "7-fold-stratified", GroupKFold(4)])
def test_folds_as_equal_as_rounding_lets_them_be_stay_k_fold(tmp_path, folds):
    X, y = noisy()
    rows = pd.DataFrame(X, columns=list("abc")).assign(y=y)
    grouped = isinstance(folds, GroupKFold)
    dataset = {"data": rows.assign(g=np.arange(40) // 5), "target": "y", "groups": "g"} if grouped else (X, y)
    evidence = collected(tmp_path, folds, dataset)
    assert (evidence.test_fraction, evidence.divided) == (None, "")


def test_halves_of_groups_of_unequal_sizes_are_tested_as_other_halves(tmp_path):
    X, y = noisy()
    rows = pd.DataFrame(X, columns=list("abc")).assign(y=y, g=np.repeat([0, 1, 2, 3], [25, 5, 5, 5]))
    evidence = collected(tmp_path, "5x2", {"data": rows, "target": "y", "groups": "g"})
    assert evidence.divided == "uneven"
    assert bk.judge(evidence).test == "corrected-t"


@pytest.mark.parametrize("datasets", [("d",), ("d", "e")])
def test_curves_of_bootstraps_tested_on_their_training_rows_are_refused(tmp_path, datasets):
    def run(folds):
        data = {name: (X + 0.5 * Y[:, None], (Y > 1).astype(int)) for name in datasets}
        plan = bk.Plan(learners=["nmc", "max"], datasets=data, folds=folds, seed=1)
        bk.collect(plan, str(tmp_path / f"{folds}.db"), engine="serial", progress=False)
        return tmp_path / f"{folds}.db"

    first, _, fix = three_lines(command("judge", run("learning-curve-bootstrap-8-2")))
    assert "bootstrap sample was tested" in first
    assert 'folds = "learning-curve-bootstrap-' in fix
    spec = fix.split('"')[1]
    assert command("judge", run(spec.replace("-16-", "-10-"))).exit_code in (0, 1)


def test_the_notes_of_such_curves_say_that_errors_are_too_low(tmp_path):
    store = collected_beside_max(tmp_path, "nmc", folds="learning-curve-bootstrap-4-2")
    assert any("errors are too low" in note for note in bk.read(store).origin.notes)
    with pytest.raises(InputError, match="only means: mine"):
        bk.compare(bk.read(store))
