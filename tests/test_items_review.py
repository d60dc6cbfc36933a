"""Tables of items read as they are meant: scales of each learner, names of folds in order, rows that can be found."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

import bestofk as bk
from bestofk.evidence.missing_results import completed
from bestofk.core.errors import InputError
from bestofk.evidence.item_folds import item_folds
from bestofk.evidence.items_tested import as_tested, completed_as_tested
from bestofk.evidence.natural_order import natural
from test_items_trial import HEAD, STRENGTH, TRUTH, cells, chances, file, folds_of, margins, refused  # noqa: F401

WORD = np.where(TRUTH == 1, "yes", "no")
SHIFT = {"good": 0.0, "fair": 0.0, "poor": -50.0}  # scores of poor are all below 0


def decision_lines(shift=SHIFT):
    return [(n, i, folds_of(1)[i], WORD[i], margins(n, 1)[i] + shift[n]) for n in STRENGTH for i in range(100)]


def areas(names=STRENGTH):
    places = [folds_of(1) == fold for fold in range(5)]
    return {n: np.mean([roc_auc_score(TRUTH[p], margins(n, 1)[p]) for p in places]) for n in names}


# 1. Scores of every learner have a scale of their own


@pytest.mark.parametrize("wide", [False, True])
def test_a_learner_on_one_side_of_0_predicts_nothing_whatever_the_others_do(file, wide):  # noqa: F811
    path = file("learner,item,fold,truth,decision", decision_lines())
    if wide:
        head = "item,fold,truth," + ",".join(f"{name}:decision" for name in STRENGTH)
        path = file(head, [(i, folds_of(1)[i], WORD[i], *(margins(n, 1)[i] + SHIFT[n] for n in STRENGTH))
                           for i in range(100)])  # fmt: skip
    refused(path, wrong="the decision scores of poor are on one side of 0", fix="--on roc")
    refused(path, "--on", "tpr,fpr", wrong="decision scores of poor on one side of 0", fix="--on roc")
    assert bk.judge(path, on="roc").roc.areas == pytest.approx(areas())
    found = bk.read(path)
    assert found.undecided == ("poor",)
    assert found.values[1].tolist() == ((margins("fair", 1) > 0) != TRUTH).tolist()
    assert bk.judge(bk.read(path, learners=["good", "fair"])).comparison.test == "mcnemar-mid-p"


def test_scores_of_one_learner_are_no_measure_of_those_of_another(file):  # noqa: F811
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


def test_probabilities_of_one_learner_and_decision_scores_of_another(file):  # noqa: F811
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


def test_decision_scores_of_one_side_beside_probabilities_are_refused(file):  # noqa: F811
    lines = [
        (WORD[i], margins("poor", 1)[i] - 50, 1 - chances("good", 1)[i], chances("good", 1)[i]) for i in range(100)
    ]
    path = file("truth,poor:decision,good:no,good:yes", lines)
    refused(path, wrong="the decision scores of poor are on one side of 0", where="poor:decision", fix="column poor")


# 2. The order of rows means nothing


def five_by_two():
    half = [np.random.default_rng(r).permutation(30) % 2 + 1 for r in range(5)]
    said = np.random.default_rng(4).integers(0, 2, (2, 5, 30))
    lines = [(i, TRUTH[i], r + 1, half[r][i], said[0, r, i], said[1, r, i]) for r in range(5) for i in range(30)]
    wrong = said != TRUTH[:30]
    errors = [[[wrong[k, r][half[r] == f].mean() for f in (1, 2)] for r in range(5)] for k in (0, 1)]
    return lines, np.array(errors)


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_5x2_of_repeated_items_does_not_depend_on_the_order_of_rows(file, seed):  # noqa: F811
    lines, errors = five_by_two()
    if seed is not None:
        lines = [lines[at] for at in np.random.default_rng(seed).permutation(len(lines))]
    comparison = bk.compare(bk.read(file("item,truth,replication,fold,a,b", lines)))
    differences = errors[0] - errors[1]
    variance = ((differences - differences.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).mean()
    t = differences[0, 0] / np.sqrt(variance)  # Dietterich 1998: the first fold of the first replication above
    assert differences[0, 0] != differences[0, 1]
    assert comparison.test == "5x2cv-t"
    assert comparison.pvalue[0] == pytest.approx(2 * stats.t.sf(abs(t), 5))


def test_folds_of_items_stand_in_the_order_of_their_names():
    names = ("f10", "f2", "f1", "f10", "f2", "f1")
    items = bk.Items(learners=("a", "b"), values=np.zeros((2, 6)), measure="error", larger_is_better=False,
                     folds=names, replications=("10", "10", "10", "9", "9", "9"))  # fmt: skip
    found = item_folds(items)
    assert (found.replications, found.folds) == (("9", "10"), ("f1", "f2", "f10"))
    assert [each.tolist() for each in found.places] == [[5], [4], [3], [2], [1], [0]]


# 3. Rows that nothing names


def test_rows_of_folds_without_names_say_what_they_are_taken_for(file):  # noqa: F811
    lines = [(5 * (r - 1) + folds_of(r)[i], TRUTH[i], *(int(chances(n, r)[i] > 0.5) for n in STRENGTH))
             for r in (1, 2, 3) for i in range(100)]  # fmt: skip
    note = "rows of different folds are taken for different items"
    path = file("fold,truth," + ",".join(STRENGTH), lines)
    for on in (None, "tpr,fpr"):
        assert any(note in each for each in bk.judge(path, on=on).provenance.notes)
    named = file("item,fold,truth," + ",".join(STRENGTH), [(at % 100, *line) for at, line in enumerate(lines)])
    notes = bk.judge(named).provenance.notes
    assert not any(note in each for each in notes)
    assert "by their items the folds are 3 replications of 5 folds" in notes


# 4. Names of folds


def test_digits_inside_words_sort_as_numbers():
    names = ["fold10", "fold2", "fold", "10", "9.5", "-1", "nan", "r2f10", "r10f1", "r2f9", "fold02b"]
    expected = ["-1", "9.5", "10", "fold", "fold2", "fold02b", "fold10", "nan", "r2f9", "r2f10", "r10f1"]
    assert sorted(names, key=natural) == expected
    names.reverse()
    assert sorted(names, key=natural) == expected
    assert sorted(["a" + "9" * 5000, "a1"], key=natural)[0] == "a1"


@pytest.mark.parametrize("name", ["{n}", "fold{n}", "f{f}r{r}", "r{r}f{f}", "rep{r}_fold{f}"])
def test_folds_in_a_row_are_replications_under_any_names(file, name):  # noqa: F811
    lines = [(a, i, name.format(n=5 * (r - 1) + folds_of(r)[i] + 1, f=folds_of(r)[i], r=r), t, p)
             for a, i, r, _, t, p in cells(range(1, 12))]  # fmt: skip
    path = file("learner,item,fold,truth,probability", lines)
    found = bk.read(path, replications=11)
    assert "by their items the folds are 11 replications of 5 folds" in found.origin.notes
    errors = [[((chances("fair", r) > 0.5) != TRUTH)[folds_of(r) == f].mean() for f in range(5)] for r in range(1, 12)]
    assert bk.judge(found).evidence.values[1, 0] == pytest.approx(np.array(errors))


def test_an_item_in_two_folds_is_named_with_its_line(file):  # noqa: F811
    lines = [(i, i % 5 + 1, TRUTH[i], TRUTH[i], 1 - TRUTH[i]) for i in range(40)]
    path = file("item,fold,truth,a,b", [*lines[:5], (0, 3, *lines[0][2:]), *lines[5:]])
    for option in ((), ("--replications", "2"), ("--on", "tpr,fpr")):
        refused(path, *option, wrong="item 0 is in folds 1 and 3, and other items are in one", where="line 7",
                fix="keep one row of every item")  # fmt: skip


# 5. A missing prediction among repeated items


def one_missing(row=150):
    lines = cells()
    lines[row][5] = ""  # good, item 50 of replication 2
    return lines


def test_a_missing_prediction_of_a_repeated_item_can_be_found(file):  # noqa: F811
    path = file(HEAD, one_missing())
    wrong = "learner good, item 50 of replication 2 (line 152)"
    for on in ("roc", "tpr,fpr", "tpr@0.3,fpr@0.3"):
        refused(path, "--on", on, wrong=wrong, fix="--missing drop-items")
    with pytest.raises(InputError, match=r"learner good, item 50 of replication 2 \(line 152\)"):
        completed_as_tested(bk.read(path), lambda each: completed(each, "refuse"))


def test_a_row_that_is_not_there_has_no_line(file):  # noqa: F811
    lines = cells()
    del lines[150]
    refused(file(HEAD, lines), "--on", "roc", wrong="learner good, item 50 of replication 2 (no row)")


def test_a_missing_prediction_of_a_wide_table_can_be_found(file):  # noqa: F811
    lines = [[i, r, folds_of(r)[i], TRUTH[i], TRUTH[i], 1 - TRUTH[i]] for r in (1, 2) for i in range(100)]
    lines[41][5] = ""
    path = file("item,replication,fold,truth,a,b", lines)
    refused(path, "--on", "tpr,fpr", wrong="learner b, item 41 of replication 1 (line 43)", fix="--missing drop-items")
    outcomes = file("item,replication,fold,a,b", [(*line[:3], 1, line[5]) for line in lines])
    refused(outcomes, "--measure", "error", wrong="1 result is missing: learner b")
    with pytest.raises(InputError, match=r"learner b, item 41 of replication 1 \(line 43\)"):
        completed_as_tested(bk.read(outcomes, measure="error"), lambda each: completed(each, "refuse"))


def test_items_are_left_out_before_folds_are_made(file):  # noqa: F811
    path = file(HEAD, one_missing())
    used, left_out = completed_as_tested(bk.read(path), lambda each: completed(each, "drop-items"))
    assert len(left_out.items) == 1
    place = folds_of(2) == folds_of(2)[50]
    place[50] = False
    at = used.replications.index("2"), used.folds.index(f"f{folds_of(2)[50]}")
    for k, name in enumerate(STRENGTH):
        assert used.values[k, 0, *at] == pytest.approx(((chances(name, 2) > 0.5) != TRUTH)[place].mean())


def test_items_are_left_out_of_areas_and_rates(file):  # noqa: F811
    path = file(HEAD, one_missing())
    place = folds_of(2) == folds_of(2)[50]
    place[50] = False
    for on in ("roc", "tpr,fpr", "tpr@0.3,fpr@0.3"):
        verdict = bk.judge(path, on=on, missing="drop-items")
        scores = verdict.evidence
        at = scores.replications.index("2"), scores.folds.index(f"f{folds_of(2)[50]}")
        given, truth = chances("fair", 2)[place], TRUTH[place] == 1
        expected = {"roc": roc_auc_score(truth, given), "tpr,fpr": (given[truth] > 0.5).mean()}
        assert scores.values[1, 0, *at] == pytest.approx(expected.get(on, (given[truth] >= 0.3).mean()))
        assert len(verdict.comparison.left_out.items) == 1
    once = bk.judge(file(HEAD, [line for line in one_missing() if line[2] == 2]), on="roc", missing="drop-items")
    assert len(once.comparison.left_out.items) == 1
    verdict = bk.judge(file(HEAD, one_missing()), on="roc", missing="drop-learners")
    assert set(verdict.order) == {"fair", "poor"}


def test_an_answer_that_is_missing_of_one_seed_leaves_its_item_out(file):  # noqa: F811
    right = np.random.default_rng(0).integers(0, 2, (2, 40, 3))
    lines = [[name, i, s, right[k, i, s]] for k, name in enumerate("ab") for i in range(40) for s in range(3)]
    lines[3 * 7 + 1][3] = ""  # a, item 7, seed 1
    path = file("model,question_id,seed,correct", lines)
    refused(path, wrong="1 result is missing: learner a, item 7 (line 24)", fix="--missing drop-items")
    used = bk.judge(path, missing="drop-items").evidence
    assert used.values == pytest.approx(np.delete(right.mean(axis=2), 7, axis=1))
    also, _ = completed_as_tested(bk.read(path), lambda each: completed(each, "drop-items"))
    assert np.array_equal(also.values, used.values)


def test_complete_items_are_tested_as_before(file):  # noqa: F811
    for replications in ((1,), (1, 2)):
        found = bk.read(file(HEAD, cells(replications)))
        used, left_out = completed_as_tested(found, lambda each: completed(each, "refuse"))
        assert not left_out
        assert type(used) is type(as_tested(found))
        assert np.array_equal(used.values, as_tested(found).values)


# 6. Items put together by hand


@pytest.mark.parametrize(("replications", "wrong"), [
    (None, "nothing names its replication"),
    (("1",) * 4 + ("2",) * 4, "item x occurs twice in replication 1"),
])  # fmt: skip
def test_units_need_replications(replications, wrong):
    with pytest.raises(InputError, match=wrong) as caught:
        bk.Items(learners=("a", "b"), values=np.zeros((2, 8)), measure="correct", larger_is_better=True,
                 units=("x", "y") * 4, replications=replications)  # fmt: skip
    assert len(str(caught.value).splitlines()) == 3


# 7. Several columns beside the truth


def test_predictions_are_asked_for_by_a_measure_that_no_column_has(file):  # noqa: F811
    lines = [(*line, 1) for line in decision_lines(dict.fromkeys(STRENGTH, 0.0))]
    path = file("learner,item,fold,truth,decision,error", lines)
    refused(path, wrong="two ways", fix="--measure accuracy for predictions, --measure error for the column")
    assert bk.judge(bk.read(path, measure="accuracy")).comparison.means["fair"] == pytest.approx(
        ((margins("fair", 1) > 0) == TRUTH).mean()
    )
    other = file("learner,item,fold,truth,decision,grade", lines)
    refused(other, wrong="two ways", fix="--measure error (or accuracy) for predictions, --measure grade")


def test_probabilities_go_before_decision_scores(file):  # noqa: F811
    lines = [(*line, chances(line[0], 1)[line[1]]) for line in decision_lines()]
    path = file("learner,item,fold,truth,decision,probability", lines)
    verdict = bk.judge(path, on="roc")
    places = [folds_of(1) == fold for fold in range(5)]
    expected = np.mean([roc_auc_score(TRUTH[p], chances("poor", 1)[p]) for p in places])
    assert verdict.roc.areas["poor"] == pytest.approx(expected)
    assert any("'decision' (decision scores, beside probabilities)" in note for note in verdict.provenance.notes)
    assert bk.read(path).decisions is None


def test_a_class_called_empty_is_no_empty_fold(file):  # noqa: F811
    """Why a fold is not known is said by the kind of the error, not by a word in it."""
    lines = [[n, f"empty{i}", f"empty{i % 5}", WORD[i], chances(n, 1)[i]] for n in STRENGTH for i in range(100)]
    lines[107][2] = "empty9"
    found = bk.read(file("learner,item,fold,truth,probability", lines))
    assert any("'fold' (not the same for all learners)" in note for note in found.origin.notes)
