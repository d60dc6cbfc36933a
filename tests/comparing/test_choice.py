"""Which test a sample gets, which it does not allow, and what can be forced."""

import numpy as np
import pytest

import bestofk as bk
import makers
from bestofk import stats
from makers import folds, over_datasets, separated

rng = np.random.default_rng(0)


def runs(*sizes, tasks=(), **more):
    """Values of runs, so many of every learner, in each of the tasks."""
    rng = np.random.default_rng(0)
    named = {"datasets": tuple(tuple(task for task in tasks for _ in range(n)) for n in sizes)} if tasks else {}
    values = tuple(rng.random(n * max(1, len(tasks))) for n in sizes)
    return bk.Runs(learners=makers.NAMES[: len(sizes)], values=values, **makers.ERROR, **named, **more)


def in_groups(learners, groups):
    """Graded items, three in every group."""
    values = np.random.default_rng(0).random((learners, 3 * groups))
    names = tuple(f"m{i}" for i in range(learners))
    return makers.items(values, learners=names, groups=tuple(f"g{i % groups}" for i in range(3 * groups)))


@pytest.mark.parametrize(
    ("evidence", "test", "scope"),
    [
        (folds(rng.random((2, 5, 2))), "corrected-t", "learner"),
        (folds(rng.random((2, 1, 10))), "corrected-t", "learner"),
        (folds(rng.random((2, 10, 10))), "repeated-cv-t", "learner"),
        (folds(rng.random((2, 30, 1)), test_fraction=0.1), "repeated-cv-t", "learner"),
        (folds(rng.random((2, 10, 1)), test_fraction=0.1), "corrected-t", "learner"),  # tested once, as by ten folds
        (over_datasets(rng.random((2, 12))), "wilcoxon", "data sets"),
        (over_datasets(rng.random((3, 12))), "wilcoxon", "data sets"),
        (over_datasets(rng.random((2, 5))), "paired-t", "data sets"),  # p ≥ 2/32
        (over_datasets(rng.random((5, 8))), "paired-t", "data sets"),  # p ≥ 2/256, and 0.05 for ten pairs
        (over_datasets(rng.random((5, 9))), "wilcoxon", "data sets"),
        (over_datasets(rng.random((2, 5, 1, 10))), "stratified-t", "these data sets"),
        (over_datasets(rng.random((2, 6, 1, 10))), "wilcoxon", "data sets"),
        (makers.items([[0, 1, 1], [1, 1, 0]]), "mcnemar-auto", "models"),
        (makers.items(rng.random((2, 9))), "permutation-t", "models"),
        (makers.curves(rng.random((2, 4, 4))), "welch-t", "runs"),
        (runs(4, 4), "welch-t", "runs"),
        (runs(20, 20), "welch-t", "runs"),
        (in_groups(2, 10), "permutation-t", "models"),
        (in_groups(10, 10), "paired-t", "models"),  # p ≥ 2/1024, and 0.05 for 45 pairs
        (in_groups(10, 12), "permutation-t", "models"),
        (runs(9, 20), "welch-t", "runs"),
        (runs(3, 3, tasks="pqrst"), "stratified-t", "these data sets"),
        (runs(3, 3, tasks="pqrstuvwxy"), "wilcoxon", "data sets"),
    ],
)
def test_tests_are_chosen_by_the_sample(evidence, test, scope):
    verdict = bk.judge(evidence)
    choice = verdict.comparison.choice
    assert (choice.test, choice.asked, choice.forced) == (test, False, False)
    assert choice.reason
    assert verdict.scope == scope


def test_a_test_that_is_asked_for_is_taken():
    choice = bk.compare(makers.table(), test="sign").choice
    assert (choice.test, choice.asked, choice.forced) == ("sign", True, False)


@pytest.mark.parametrize(
    "test", ["friedman", "wilcoxon", "sign", "permutation-t", "nemenyi", "mcnemar", "randomized-t"]
)
def test_tests_that_folds_do_not_allow_are_refused(test):
    with pytest.raises(bk.InputError, match="not valid here") as refused:
        bk.judge(folds(separated(shape=(1, 10))), test=test)
    assert "10 folds" in refused.value.where
    assert "corrected-t" in refused.value.fix


def test_nemenyi_can_be_forced_on_folds():
    ten = folds(separated(shape=(1, 10)))
    with pytest.raises(bk.InputError, match="not 10 data sets"):
        bk.judge(ten, test="nemenyi")
    assert bk.judge(ten, test="nemenyi", force=True).comparison.choice.forced


def test_friedman_tests_no_pairs_and_says_what_does():
    evidence = over_datasets(np.random.default_rng(0).random((3, 12)))
    with pytest.raises(bk.InputError, match="nemenyi tests the pairs after it"):
        bk.judge(evidence, test="friedman")
    asked = bk.judge(evidence, test="nemenyi")
    assert asked.comparison.omnibus.test == "friedman (Iman–Davenport)"


def test_a_forced_test_is_marked():
    verdict = bk.judge(folds(separated(shape=(1, 10))), test="wilcoxon", force=True)
    assert {"K101", "K111"} <= makers.codes(verdict)
    assert verdict.comparison.choice.forced
    with pytest.raises(bk.InputError):  # nothing can force a test of right and wrong on graded losses
        bk.judge(folds(separated(shape=(1, 10))), test="mcnemar", force=True)


def test_force_without_a_test_is_refused():
    with pytest.raises(bk.InputError, match="no test is named"):
        bk.judge(folds(separated(shape=(1, 10))), force=True)


def test_other_samples_refuse_as_well():
    rng = np.random.default_rng(0)
    with pytest.raises(bk.InputError, match="not 12 data sets"):
        bk.judge(over_datasets(rng.random((2, 12))), test="corrected-t")
    graded = makers.items(rng.random((2, 9)))
    with pytest.raises(bk.InputError, match="right or wrong"):
        bk.judge(graded, test="mcnemar-exact")
    with pytest.raises(bk.UnknownName, match="did you mean 'wilcoxon'"):
        bk.judge(graded, test="wilcoxn")
    with pytest.raises(bk.InputError, match="5 replications of 2"):
        bk.judge(folds(separated(shape=(1, 10))), test="5x2cv-t")
    with pytest.raises(bk.InputError, match="cannot show a difference"):
        bk.judge(folds(separated(shape=(1, 1))))


def test_one_data_set_in_a_table_is_told_what_it_lacks():
    with pytest.raises(bk.InputError, match="one result per learner") as caught:
        bk.judge(makers.table(3, 1))
    assert "more data sets" in caught.value.fix


def test_the_k_fold_t_of_one_run_is_allowed_with_advice():
    verdict = bk.judge(folds(separated(shape=(1, 10))), test="paired-t")
    assert "K101" in makers.codes(verdict)
    assert not verdict.comparison.choice.forced
    with pytest.raises(bk.InputError):
        bk.judge(folds(separated(shape=(10, 10))), test="paired-t")


def test_random_splits_need_their_share_and_use_it():
    rng = np.random.default_rng(0)
    values = 0.3 + rng.normal(0, 0.02, (2, 10, 1))
    with pytest.raises(bk.InputError, match="--test-fraction"):
        bk.judge(folds(values))
    verdict = bk.judge(folds(values, test_fraction=0.5))
    direct = bk.stats.pairwise.corrected_t(values[0, :, 0], values[1, :, 0], test_fraction=0.5)
    assert verdict.test == "corrected-t"
    assert verdict.reasons[0].pvalue == pytest.approx(direct.pvalue)


def test_splits_of_unknown_share_are_refused_alike_everywhere():
    rows = 0.2 + 0.1 * np.arange(3)[:, None, None, None] + np.random.default_rng(0).normal(0, 0.01, (3, 6, 5, 1))
    with pytest.raises(bk.InputError) as plain:
        bk.judge(folds(rows[:, 0]))
    with pytest.raises(bk.InputError) as ranked:
        bk.judge(over_datasets(rows), method="multi2test", prior=("a", "b", "c"))
    beside = folds(rows[:, 0], others={"auc": np.random.default_rng(2).random((3, 1, 5, 1))})
    with pytest.raises(bk.InputError) as several:
        bk.judge(beside, on=("error", "auc"))
    assert len({each.value.wrong for each in (plain, ranked, several)}) == 1
    assert all("--test-fraction" in each.value.fix for each in (plain, ranked, several))


def test_nemenyi_with_a_control_is_the_test_of_bonferroni_and_dunn():
    values = makers.uneven_rows(5, 12, gap=0.008)
    evidence = over_datasets(values)
    comparison = bk.compare(evidence, test="nemenyi", control="b")
    expected = stats.omnibus.nemenyi(values.T, control=1)
    assert comparison.pvalue == pytest.approx(np.delete(np.asarray(expected.pvalue), 1), abs=1e-12)
    all_pairs = np.delete(np.asarray(stats.omnibus.nemenyi(values.T).pvalue)[1], 1)
    assert not np.allclose(comparison.pvalue, all_pairs)
    sensitivity = bk.judge(evidence, test="nemenyi", control="b").sensitivity
    assert [each.adjusted for each in sensitivity.pairs] == pytest.approx(comparison.adjusted.tolist())
