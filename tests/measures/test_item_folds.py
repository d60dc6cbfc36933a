"""Tables of items with a column fold: folds are folds, not one pool; long tables may hold probabilities."""

from dataclasses import replace

import numpy as np
import pytest

import bestofk as bk
from bestofk.evidence import Items
from bestofk.evidence.item_folds import item_folds
from makers_measures import pairs_of, probability_lines, run

FOLDS = [np.arange(300) % 10 == f for f in range(10)]


@pytest.fixture
def wide(tmp_path):
    """Truth, scores, and a wide file with a column fold."""
    truth, scores, text = probability_lines(groups=True)
    path = tmp_path / "wide.csv"
    path.write_text("fold" + text.removeprefix("group"), encoding="utf-8")
    return truth, scores, path


def long_lines(truth, scores, heading, cells):
    rows = [f"{name},{i},f{i % 10},{'yes' if truth[i] else 'no'},{cells(each[i])}" for name, each in scores.items()
            for i in range(300)]  # fmt: skip
    return f"learner,item,fold,truth,{heading}\n" + "\n".join(rows) + "\n"


def test_a_fold_column_gives_areas_per_fold(wide):
    truth, scores, path = wide
    verdict = bk.judge(path, on="roc")
    expected = [[bk.stats.roc.auc(truth[f], each[f]) for f in FOLDS] for each in scores.values()]
    assert verdict.evidence.vectors[:, 0, 0, :, 0] == pytest.approx(np.array(expected))
    assert (verdict.comparison.test, verdict.comparison.sample.units, verdict.roc.folds) == ("corrected-t", 10, 10)
    alone = bk.stats.pairwise.corrected_t(expected[0], expected[1], test_fraction=0.1)
    assert verdict.comparison.pair("good", "fair").pvalue == pytest.approx(alone.pvalue)
    mean = bk.stats.roc.average_curve([truth[f] for f in FOLDS], [scores["good"][f] for f in FOLDS])
    assert np.allclose(verdict.roc.curves["good"], np.stack([mean.fpr, mean.tpr], axis=-1))


def test_a_fold_column_gives_vectors_per_fold(wide):
    truth, scores, path = wide
    verdict = bk.judge(path, on="tpr,fpr")
    said, fold = scores["fair"] > 0.5, FOLDS[3]
    assert verdict.evidence.rows()[1, 3] == pytest.approx(
        [said[fold & (truth == 1)].mean(), said[fold & (truth == 0)].mean()]
    )
    assert verdict.comparison.sample.share == 0.1
    assert not any("groups" in note for note in verdict.provenance.notes)


def test_folds_go_before_groups(wide, tmp_path):
    _, _, path = wide
    lines = path.read_text().splitlines()
    both = [f"{'group' if i == 0 else f'g{i % 2}'},{line}" for i, line in enumerate(lines)]
    (tmp_path / "both.csv").write_text("\n".join(both) + "\n")
    assert bk.judge(tmp_path / "both.csv", on="tpr,fpr").comparison.sample.units == 10


def test_items_one_by_one_do_not_use_folds(wide):
    found = bk.read(wide[2])
    assert isinstance(found, Items)
    assert found.folds[:3] == ("f0", "f1", "f2")
    assert found.without(items=found.items[:2]).folds[0] == "f2"
    with_folds, without = bk.judge(found), bk.judge(replace(found, folds=None))
    assert with_folds.comparison.test == without.comparison.test == "mcnemar-auto"
    assert with_folds.comparison.pvalue.tolist() == without.comparison.pvalue.tolist()


def test_replications_and_folds_of_items(tmp_path):
    truth, scores, text = probability_lines(groups=True)
    lines = text.splitlines()
    rows = [f"{i // 150},{i % 2},{line.partition(',')[2]}" for i, line in enumerate(lines[1:])]
    (tmp_path / "r.csv").write_text(
        "replication,fold," + lines[0].partition(",")[2] + "\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    verdict = bk.judge(tmp_path / "r.csv", on="roc")
    assert verdict.evidence.vectors.shape == (3, 1, 2, 2, 1)
    assert verdict.comparison.sample.share == 0.5
    place = (np.arange(300) // 150 == 1) & (np.arange(300) % 2 == 0)
    assert verdict.evidence.vectors[0, 0, 1, 0, 0] == pytest.approx(
        bk.stats.roc.auc(truth[place], scores["good"][place])
    )


def test_folds_that_learners_do_not_share_are_left_out(tmp_path):
    lines = [f"{n},{i},{(i + k) % 3},{'xy'[i % 2]},x" for k, n in enumerate("ab") for i in range(12)]
    path = tmp_path / "r.csv"
    path.write_text("learner,item,fold,truth,prediction\n" + "\n".join(lines) + "\n")
    found = bk.read(path)
    assert found.folds is None
    assert any("not known of every item" in note for note in found.origin.notes)
    with pytest.raises(bk.InputError, match=r"fold is 1.*line 2"):
        bk.judge(path, on="tpr,fpr")


def test_an_uneven_replication_is_refused():
    items = Items(
        learners=("a", "b"),
        values=[[0, 1, 0], [1, 1, 0]],
        measure="correct",
        larger_is_better=True,
        folds=("1", "2", "1"),
        replications=("1", "1", "2"),
    )
    with pytest.raises(bk.InputError, match="replication 2, fold 2"):
        item_folds(items)


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("probability", lambda p: f"{p:.6f}"),
        ("y_score", lambda p: f"{p:.6f}"),
        ("no,yes", lambda p: f"{1 - p:.6f},{p:.6f}"),
        ("prediction,yes,no", lambda p: f"{'yes' if p > 0.5 else 'no'},{p:.6f},{1 - p:.6f}"),
    ],
)
def test_a_long_table_of_probabilities_says_the_same_as_a_wide_one(wide, tmp_path, heading, cells):
    truth, scores, path = wide
    (tmp_path / "long.csv").write_text(long_lines(truth, scores, heading, cells), encoding="utf-8")
    for on in ("roc", "tpr,fpr", "tpr@0.3,fpr@0.3"):
        one, two = bk.judge(path, on=on), bk.judge(tmp_path / "long.csv", on=on)
        assert [each.pvalue for each in pairs_of(one)] == pytest.approx([each.pvalue for each in pairs_of(two)])
        assert one.roc.areas == pytest.approx(two.roc.areas)
        assert (one.evidence.positive, one.order) == (two.evidence.positive, two.order)


def test_the_first_class_may_be_positive_in_a_long_table(wide, tmp_path):
    truth, scores, _ = wide
    (tmp_path / "long.csv").write_text(long_lines(truth, scores, "probability", lambda p: f"{p:.6f}"))
    verdict = bk.judge(tmp_path / "long.csv", on="roc", positive="no")
    expected = np.mean([bk.stats.roc.auc(1 - truth[f], 1 - scores["poor"][f]) for f in FOLDS])
    assert verdict.roc.areas["poor"] == pytest.approx(expected)


def test_a_probability_above_one_is_refused(wide, tmp_path):
    truth, scores, _ = wide
    (tmp_path / "long.csv").write_text(long_lines(truth, scores, "probability", lambda p: f"{2 * p:.6f}"))
    answer = run("judge", tmp_path / "long.csv", "--on", "roc")
    assert answer.exit_code == 2
    assert "no probability" in answer.stderr


def test_a_missing_probability_is_a_missing_result(wide, tmp_path):
    truth, scores, _ = wide
    lines = long_lines(truth, scores, "probability", lambda p: f"{p:.6f}").splitlines()
    lines[305] = lines[305].rpartition(",")[0] + ","  # of fair, item 4
    (tmp_path / "long.csv").write_text("\n".join(lines) + "\n")
    for on in ("roc", "tpr@0.3,fpr@0.3", "tpr,fpr"):
        answer = run("judge", tmp_path / "long.csv", "--on", on)
        assert answer.exit_code == 2
        assert "learner fair, item 4" in answer.stderr
