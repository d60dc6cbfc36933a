"""Classes of items: the positive one, each against the rest, three classes, predictions of no class."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.reporting.report import report_text
from makers_measures import (
    chance_frame,
    class_frame,
    class_probabilities_csv,
    few_counts_csv,
    long_table,
    pairs_of,
    run,
    three_classes_csv,
)


def test_counts_are_made_of_every_group(file):
    truth, scores, path = file(groups=True)
    verdict = bk.judge(path, on="tpr,fpr")
    said, fold = scores["fair"] > 0.5, np.arange(300) % 10 == 3
    found = verdict.evidence.rows()[1, 3]
    assert found == pytest.approx([said[fold & (truth == 1)].mean(), said[fold & (truth == 0)].mean()])
    assert verdict.evidence.positive == "yes"
    assert verdict.comparison.sample.share == 0.1
    assert verdict.roc is not None


def test_one_test_set_has_no_vectors(file):
    _, _, path = file()
    answer = run("judge", path, "--on", "tpr,fpr")
    assert answer.exit_code == 2
    assert "set of 300 items" in answer.stderr
    assert "--on roc" in answer.stderr


def test_several_classes_need_a_positive_one(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("group,truth,a,b\n" + "".join(f"f{i % 5},{'xyz'[i % 3]},{'xyz'[i % 2]},x\n" for i in range(60)))
    with pytest.raises(bk.InputError, match="3 classes, and none"):
        bk.judge(str(path), on="tpr,fpr")
    verdict = bk.judge(str(path), on="tpr,fpr", positive="z")
    assert [verdict.comparison.means_of(name)["b"] for name in ("tpr", "fpr")] == [0.0, 0.0]


def test_every_class_of_items(tmp_path):
    path, rows = three_classes_csv(tmp_path)
    verdict = bk.judge(path, on="tpr,fpr", positive="each")
    assert [each.evidence.positive for each in verdict.by_class] == ["x", "y", "z"]
    first = [row for row in rows if row[0] == "f4"]
    of_y = [row for row in first if row[1] == "y"]
    expected = sum(row[3] == "y" for row in of_y) / len(of_y)
    assert verdict.evidence.column("recall of y")[1, 0, 0, 4] == pytest.approx(expected)
    wrong = sum(row[1] != row[3] for row in first) / len(first)
    assert verdict.evidence.error[1, 0, 0, 4] == pytest.approx(wrong)  # of all classes
    assert verdict.by_class[0].comparison.means_of("error") == pytest.approx(verdict.comparison.means_of("error"))
    assert verdict.by_class[0].comparison.means_of("tpr")["b"] == pytest.approx(
        verdict.comparison.means_of("recall of x")["b"]
    )


@pytest.mark.parametrize("suffix", ["html", "md", "txt"])
def test_reports_have_a_section_per_class(tmp_path, suffix):
    path, _ = three_classes_csv(tmp_path)
    out = tmp_path / f"v.{suffix}"
    assert run("report", path, "--on", "tpr,fpr", "--positive", "each", "-o", str(out)).exit_code in (0, 1)
    for name in "xyz":
        assert f"Class {name} against" in out.read_text(encoding="utf-8")


def test_each_class_needs_measures_of_one_class(tmp_path):
    path, _ = three_classes_csv(tmp_path)
    with pytest.raises(bk.InputError, match="curves are of one"):
        bk.judge(path, on="roc", positive="each")
    with pytest.raises(bk.InputError, match="no classes by name"):
        bk.judge(few_counts_csv(tmp_path), on="tpr,fpr", positive="each")


def test_one_class_is_said_to_be_one(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("group,truth,a,b\n" + "".join(f"f{i % 5},x,x,x\n" for i in range(20)))
    with pytest.raises(bk.InputError, match="class, x, and none"):
        bk.judge(str(path), on="tpr,fpr")


def test_classes_have_their_curves_in_the_report(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["fold,truth," + ",".join(f"{n}:{c}" for n in "ab" for c in "xyz")]
    for i in range(180):
        truth = i // 10 % 3
        cells = []
        for strength in (3.0, 1.0):
            raw = np.exp(rng.normal(0, 1, 3) + strength * (np.arange(3) == truth))
            first = np.round(raw / raw.sum(), 4)
            cells += [first[0], first[1], 1 - first[0] - first[1]]
        lines.append(f"{i % 6},{'xyz'[truth]}," + ",".join(f"{each:.4f}" for each in cells))
    path = tmp_path / "p.csv"
    path.write_text("\n".join(lines) + "\n")
    verdict = bk.judge(path, on="tpr,fpr", positive="each")
    assert [each.roc.positive for each in verdict.by_class] == ["x", "y", "z"]
    text = run("report", str(path), "--on", "tpr,fpr", "--positive", "each", "-o", "-", "--format", "md").stdout
    assert text.count("ROC curves of 6 folds") == 3


def test_measures_of_all_classes_need_no_positive_one(tmp_path):
    from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef

    path = class_probabilities_csv(tmp_path)
    verdict = bk.judge(path, on="balanced_accuracy,mcc")
    rows = [line.split(",") for line in Path(path).read_text().split()[1:]]
    found = {"balanced_accuracy": [], "mcc": []}
    for fold in range(5):
        here = [row for row in rows if row[0] == "b" and row[2] == str(fold)]
        truth, said = [row[3] for row in here], ["xyz"[int(np.argmax([float(s) for s in row[4:]]))] for row in here]
        found["balanced_accuracy"].append(balanced_accuracy_score(truth, said))
        found["mcc"].append(matthews_corrcoef(truth, said))
    for name, each in found.items():
        assert verdict.comparison.means_of(name)["b"] == pytest.approx(np.mean(each))


def test_rates_of_three_classes_need_a_positive_one(tmp_path):
    for on in ("accuracy,tpr", "tpr@0.3,fpr@0.3"):
        with pytest.raises(bk.InputError, match="are 3 classes"):
            bk.judge(class_probabilities_csv(tmp_path), on=on)


def test_a_predicted_class_that_is_not_counted_is_refused():
    table = long_table(("neg", "pos"))
    table["fold"] = table.item // 20
    table["prediction"] = np.where(table.probability >= 0.5, "pos", "neg")
    table.loc[(table.learner == "vague") & (table.item == 4), "prediction"] = "unsure"
    for on in ("tpr,fpr", "accuracy,precision"):
        with pytest.raises(InputError, match=r"vague predicts unsure for item \w+, and the classes are neg and pos"):
            bk.judge(table, on=on)
    assert bk.judge(table, on="roc").order  # curves have no use for predictions


def test_the_error_beside_one_class_against_the_rest_is_said_to_be_of_all_classes():
    rng = np.random.default_rng(1)
    truth = rng.choice(list("xyz"), 60)
    parts = []
    for name in "ab":
        said = np.where(rng.random(60) < 0.7, truth, rng.choice(list("xyz"), 60))
        parts.append(pd.DataFrame({"learner": name, "item": range(60), "fold": np.arange(60) // 12, "truth": truth}))
        parts[-1]["prediction"] = said
    table = pd.concat(parts, ignore_index=True)
    wrong = (table.prediction != table.truth).groupby(table.learner).mean()
    verdict = bk.judge(table, on="accuracy,tpr", positive="y")
    assert verdict.evidence.error_of == "of all classes"
    assert dict(verdict.comparison.means_of("error")) == pytest.approx(dict(wrong))
    assert bk.judge(table, on="error,tpr", positive="y").evidence.error_of == ""
    assert bk.judge(table, on="accuracy,kappa").evidence.error_of == ""


def test_recalls_of_every_class_against_the_rest_are_two():
    verdict = bk.judge(class_frame(), on="recalls", positive="each")
    assert verdict.names == ("recall of x", "recall of y", "recall of z")
    assert [each.evidence.positive for each in verdict.by_class] == ["x", "y", "z"]
    assert {each.names for each in verdict.by_class} == {("tpr", "specificity")}
    assert verdict.by_class[1].comparison.means_of("tpr")["a"] == verdict.comparison.means_of("recall of y")["a"]
    assert verdict.provenance.settings["on"] == ["recalls"]
    named = bk.judge(class_frame(), on="tpr,specificity", positive="each")
    assert [pairs_of(each)[0].pvalue for each in verdict.by_class] == [
        pairs_of(each)[0].pvalue for each in named.by_class
    ]


def test_every_class_is_judged_at_its_share_of_alpha():
    verdict = bk.judge(class_frame(), on="tpr,fpr", positive="each")
    assert [each.alpha for each in verdict.by_class] == pytest.approx([0.05 / 3] * 3)
    assert "at alpha 0.0167" in " ".join(report_text(verdict, "txt").split())


def test_names_may_come_in_an_array():
    rng = np.random.default_rng(0)
    truth = np.tile(list("xyz"), 40)
    said = [np.where(rng.random(120) < p, truth, rng.choice(list("xyz"), 120)) for p in (0.9, 0.6)]
    keys = {"item": range(120), "fold": np.arange(120) // 15, "truth": truth}
    frame = pd.concat([pd.DataFrame({"learner": n, **keys, "prediction": s}) for n, s in zip("ab", said, strict=True)])
    frame = frame.reset_index(drop=True)
    for on in (np.array(["tpr", "fpr"]), pd.Index(["tpr", "fpr"]), {"tpr": 1, "fpr": 2}.keys(), iter(["tpr", "fpr"])):
        assert [each.evidence.positive for each in bk.judge(frame, on=on, positive="each").by_class] == list("xyz")
    both = bk.judge(frame, on="recalls,tpr", positive="each")
    assert both.by_class[0].names == ("tpr", "specificity")


def test_each_of_two_classes_is_the_same_twice():
    rng = np.random.default_rng(0)
    truth = np.tile(["n", "y"], 40)
    keys = {"item": range(80), "fold": np.arange(80) // 10, "truth": truth}
    said = [np.where(rng.random(80) < p, truth, "y") for p in (0.9, 0.6)]
    frame = pd.concat([pd.DataFrame({"learner": n, **keys, "prediction": s}) for n, s in zip("ab", said, strict=True)])
    frame = frame.reset_index(drop=True)
    with pytest.raises(InputError, match="y turned round"):
        bk.judge(frame, on="tpr,fpr", positive="each")
    by_class = bk.judge(frame, on="precision,recall", positive="each", undefined=0).by_class
    assert [each.evidence.positive for each in by_class] == ["n", "y"]


def test_a_slip_in_a_prediction_is_named():
    table = chance_frame().drop(columns="probability")
    table.loc[7, "prediction"] = "yy"
    with pytest.raises(InputError, match="a predicts yy for item 7, and the classes are n and y"):
        bk.judge(table, on="tpr,fpr")
    assert bk.judge(table, on="accuracy,kappa").order
