"""Missing results that are filled in, and what the verdict says of them."""

from dataclasses import replace

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError

ACCURACY = {"measure": "accuracy", "larger_is_better": True}


def datasets(gaps=(), number=12, seed=0):
    """Scores of zero, svm and lda on data sets; svm is better than lda, and lacks some results."""
    rng = np.random.default_rng(seed)
    values = np.array([[0.5], [0.85], [0.75]]) + 0.01 * rng.normal(size=(3, number))
    for learner, dataset in gaps:
        values[learner, dataset] = np.nan
    names = tuple(f"d{i}" for i in range(number))
    return bk.Scores(learners=("zero", "svm", "lda"), values=values[:, :, None, None], datasets=names, **ACCURACY)


def filled_by_hand(evidence, values):
    return bk.judge(bk.Scores(learners=evidence.learners, values=values, datasets=evidence.datasets, **ACCURACY))


def test_a_baseline_stands_in_for_what_is_missing():
    evidence = datasets([(1, 3), (1, 5), (2, 5)])
    verdict = bk.judge(evidence, missing="baseline:zero")
    by_hand = filled_by_hand(evidence, np.where(np.isnan(evidence.values), evidence.values[:1], evidence.values))
    assert verdict.means == by_hand.means
    assert verdict.comparison.pvalue.tolist() == by_hand.comparison.pvalue.tolist()
    assert verdict.filled_in.results == {"svm": 2, "lda": 1}
    assert verdict.comparison.left_out.filled_by == "baseline:zero"


@pytest.mark.parametrize("measure", ["accuracy", "reward"])
def test_the_worst_that_can_be_or_is_stands_in_for_what_is_missing(measure):
    evidence = replace(datasets([(1, 3), (0, 5)]), measure=measure)
    values = evidence.values.copy()
    values[1, 3], values[0, 5] = (0.0, 0.0) if measure == "accuracy" else (values[0, 3], values[2, 5])
    assert bk.judge(evidence, missing="worst").means == bk.judge(replace(evidence, values=values)).means


def test_it_is_said_whether_the_verdict_hangs_on_it():
    same = bk.judge(datasets([(1, 3)]), missing="worst").filled_in
    assert (same.instead, same.same, same.status, same.best) == ("drop-datasets", True, "decided", "svm")
    other = bk.judge(datasets([(1, i) for i in range(4)]), missing="worst").filled_in
    assert (other.same, other.status, other.best, other.best_set) == (False, "decided", "svm", ("svm",))
    assert "svm would be best" in repr(other)
    assert "the same verdict" in " ".join(repr(bk.judge(datasets([(1, 3)]), missing="worst")).split())


@pytest.mark.parametrize("prior", [None, ["svm", "lda", "zero"]])
def test_where_somebody_is_taken_others_of_the_best_change_no_verdict(prior):
    values = 0.8 + 0.01 * np.random.default_rng(1).normal(size=(3, 20))
    values[2] -= 0.005
    values[2, :4] = np.nan  # as the worst, lda is worse than others
    names = tuple(f"d{i}" for i in range(20))
    evidence = bk.Scores(learners=("zero", "svm", "lda"), values=values[:, :, None, None], datasets=names, **ACCURACY)
    verdict = bk.judge(evidence, missing="worst", prior=prior)
    found = verdict.filled_in
    assert set(found.best_set) != set(verdict.best_set)
    assert (found.status, found.best) == (verdict.status, verdict.best)
    assert found.same == (prior is not None)


def test_folds_are_filled_in_one_by_one():
    values = np.random.default_rng(1).normal(0.8, 0.02, size=(3, 1, 10))
    values[2] -= 0.1
    values[0, 0, 4] = np.nan
    evidence = bk.Scores(learners=("a", "b", "zero"), values=values, **ACCURACY)
    verdict = bk.judge(evidence, missing="baseline:zero")
    whole = np.where(np.isnan(values[0, 0]), values[2, 0], values[0, 0])
    assert verdict.means["a"] == pytest.approx(whole.mean())
    assert verdict.filled_in.instead == "worst"


def test_an_item_without_an_answer_is_wrong():
    rng = np.random.default_rng(2)
    values = (rng.random((3, 200)) < np.array([[0.9], [0.7], [0.5]])).astype(float)
    gone = values.copy()
    gone[0, values[0] == 1] = np.where(rng.random(int(values[0].sum())) < 0.1, np.nan, 1.0)
    gaps = np.isnan(gone[0])
    assert gaps.any()
    evidence = bk.Items(learners=("a", "b", "c"), values=gone, measure="correct", larger_is_better=True)
    worst = bk.judge(evidence, missing="worst")
    assert worst.means["a"] == pytest.approx(np.where(gaps, 0.0, values[0]).mean())
    assert worst.filled_in.instead == "drop-items"
    as_b = bk.judge(evidence, missing="baseline:b")
    assert as_b.means["a"] == pytest.approx(np.where(gaps, values[1], values[0]).mean())


@pytest.mark.parametrize(("grade", "larger"), [(0.0, True), (1.0, False), (0.5, True)])
def test_a_repeat_that_failed_is_wrong_and_the_others_count(tmp_path, grade, larger):
    rng = np.random.default_rng(4)
    outcomes = (rng.random((2, 40, 3)) < 0.6).astype(float)
    outcomes[0, 0, 0] = grade
    failed = np.zeros(outcomes.shape, dtype=bool)
    failed[0, 3, 1] = failed[0, 5] = failed[1, 7, :2] = True
    rows = ["model,item,epoch,good"]
    rows += [
        f"{'ab'[k]},q{i},{e},{'' if failed[k, i, e] else outcomes[k, i, e]}" for k, i, e in np.ndindex(outcomes.shape)
    ]
    (tmp_path / "epochs.csv").write_text("\n".join(row for row in rows if not row.startswith("a,q9,")))
    found = bk.read(tmp_path / "epochs.csv", measure="good", larger_is_better=larger)
    failed[0, 9] = True
    whole = np.where(failed, 0.0 if larger else 1.0, outcomes)
    verdict = bk.judge(found, missing="worst")
    assert verdict.means == pytest.approx(dict(zip("ab", whole.mean(axis=(1, 2)), strict=True)))
    assert verdict.filled_in.results == {"a": 3, "b": 1}


def test_no_rate_of_an_item_is_worse_than_none():
    values = np.array([[0.9, np.nan, 0.8, 0.7], [0.3, 0.4, 0.5, 0.6]])
    evidence = bk.Items(learners=("a", "b"), values=values, measure="f1", larger_is_better=True)
    assert bk.judge(evidence, missing="worst").means["a"] == pytest.approx(0.6)


def test_graded_items_get_the_worst_grade_of_the_item():
    values = np.array([[0.9, np.nan, 0.8, 0.7], [0.3, 0.4, 0.5, 0.6], [0.2, 0.6, 0.9, 0.8]])
    evidence = bk.Items(learners=("a", "b", "c"), values=values, measure="score", larger_is_better=True)
    assert bk.judge(evidence, missing="worst").means["a"] == pytest.approx((0.9 + 0.4 + 0.8 + 0.7) / 4)


def test_an_item_without_any_grade_is_named_alone():
    values = np.array([[0.9, np.nan, 0.8], [0.3, np.nan, 0.5]])
    evidence = bk.Items(learners=("net, large", "b"), values=values, measure="score", larger_is_better=True)
    with pytest.raises(bk.InputError, match=f"^no learner has item {evidence.items[1]}:"):
        bk.judge(evidence, missing="worst")


def test_repeated_items_are_filled_in_before_they_are_averaged(tmp_path):
    rows = [f"{m},{i},{r},{(i + r + j) % 2}" for j, m in enumerate("ab") for i in range(8) for r in (1, 2)]
    rows[0] = "a,0,1,"
    path = tmp_path / "items.csv"
    path.write_text("model,item,replication,correct\n" + "\n".join(rows), encoding="utf-8")
    verdict = bk.judge(path, missing="worst")
    assert verdict.filled_in.results == {"a": 1}
    assert verdict.means["a"] == pytest.approx(7 / 16)  # of 16 answers one of the right ones is gone


def runs(**changed):
    values = {"a": [0.9, 0.92, 0.91, 0.93], "b": [0.8, 0.81, 0.83, 0.82], "zero": [0.5, 0.52, 0.51, 0.53], **changed}
    names = tuple(tuple("1234"[: len(each)]) for each in values.values())
    return bk.Runs(learners=tuple(values), values=tuple(values.values()), runs=names, **ACCURACY)


def test_runs_take_the_same_run_of_the_baseline_or_the_worst_run():
    crashed = runs(a=[0.9, np.nan, 0.91, 0.93])
    assert bk.judge(crashed, missing="baseline:zero").means["a"] == pytest.approx((0.9 + 0.52 + 0.91 + 0.93) / 4)
    worst = bk.judge(crashed, missing="worst")
    assert worst.means["a"] == pytest.approx((0.9 + 0.0 + 0.91 + 0.93) / 4)
    unbounded = bk.judge(replace(crashed, measure="reward"), missing="worst")
    assert unbounded.means["a"] == pytest.approx((0.9 + 0.5 + 0.91 + 0.93) / 4)
    assert worst.filled_in.instead == "drop-runs"


def test_a_task_without_runs_takes_those_of_the_baseline_or_of_the_worst_learner():
    tasks = {"a": "xxxyyy", "b": "xxx", "zero": "xxxyyy"}
    own = {"a": [0.9, 0.91, 0.92, 0.8, 0.81, 0.82], "zero": [0.5, 0.51, 0.52, 0.4, 0.41, 0.42]}
    values = {"a": own["a"], "b": [0.7, 0.71, 0.72], "zero": own["zero"]}
    evidence = bk.Runs(
        learners=tuple(values),
        values=tuple(values.values()),
        runs=tuple(tuple(str(i) for i in range(len(each))) for each in values.values()),
        datasets=tuple(tuple(each) for each in tasks.values()),
        **ACCURACY,
    )
    for missing, filled in (("baseline:zero", 0.41), ("worst", 0.0)):
        verdict = bk.judge(evidence, missing=missing)
        assert verdict.means["b"] == pytest.approx((0.71 + filled) / 2)
        assert verdict.filled_in.results == {"b": 3}


@pytest.mark.parametrize(
    ("gaps", "missing", "told"),
    [
        ([(1, 3)], "baseline:zerro", "zerro"),
        ([(1, 3)], "baseline:", "baseline:"),
        ([(1, 3)], "wurst", "wurst"),
        ([(1, 3), (0, 3)], "baseline:zero", "learner zero, data set d3"),
        ([(0, 3), (1, 3), (2, 3)], "worst", "data set d3"),
        ([], "baseline:zerro", "zerro"),
    ],
)
def test_what_cannot_be_filled_in_is_refused(gaps, missing, told):
    with pytest.raises(InputError) as error:
        bk.judge(datasets(gaps), missing=missing)
    assert told in error.value.wrong


def test_nothing_missing_is_nothing_to_say():
    verdict = bk.judge(datasets(), missing="worst")
    assert verdict.filled_in is None
    assert verdict.means == bk.judge(datasets()).means


def test_whole_curves_and_several_measures_are_not_filled_in():
    curves = bk.Curves(learners=("a", "b"), values=([[0.5, 0.6], [0.5, np.nan]], [[0.3, 0.6], [0.4, 0.5]]), **ACCURACY)
    with pytest.raises(InputError, match="not filled in"):
        bk.judge(curves, missing="worst")
    assert bk.judge(curves, missing="worst", curve="final").means["a"] == pytest.approx(0.3)
