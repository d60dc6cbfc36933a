"""Measures of all classes that are 0/0 in a fold: asked about, and counted as the user says."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score

import bestofk as bk
from makers_items import class_file, file_of


@pytest.mark.parametrize("classes", ["xy", "xyz"])
def test_mcc_that_is_nothing_over_nothing_names_its_fold(tmp_path, classes):
    path = class_file(tmp_path, classes)
    with pytest.raises(bk.InputError, match=r"mcc.*0/0.*1 fold") as caught:
        bk.judge(path, on="accuracy,mcc")
    assert caught.value.where.endswith("learner a, fold 2")
    verdict = bk.judge(path, on="accuracy,mcc", undefined=0.5)
    assert verdict.evidence.column("mcc")[0, 0, 0, 2] == 0.5
    assert "mcc is 0/0 in 1 result and counts as 0.5 there" in "\n".join(verdict.evidence.origin.notes)


@pytest.mark.parametrize("classes", ["xy", "xyz"])
def test_the_precision_of_a_class_that_is_never_predicted_is_asked_about(tmp_path, classes):
    path = class_file(tmp_path, classes)
    with pytest.raises(bk.InputError, match=r"precision_macro.*0/0.*1 fold"):
        bk.judge(path, on="accuracy,precision_macro")
    truth = [classes[item % len(classes)] for item in range(24, 36)]
    for undefined in (0.0, 1.0):
        vectors = bk.judge(path, on="accuracy,precision_macro", undefined=undefined).evidence
        known = precision_score(truth, [classes[0]] * 12, average="macro", zero_division=undefined)
        assert vectors.column("precision_macro")[0, 0, 0, 2] == pytest.approx(known)


@pytest.mark.parametrize("classes", ["xy", "xyz"])
@pytest.mark.parametrize("on", ["f1_macro,kappa", "recall_macro,precision_macro"])
def test_means_over_classes_are_known_of_two_and_of_three(tmp_path, classes, on):
    assert bk.judge(class_file(tmp_path, classes, constant=False), on=on).names == tuple(on.split(","))


def test_macro_means_of_two_classes_are_those_of_scikit_learn(tmp_path):
    path = class_file(tmp_path, "xy", constant=False)
    rows = [line.split(",") for line in path.read_text().split()[1:]]
    found = bk.judge(path, on="f1_macro,kappa").evidence.column("f1_macro")[1, 0, 0]
    for fold in range(5):
        here = [row for row in rows if row[0] == "b" and row[2] == str(fold)]
        assert found[fold] == pytest.approx(f1_score([r[3] for r in here], [r[4] for r in here], average="macro"))


def test_what_mcc_counts_as_may_be_below_nothing(tmp_path):
    path = class_file(tmp_path, "xyz")
    assert bk.judge(path, on="accuracy,mcc", undefined=-1).evidence.column("mcc")[0, 0, 0, 2] == -1.0
    with pytest.raises(bk.InputError, match="undefined is -1") as caught:
        bk.judge(path, on="accuracy,precision_macro", undefined=-1)
    assert "from 0 to 1" in caught.value.fix
    with pytest.raises(bk.InputError, match="undefined is -1") as caught:
        bk.judge(path, on="kappa,precision_macro", undefined=-1)


def test_a_store_of_three_classes_names_the_fold_too(tmp_path):
    rng = np.random.default_rng(0)
    lines = [(*(i % 3 + rng.normal(0, 0.7, 2)).round(3), "xyz"[i % 3]) for i in range(90)]
    data = {"three": file_of(tmp_path, "x1,x2,class", lines)}
    store = tmp_path / "store.sqlite"
    bk.collect(bk.Plan(["nmc", "max"], data, folds="5-fold", seed=1), into=store, engine="serial", progress=False)
    with pytest.raises(bk.InputError, match=r"mcc.*0/0.*5 folds") as caught:
        bk.judge(store, on="accuracy,mcc")
    assert "learner max, fold 1" in caught.value.where
    found = bk.judge(store, on="accuracy,mcc", undefined=0.25).evidence
    row = found.learners.index("max")
    assert (found.column("mcc")[row] == 0.25).all()
    assert (found.column("mcc")[1 - row] != 0.25).all()
