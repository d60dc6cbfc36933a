"""Several measures at once: what a user found who tried them on files of his own."""

from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.stats.multivariate.measures import measures
from bestofk.stores.exchange.table_export import export_store
from bestofk.stores.exchange.table_import import store_from_table
from bestofk.stores.memory import MemoryStore
from bestofk.stores.store import open_store
from test_measures_command import run, written
from test_measures_verdict import columns, counts_of

THREE = {"a": (0.9, 0.1), "b": (0.85, 0.14), "c": (0.8, 0.2)}


def saved(tmp_path, text, name="r.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def counts_file(tmp_path, folds=10, seed=0):
    counts = counts_of(THREE, folds=folds, seed=seed).counts[:, 0, 0].astype(int)
    lines = [
        f"{name},{fold + 1},{','.join(map(str, counts[k, fold]))}"
        for k, name in enumerate(THREE)
        for fold in range(folds)
    ]
    return written(tmp_path, lines)


def probabilities_file(tmp_path, turned=False, classes="np", folds=10, each=12):
    """Two learners, ten folds; the probability of the second class, or of the first where it is turned round."""
    rng = np.random.default_rng(3)
    lines = ["learner,item,fold,truth,probability"]
    for learner, noise in (("a", 0.25), ("b", 0.35)):
        for item in range(folds * each):
            chance = np.clip(0.5 + (0.25 if item % 2 else -0.25) + rng.normal(0, noise), 0.01, 0.99)
            chance = 1 - chance if turned else chance
            lines.append(f"{learner},{item},{item // each + 1},{classes[item % 2]},{chance:.3f}")
    return saved(tmp_path, "\n".join(lines) + "\n")


# One score per cell is one measure


@pytest.mark.parametrize("on", ["tpr,fpr", "accuracy,f1", "confusion", "recalls", "precision,recall"])
def test_a_column_per_learner_is_one_measure(tmp_path, on):
    path = saved(tmp_path, "fold,lda,knn\n1,0.1,0.2\n2,0.2,0.2\n3,0.3,0.4\n4,0.1,0.2\n5,0.2,0.3\n")
    answer = run("judge", path, "--on", on)
    assert answer.exit_code == 2
    assert "there is one score per learner and fold, which cannot be" in answer.stderr
    assert "columns learner, fold, and one per measure" in answer.stderr


@pytest.mark.parametrize("on", [("tpr", "fpr"), "confusion", ("accuracy", "f1")])
def test_arrays_by_learner_are_one_measure(on):
    with pytest.raises(bk.InputError, match="there is one score per learner and fold"):
        bk.judge({"a": [0.1, 0.2, 0.3, 0.1, 0.2], "b": [0.2, 0.2, 0.4, 0.2, 0.3]}, on=on)


def test_a_table_of_data_sets_is_one_measure():
    path = str(Path(__file__).parent.parent / "examples" / "demsar.csv")
    with pytest.raises(bk.InputError, match=r"one score per learner and data set[\s\S]*columns learner, dataset"):
        bk.judge(path, on="tpr,fpr")


def test_outputs_by_name_are_several_measures():
    rng = np.random.default_rng(0)
    given = {name: {"test_accuracy": rng.random(6), "test_f1": rng.random(6)} for name in "ab"}
    verdict = bk.judge(given, on=("accuracy", "f1"))
    assert verdict.comparison.means["a"]["f1"] == pytest.approx(given["a"]["test_f1"].mean())


# Thresholds


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
        assert verdict.costs.rates[name] == pytest.approx((fp / (fp + tn), tp / (tp + fn)))
        errors = (counts[:, 1] + counts[:, 2]) / counts.sum(axis=1)
        assert verdict.comparison.error_means[name] == pytest.approx(errors.mean())
    assert verdict.comparison.error_of == "at the threshold 0.3"
    said = repr(verdict)
    assert "Listed by mean error at the threshold 0.3" in said
    assert "the error is at the threshold 0.3, and the costs of mistakes are at the threshold 0.3" in said


def test_the_error_beside_two_thresholds_is_of_the_predicted_classes(tmp_path):
    path = probabilities_file(tmp_path)
    verdict, plain = bk.judge(path, on="tpr@0.3,fpr@0.6"), bk.judge(path, on="tpr,fpr")
    assert verdict.comparison.error_means == pytest.approx(plain.comparison.error_means)
    assert verdict.costs.rates == plain.costs.rates
    assert "Listed by mean error of the predicted classes" in repr(verdict)
    assert plain.comparison.error_of == ""
    assert "of the predicted classes" not in repr(plain)


def test_the_error_beside_one_threshold_and_a_measure_of_predictions(tmp_path):
    path = probabilities_file(tmp_path)
    verdict, there = bk.judge(path, on="tpr@0.3,fpr@0.3,f1"), bk.judge(path, on="tpr@0.3,fpr@0.3")
    assert verdict.costs.rates == there.costs.rates
    assert verdict.comparison.error_of == "of the predicted classes"


@pytest.mark.parametrize(("name", "other"), [("tnr@0.3", "fpr@0.3"), ("fnr@0.3", "tpr@0.3")])
def test_turned_rates_at_a_threshold(tmp_path, name, other):
    path = probabilities_file(tmp_path)
    beside = "tpr@0.3" if name.startswith("tnr") else "fpr@0.3"
    turned = bk.judge(path, on=f"{name},{beside}").comparison.means["a"][name]
    assert turned == pytest.approx(1 - bk.judge(path, on="tpr@0.3,fpr@0.3").comparison.means["a"][other])


# Names of measures of counts


def test_turned_rates_alone_are_known_from_counts(tmp_path):
    path = counts_file(tmp_path)
    verdict, plain = bk.judge(path, on="tnr,fnr"), bk.judge(path, on="tpr,fpr")
    assert verdict.comparison.means["b"]["tnr"] == pytest.approx(1 - plain.comparison.means["b"]["fpr"])
    assert verdict.comparison.means["b"]["fnr"] == pytest.approx(1 - plain.comparison.means["b"]["tpr"])
    assert verdict.comparisons[0].pvalue == pytest.approx(plain.comparisons[0].pvalue)


def test_measures_of_counts_against_scikit_learn():
    from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, matthews_corrcoef

    counts = {"tp": 17, "fn": 3, "fp": 5, "tn": 40}
    truth, said = [1] * 20 + [0] * 45, [1] * 17 + [0] * 3 + [1] * 5 + [0] * 40
    found = measures(**{name: [n] for name, n in counts.items()}, names=("balanced_accuracy", "mcc", "kappa"))[0]
    expected = [f(truth, said) for f in (balanced_accuracy_score, matthews_corrcoef, cohen_kappa_score)]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("on", ["mcc,balanced_accuracy", "matthews_corrcoef,tpr", "ppv,recall", "kappa,fpr"])
def test_advised_measures_are_known_from_counts(tmp_path, on):
    assert bk.judge(counts_file(tmp_path), on=on).names == tuple(on.split(","))


def test_the_measure_of_skewed_classes_is_known_alone(tmp_path):
    assert bk.judge(bk.read(counts_file(tmp_path), measure="mcc")).order[0] == "a"


def test_known_names_are_listed_whole(tmp_path):
    answer = run("judge", counts_file(tmp_path), "--on", "tpr,zzz")
    known = answer.stderr.split("known: ")[1]
    for name in ("tnr", "fnr", "mcc", "balanced_accuracy", "kappa", "tp", "ppv", "f1"):
        assert f" {name}," in f" {known}".replace(".", ","), name


@pytest.mark.parametrize(
    "on",
    ["accuracy,error", "tpr,recall", "tpr,fnr", "fpr,tnr", "specificity,tnr", "mcc,matthews_corrcoef", "fpr,recalls"],
)
def test_copies_of_a_measure_are_refused(tmp_path, on):
    answer = run("judge", counts_file(tmp_path), "--on", on)
    assert answer.exit_code == 2
    assert "are one measure" in answer.stderr


def test_fractional_counts_are_refused(tmp_path):
    path = written(tmp_path, [f"{name},{fold},8,2,{fold + 0.5},20" for name in "ab" for fold in range(1, 6)])
    answer = run("judge", path, "--on", "tpr,fpr")
    assert answer.exit_code == 2
    assert answer.stderr.startswith("fp is 1.5.")
    assert "learner a, fold 1" in answer.stderr


# Seconds


@pytest.mark.parametrize("column", ["fit_seconds", "fit_time"])
def test_seconds_by_either_name(tmp_path, column):
    rng = np.random.default_rng(1)
    rows = [f"{name},{fold},{rng.random():.3f},{fold + (name == 'b')}" for name in "ab" for fold in range(6)]
    path = saved(tmp_path, f"learner,fold,accuracy,{column}\n" + "\n".join(rows) + "\n")
    verdict = bk.judge(path, on="accuracy,fit-seconds")
    assert verdict.comparison.means["b"]["fit_time"] == pytest.approx(3.5)


def test_counts_hold_no_times(tmp_path):
    for on in ("accuracy,fit-seconds", "fit-seconds,predict-seconds"):
        answer = run("judge", counts_file(tmp_path), "--on", on)
        assert answer.stderr.startswith("fit-seconds is not known: there are counts, which hold no times")


def test_an_unknown_measure_is_named_as_typed(tmp_path):
    path = saved(
        tmp_path, "learner,fold,accuracy,f1\n" + "".join(f"{n},{f},0.{f},0.5\n" for n in "ab" for f in range(6))
    )
    answer = run("judge", path, "--on", "predict-seconds,accuracy")
    assert answer.stderr.startswith("unknown measure 'predict-seconds'.")
    assert "known: accuracy, f1." in answer.stderr


# Data sets, stores and plans


def test_data_sets_with_folds_of_other_names(tmp_path):
    rng = np.random.default_rng(2)
    lines = ["learner,dataset,fold,tp,fn,fp,tn"]
    for name in "ab":
        for fold in range(1, 11):
            tp, fp = rng.integers(5, 10), rng.integers(1, 5)
            lines.append(f"{name},{'d1' if fold % 2 else 'd2'},{fold},{tp},{10 - tp},{fp},{10 - fp}")
    path = saved(tmp_path, "\n".join(lines) + "\n")
    found = bk.read(path, dataset="d1")
    assert found.folds == ("1", "3", "5", "7", "9")
    assert found.counts.shape == (2, 1, 1, 5, 4)
    assert bk.judge(bk.read(path, dataset="d1", on="tpr,fpr")).comparison.rows == 5


def test_folds_of_replications_with_other_names(tmp_path):
    rows = [f"{n},{r},{f},0.{f}\n" for n in "ab" for r, f in ((1, 1), (1, 2), (2, 3), (2, 4))]
    path = saved(tmp_path, "learner,replication,fold,error\n" + "".join(rows))
    with pytest.raises(bk.InputError, match="the replications have folds of different names"):
        bk.judge(path)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A store with one data set of two classes and one of three."""
    rng = np.random.default_rng(0)
    codes = {name: np.arange(60) % number for name, number in (("two", 2), ("three", 3))}
    data = {
        name: (np.column_stack([each + rng.normal(size=60), rng.normal(size=60)]), np.array(list("abc"))[each])
        for name, each in codes.items()
    }
    store = str(tmp_path_factory.mktemp("mixed") / "mixed.db")
    bk.collect(bk.Plan(["nmc", "max"], data, folds="5-fold", seed=1), into=store, engine="serial", progress=False)
    return store


def test_counts_of_two_classes_survive_a_data_set_of_three(mixed, tmp_path):
    store = open_store(mixed, create=False)
    path = tmp_path / "out.csv"
    made = export_store(store, path)
    assert {"tp", "fn", "fp", "tn", "error"} <= set(made.columns)
    one = bk.judge(bk.read(str(path), dataset="two", on="tpr,fpr"), missing="refuse")
    there = bk.judge(bk.read(mixed, dataset="two", on="tpr,fpr"))
    assert one.comparison.means == there.comparison.means
    assert bk.read(str(path)).means() == pytest.approx(bk.read(mixed).means())
    back = MemoryStore()
    back.write(list(store_from_table(path).read()))
    cells = {(cell.key.dataset, cell.key.learner): cell for cell in back.read()}
    for cell in store.read():
        again = cells[cell.key.dataset, cell.key.learner]
        assert not any(any(line) for line in again.failures)
        assert (again.confusion is None) == (cell.key.dataset == "three")
        if cell.key.dataset == "two":
            np.testing.assert_array_equal(again.confusion, cell.confusion)
    store.close()


def test_a_store_is_judged_by_itself(mixed, tmp_path):
    answer = run("judge", mixed, counts_file(tmp_path))
    assert answer.exit_code == 2
    assert answer.stderr.startswith("a store is given beside 1 other file.")
    assert "judge a store by itself" in answer.stderr


def test_a_plan_is_collected_first(tmp_path):
    path = saved(tmp_path, 'seed = 1\nfolds = "10-fold"\n', "p.toml")
    answer = run("judge", path)
    assert answer.exit_code == 2
    assert answer.stderr.startswith("it is a plan")
    assert f"bestofk collect {path} --into" in answer.stderr


# Three classes


def three_classes(tmp_path):
    rng = np.random.default_rng(5)
    lines = ["learner,item,fold,truth,x,y,z"]
    for learner, sure in (("a", 3.0), ("b", 1.0)):
        for item in range(90):
            weights = rng.random(3) + sure * (np.arange(3) == item % 3)
            shares = weights / weights.sum()
            lines.append(f"{learner},{item},{item // 18},{'xyz'[item % 3]}," + ",".join(f"{s:.6f}" for s in shares))
    return saved(tmp_path, "\n".join(lines) + "\n")


def test_measures_of_all_classes_need_no_positive_one(tmp_path):
    from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef

    path = three_classes(tmp_path)
    verdict = bk.judge(path, on="balanced_accuracy,mcc")
    rows = [line.split(",") for line in Path(path).read_text().split()[1:]]
    found = {"balanced_accuracy": [], "mcc": []}
    for fold in range(5):
        here = [row for row in rows if row[0] == "b" and row[2] == str(fold)]
        truth, said = [row[3] for row in here], ["xyz"[int(np.argmax([float(s) for s in row[4:]]))] for row in here]
        found["balanced_accuracy"].append(balanced_accuracy_score(truth, said))
        found["mcc"].append(matthews_corrcoef(truth, said))
    assert verdict.comparison.means["b"] == pytest.approx({name: np.mean(each) for name, each in found.items()})


def test_rates_of_three_classes_need_a_positive_one(tmp_path):
    for on in ("accuracy,tpr", "tpr@0.3,fpr@0.3"):
        with pytest.raises(bk.InputError, match="is of one class against the rest, and there are 3 classes"):
            bk.judge(three_classes(tmp_path), on=on)


def test_curves_of_three_classes_are_offered_one_class(tmp_path):
    with pytest.raises(bk.InputError, match="say which: --positive x") as caught:
        bk.judge(three_classes(tmp_path), on="roc")
    assert "each" not in caught.value.fix


# Words


def test_areas_far_below_chance_are_asked_about(tmp_path):
    turned = bk.judge(probabilities_file(tmp_path, turned=True), on="roc")
    assert "are these scores of the other class?" in repr(turned)
    assert "They must be larger for class p" in repr(turned)
    assert "of the other class?" not in repr(bk.judge(probabilities_file(tmp_path), on="roc"))


def test_ties_are_rows_of_somebody_not_items_of_everybody(tmp_path):
    path = Path(probabilities_file(tmp_path))
    text = path.read_text().split("\n")
    text[1] = "a,0,1,n,0.5"
    path.write_text("\n".join(text))
    notes = bk.read(str(path)).origin.notes
    assert "1 row with two or more most probable classes: the first of them was taken" in notes


def test_a_difference_without_spread_is_warned_of():
    first = np.column_stack([np.full(4, 0.9), [0.1, 0.2, 0.1, 0.3]])
    second = np.column_stack([np.full(4, 0.8), [0.2, 0.1, 0.1, 0.2]])
    (pair,) = bk.judge(columns(first, second), on="tpr,fpr").comparisons
    assert pair.pvalue == 0
    said = repr(bk.judge(columns(first, second), on="tpr,fpr"))
    assert "of few folds with small counts that may be chance" in said
    assert "may be chance" not in repr(bk.judge(counts_of(THREE), on="tpr,fpr"))


def test_groups_in_the_terminal_say_what_they_are(tmp_path):
    answer = run("judge", counts_file(tmp_path), "--on", "tpr,fpr")
    assert "two ends not told apart: " in answer.stdout
    assert "underlined" not in answer.stdout
