"""Wins, ties and losses by the folds of every data set by itself."""

from importlib import import_module

import numpy as np
import pytest

import bestofk as bk
from bestofk import stats
from bestofk.judging.findings.counted_wins import counted_wins
from makers import over_datasets, table, uneven_rows, with_folds


def test_wins_are_those_of_each_data_set_by_itself():
    values = 0.3 + 0.02 * np.random.default_rng(0).normal(size=(2, 12, 1, 10))
    values[1] += np.repeat([0.2, 0.0, -0.2], 4)[:, None, None]
    evidence = over_datasets(values)
    found = counted_wins(evidence)
    assert found.of("a", "b") == (4, 4, 4)
    assert found.of("b", "a") == (4, 4, 4)
    assert set(found.tests) == {"corrected-t"}
    for i, name in enumerate(evidence.datasets):
        alone = evidence.without(datasets=[other for other in evidence.datasets if other != name])
        pair = bk.compare(alone).pair("a", "b")
        assert found.won[0, i] == (0 if not pair.significant else 1 if pair.better == "a" else -1)


def test_wins_need_folds():
    with pytest.raises(bk.InputError):
        counted_wins(table(3, 8))
    assert bk.judge(table(3, 8)).counted_wins is None


def test_a_verdict_counts_every_data_set():
    verdict = bk.judge(with_folds())
    won, tied, lost = verdict.counted_wins.of(*verdict.order)
    assert won + tied + lost == 8
    assert lost == 0
    assert set(verdict.counted_wins.tests) == {"corrected-t"}


@pytest.mark.parametrize("folds", [2, 3])
def test_so_few_folds_of_one_run_are_not_counted(folds):
    """They have one or two degrees of freedom: no data set could be won."""
    evidence = over_datasets(with_folds().values.reshape(2, 8, 1, 10)[..., :folds])
    assert bk.judge(evidence).counted_wins is None
    with pytest.raises(bk.InputError, match="cannot show any difference"):
        counted_wins(evidence)


def test_each_win_is_at_alpha_by_itself():
    rng = np.random.default_rng(3)
    values = uneven_rows(4, 12, gap=0.01)[..., None] + 0.012 * rng.normal(size=(4, 12, 5))
    verdict = bk.judge(over_datasets(values[:, :, None]))
    pvalue = np.asarray(stats.pairwise.corrected_t(values[0][:, None], values[3][:, None]).pvalue)
    won = int(((pvalue <= 0.05) & (values[0].mean(axis=1) < values[3].mean(axis=1))).sum())
    assert verdict.counted_wins.of("a", "d")[0] == won
    assert verdict.counted_wins.adjust == "none"
    assert won > int((pvalue <= 0.05 / 6).sum())  # what Bonferroni over six pairs would have counted
    assert counted_wins(verdict.evidence, adjust="bonferroni").of("a", "d")[0] < won


def test_the_sign_test_beside_wins_takes_rounding_for_a_tie():
    values = with_folds().values.copy()
    values[1, :4] = values[0, :4] * (1.0 + 1e-15)
    wins = bk.judge(over_datasets(values)).counted_wins
    rows = values.mean(axis=(2, 3))
    assert wins.sign_pvalue[0] == stats.pairwise.sign_test(rows[0], rows[1]).pvalue == 0.125  # 4 of 4, four ties


def test_folds_that_were_tested_on_training_rows_are_refused():
    evidence = table(3, 12, gap=0.05, shape=(1, 10), divided="trained-on")
    with pytest.raises(bk.InputError, match="tested on the full"):
        counted_wins(evidence)
    verdict = bk.judge(evidence)  # the means of the data sets can be compared all the same
    assert verdict.counted_wins is None
    assert verdict.bayes.next_dataset_by_folds is None
    with pytest.raises(bk.InputError, match="tested on the full"):
        bk.judge(evidence, prior=list("abc"), method="multi2test")


def test_every_data_set_is_tested_as_its_folds_were_divided(monkeypatch):
    seen = []
    room = import_module("bestofk.judging.findings.counted_wins")
    known = room.chosen_test
    monkeypatch.setattr(room, "chosen_test", lambda test, sample: (seen.append(sample), known(test, sample))[1])
    counted_wins(table(2, 12, shape=(1, 5), divided="growing", test_fraction=0.2))
    assert {(sample.divided, sample.test_fraction) for sample in seen} == {("growing", 0.2)}
