"""Probabilities and decision scores: what they predict, how they rank, and scales of each learner."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

import bestofk as bk
from bestofk.collecting.cell.cell import run_cell
from collecting_toys import Halves, toy_dataset, toy_learner
from makers_items import HEAD, STRENGTH, TRUTH, WORD, cells, chances, folds_of, margins, refused


@pytest.mark.parametrize("value", ["1.2", "-0.2"])
def test_no_probability_is_told_as_the_file_has_it(file, value):
    lines = cells((1,))
    lines[7][5] = value
    refused(file(HEAD, lines), "--on", "roc", wrong=f"probability is {value}, no", where="line 9, column probability",
            fix="'decision'")  # fmt: skip


def decisions(name="decision", shift=0.0):
    lines = [(a, i, f, t, margins(a, r)[i] + shift) for a, i, r, f, t, _ in cells((1,))]
    return f"learner,item,fold,truth,{name}", lines


@pytest.mark.parametrize("name", ["decision", "decision_function", "y_score"])
def test_decision_scores_have_areas(file, name):
    path = file(*decisions(name))
    verdict = bk.judge(path, on="roc")
    places = [folds_of(1) == f for f in range(5)]
    expected = np.mean([bk.stats.roc.auc(TRUTH[f], margins("fair", 1)[f]) for f in places])
    assert verdict.roc.areas["fair"] == pytest.approx(expected)
    other = bk.judge(path, on="roc", positive="no")
    assert other.roc.areas["fair"] == pytest.approx(expected)
    assert other.roc.positive == "no"


def test_a_decision_score_above_0_predicts_the_second_class(file):
    path = file(*decisions())
    found = bk.judge(path).evidence
    assert found.values[1].tolist() == ((margins("fair", 1) > 0) != TRUTH).tolist()
    assert bk.judge(path, on="tpr,fpr").comparison.means["fair"] == pytest.approx(
        np.mean([((margins("fair", 1) > 0) != TRUTH)[folds_of(1) == f].mean() for f in range(5)])
    )
    refused(path, "--on", "tpr@0.3,fpr@0.3", wrong="thresholds need probabilities", fix="probability")


def test_scores_on_one_side_of_0_rank_and_predict_nothing(file):
    path = file(*decisions(shift=100.0))
    areas = bk.judge(path, on="roc").roc.areas
    assert areas == pytest.approx(bk.judge(file(*decisions()), on="roc").roc.areas)
    path = file(*decisions(shift=100.0))
    refused(path, wrong="good, fair and poor", fix="--on roc")
    refused(path, "--on", "tpr,fpr", wrong="good, fair and poor", fix="roc")


def test_decision_scores_of_a_wide_table_say_the_same(file):
    long = bk.judge(file(*decisions()), on="roc")
    lines = [(i, f"f{folds_of(1)[i]}", "yes" if TRUTH[i] else "no", *(margins(n, 1)[i] for n in STRENGTH))
             for i in range(100)]  # fmt: skip
    path = file("item,fold,truth," + ",".join(f"{name}:decision" for name in STRENGTH), lines)
    wide = bk.judge(path, on="roc")
    assert wide.roc.areas == pytest.approx(long.roc.areas)
    one_sided = file("item,fold,truth," + ",".join(f"{n}:decision" for n in STRENGTH),
                     [(*line[:3], *(each + 100 for each in line[3:])) for line in lines])  # fmt: skip
    assert bk.judge(one_sided, on="roc").roc.areas == pytest.approx(long.roc.areas)
    refused(one_sided, wrong="good, fair and poor")


def test_decision_scores_of_three_classes_are_refused(file):
    head, lines = decisions()
    three = [(*line[:3], "xyz"[line[1] % 3], line[4]) for line in lines]
    refused(file(head, three), "--on", "roc", wrong="of one of 3 classes", fix="probabilities for each")
    wide = [(i, "xyz"[i % 3], i, -i) for i in range(9)]
    refused(file("item,truth,a:decision,b:decision", wide), "--on", "roc", wrong="two classes")


@pytest.mark.parametrize("on", [(), ("--on", "roc"), ("--on", "tpr,fpr")])
def test_a_score_that_may_be_anything_is_asked_about(file, on):
    refused(file(*decisions("score")), *on, wrong="classes, or outcomes", fix="'decision'")


def test_exactly_one_half_is_the_first_class_and_reaches_the_threshold(file):
    """A learner's own rule (argmax) gives a tie to the first class; a threshold is reached from 0.5 on."""
    lines = [(*line[:5], 0.5 if line[1] % 5 == 0 else line[5]) for line in cells((1,))]
    path = file(HEAD, lines)
    one, two = (bk.judge(path, on=on) for on in ("tpr,fpr", "tpr@0.5,fpr@0.5"))
    scores, place = one.evidence, folds_of(1) == 2
    at = scores.folds.index("f2")
    given = np.where(np.arange(100) % 5 == 0, 0.5, chances("fair", 1))[place & (TRUTH == 1)]
    assert one.evidence.vectors[1, 0, 0, at, 0] == pytest.approx((given > 0.5).mean())
    assert two.evidence.vectors[1, 0, 0, at, 0] == pytest.approx((given >= 0.5).mean())


def test_a_learner_gives_a_tie_to_the_first_class():
    """What docs/reference/measures.md says of stores: the rule of scikit-learn, here of two neighbours that differ."""
    cell = run_cell(
        toy_dataset(classes=2),
        toy_learner("knn", lambda: KNeighborsClassifier(2)),
        Halves(1),
        seed=1,
        start=0,
        stop=1,
        keep_predictions=True,
    )
    tied = cell.probabilities[0, 0][:, 1] == 0.5
    assert tied.sum() > 5
    assert set(np.asarray(cell.predictions[0, 0])[tied]) == {0}


SHIFT = {"good": 0.0, "fair": 0.0, "poor": -50.0}  # scores of poor are all below 0


def decision_lines(shift=SHIFT):
    return [(n, i, folds_of(1)[i], WORD[i], margins(n, 1)[i] + shift[n]) for n in STRENGTH for i in range(100)]


def areas(names=STRENGTH):
    places = [folds_of(1) == fold for fold in range(5)]
    return {n: np.mean([roc_auc_score(TRUTH[p], margins(n, 1)[p]) for p in places]) for n in names}


@pytest.mark.parametrize("wide", [False, True])
def test_a_learner_on_one_side_of_0_predicts_nothing_whatever_the_others_do(file, wide):
    path = file("learner,item,fold,truth,decision", decision_lines())
    if wide:
        head = "item,fold,truth," + ",".join(f"{name}:decision" for name in STRENGTH)
        path = file(head, [(i, folds_of(1)[i], WORD[i], *(margins(n, 1)[i] + SHIFT[n] for n in STRENGTH))
                           for i in range(100)])  # fmt: skip
    refused(path, wrong="scores of poor", fix="--on roc")
    refused(path, "--on", "tpr,fpr", wrong="poor have none", fix="--on roc")
    assert bk.judge(path, on="roc").roc.areas == pytest.approx(areas())
    found = bk.read(path)
    assert found.undecided == ("poor",)
    assert found.values[1].tolist() == ((margins("fair", 1) > 0) != TRUTH).tolist()
    assert bk.judge(bk.read(path, learners=["good", "fair"])).comparison.test == "mcnemar-auto"


def test_scores_of_one_learner_are_no_measure_of_those_of_another(file):
    """Between 0 and 1 for one learner and not for the other: which of them are probabilities nobody can know."""
    score = {"good": chances("good", 1), "fair": margins("fair", 1)}
    path = file("learner,item,truth,y_score", [(n, i, WORD[i], score[n][i]) for n in score for i in range(100)])
    for on in ((), ("--on", "roc")):
        refused(
            path,
            *on,
            wrong="y_score of learner good lies between 0 and 1 and that of learner fair does not",
            where="column y_score",
            fix="a column probability and decision scores in a column decision",
        )


def test_probabilities_of_one_learner_and_decision_scores_of_another(file):
    """As the refusal of one column for both says it can be done."""
    lines = [("good", i, WORD[i], chances("good", 1)[i], "") for i in range(100)]
    lines += [("fair", i, WORD[i], "", margins("fair", 1)[i]) for i in range(100)]
    path = file("learner,item,truth,probability,decision", lines)
    found = bk.judge(path, on="roc").roc.areas
    assert found["good"] == pytest.approx(roc_auc_score(TRUTH, chances("good", 1)))
    assert found["fair"] == pytest.approx(roc_auc_score(TRUTH, margins("fair", 1)))
    assert bk.read(path).values.tolist() == [
        ((chances("good", 1) > 0.5) != TRUTH).tolist(),
        ((margins("fair", 1) > 0) != TRUTH).tolist(),
    ]


def test_decision_scores_of_one_side_beside_probabilities_are_refused(file):
    lines = [
        (WORD[i], margins("poor", 1)[i] - 50, 1 - chances("good", 1)[i], chances("good", 1)[i]) for i in range(100)
    ]
    path = file("truth,poor:decision,good:no,good:yes", lines)
    refused(path, wrong="scores of poor", where="poor:decision", fix="column poor")


def test_predictions_are_asked_for_by_a_measure_that_no_column_has(file):
    lines = [(*line, 1) for line in decision_lines(dict.fromkeys(STRENGTH, 0.0))]
    path = file("learner,item,fold,truth,decision,error", lines)
    refused(path, wrong="two ways", fix="--measure accuracy for predictions, --measure error for the column")
    assert bk.judge(bk.read(path, measure="accuracy")).comparison.means["fair"] == pytest.approx(
        ((margins("fair", 1) > 0) == TRUTH).mean()
    )
    other = file("learner,item,fold,truth,decision,grade", lines)
    refused(other, wrong="two ways", fix="--measure error (or accuracy) for predictions, --measure grade")


def test_probabilities_go_before_decision_scores(file):
    lines = [(*line, chances(line[0], 1)[line[1]]) for line in decision_lines()]
    path = file("learner,item,fold,truth,decision,probability", lines)
    verdict = bk.judge(path, on="roc")
    places = [folds_of(1) == fold for fold in range(5)]
    expected = np.mean([roc_auc_score(TRUTH[p], chances("poor", 1)[p]) for p in places])
    assert verdict.roc.areas["poor"] == pytest.approx(expected)
    assert any("'decision' (decision scores, beside probabilities)" in note for note in verdict.provenance.notes)
    assert bk.read(path).decisions is None
