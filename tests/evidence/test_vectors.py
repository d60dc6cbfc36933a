"""Vectors of measures from counts, columns, files, frames and stores."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.evidence.measure_vectors.wanted import wanted_measures
from makers_stores import run_store

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Three classes and two, ten folds each."""
    path = tmp_path_factory.mktemp("store") / "r.db"
    plan = bk.Plan(learners=["lda", "nmc"], datasets=["iris", "breast-cancer"], folds="10-fold-stratified", seed=1)
    bk.collect(plan, path, engine="serial", progress=False)
    return path


def test_counts_give_the_measures_of_the_statistics():
    table = pd.read_csv(EXAMPLES / "two_class.csv")
    vectors = bk.read(EXAMPLES / "two_class.csv", on=("precision", "fpr", "error"))
    lda = table[table.learner == "lda"].sort_values("fold")
    plain = bk.stats.multivariate.measures(lda.tp, lda.fn, lda.fp, lda.tn, names=("precision", "fpr", "error"))
    assert vectors.vectors[0, 0, 0] == pytest.approx(plain)
    assert repr(vectors).endswith("fpr (smaller is better) and error (smaller is better)")


def frame(**columns):
    rows = pd.DataFrame({"learner": np.repeat(["a", "b"], 6), "fold": np.tile(np.arange(6), 2)})
    rng = np.random.default_rng(0)
    for name in columns:
        rows[name] = rng.random(12)
    return rows


def test_columns_by_name_with_costs_and_the_error_from_accuracy():
    table = frame(accuracy=1, auc=1, fit_time=1)
    vectors = bk.read(table, on="accuracy,fit-seconds")
    assert vectors.names == ("accuracy", "fit_time")
    assert [measure.larger_is_better for measure in vectors.measures] == [True, False]
    assert vectors.vectors[1, 0, 0, :, 1] == pytest.approx(table.fit_time[6:])
    assert vectors.error[0, 0, 0] == pytest.approx(1 - table.accuracy[:6])
    assert bk.judge(table, on="auc,fit-time").names == ("auc", "fit-time")


def test_a_file_with_many_measures_needs_no_measure(tmp_path):
    path = tmp_path / "r.csv"
    frame(accuracy=1, auc=1, fit_time=1).to_csv(path, index=False)
    verdict = bk.judge(path, on=("auc", "accuracy"))
    assert verdict.comparison.sample.units == 6
    with pytest.raises(bk.InputError, match="and on is given"):
        bk.read(path, on=("auc", "accuracy"), measure="auc")


def test_scores_that_were_read_already_keep_the_costs_of_every_fold():
    table = frame(accuracy=1, fit_time=1)
    found = bk.read(bk.read(table), on="accuracy,fit_time")
    assert np.array_equal(found.vectors, bk.read(table, on="accuracy,fit_time").vectors)
    assert np.array_equal(found.vectors, bk.read(table).on("accuracy", "fit_time").vectors)


def test_scores_that_know_a_cost_as_a_mean_alone_say_so():
    splits = {f"split{i}_test_{name}": [0.8, 0.9] for i in range(4) for name in ("f1", "auc")}
    search = {"param_C": [1, 2], "mean_fit_time": [3.0, 4.0], **splits}
    with pytest.raises(bk.InputError, match="learner, not per fold") as error:
        bk.read(search, on="f1,fit_time")
    assert "bk.read(source, on=" in error.value.fix


def test_a_table_is_read_once(monkeypatch, tmp_path):
    import bestofk.evidence.reading as reading

    seen = []
    whole = reading.evidence_from_table
    monkeypatch.setattr(reading, "evidence_from_table", lambda *given: seen.append(1) or whole(*given))
    path = tmp_path / "r.csv"
    frame(accuracy=1, auc=1, fit_time=1).to_csv(path, index=False)
    assert bk.read(path, on="auc,fit_time").has_error  # from the accuracy
    assert bk.read(EXAMPLES / "two_class.csv", on="confusion").counts is not None
    assert len(seen) == 2


def test_rows_of_measures_may_come_in_any_order():
    table = frame(tpr=1, fpr=1, error=1)
    long = table.melt(id_vars=["learner", "fold"], var_name="measure", value_name="value")
    turned = pd.concat([long[long.measure != "fpr"], long[long.measure == "fpr"].iloc[::-1]])
    found = bk.read(turned, on="tpr,fpr")
    assert np.array_equal(found.vectors, bk.read(table, on="tpr,fpr").vectors)
    assert found.has_error
    with pytest.raises(bk.InputError, match=r"results are missing: learner \w+, fold 0"):
        bk.judge(turned[(turned.measure != "fpr") | (turned.fold > 0)], on="tpr,fpr")


@pytest.mark.parametrize("on", ["error,f1", "f1,error"])
def test_a_scorers_loss_may_be_read_two_ways_wherever_it_is_named(on):
    table = frame(test_error=1, test_f1=1, fit_time=1, score_time=1)
    with pytest.raises(bk.InputError, match="'error' may be read") as error:
        bk.read(table, on=on)
    assert "error:smaller" in error.value.fix
    assert bk.read(table, on=on.replace("error", "error:smaller")).has_error


def test_evidence_is_asked_on_one_measure_or_several(store):
    counts = bk.read(EXAMPLES / "two_class.csv")
    assert np.array_equal(counts.on("tpr", "fpr").vectors, bk.read(EXAMPLES / "two_class.csv", on="tpr,fpr").vectors)
    assert counts.on("confusion").names == counts.on("tp,fn,fp,tn").names == ("tp", "fn", "fp", "tn")
    one = bk.read(frame(accuracy=1, auc=1), measure="auc").on("accuracy")
    assert (one.measure, one.larger_is_better, list(one.others)) == ("accuracy", True, ["auc"])
    with pytest.raises(bk.UnknownName, match="unknown measure 'nope'"):
        counts.on("nope")
    flowers = bk.read(store, dataset="iris")
    assert flowers.on("tpr", "fpr", positive="setosa").positive == "setosa"
    items = bk.read(EXAMPLES / "predictions.csv")
    with pytest.raises(bk.InputError, match="vectors of measures need"):
        items.on("recalls")


def test_the_password_of_a_store_is_kept_to_open_it_and_shown_nowhere(store, monkeypatch):
    import json

    from bestofk.stores.address import STORES
    from bestofk.stores.sqlite.store import SQLiteStore

    opened = []

    class Vault(SQLiteStore):
        url = "vault://ann@host/results"

    def vault(url, *, create):
        opened.append(url)
        return Vault(store, create=create)

    monkeypatch.setattr(STORES, "_own", {"vault": vault})
    evidence = bk.read("vault://ann:hush@host/results", dataset="iris")
    vectors = evidence.on("recalls")
    assert opened == ["vault://ann:hush@host/results"] * 2
    verdict = bk.judge(vectors)
    parts = (evidence, evidence.outcomes, vectors, verdict)
    shown = [json.dumps(each.to_dict(), default=str) for each in (evidence, vectors, verdict)]
    assert not any("hush" in text for text in [*map(repr, parts), *shown, evidence._repr_html_()])


def test_directions_are_known_said_or_asked_for():
    table = frame(taste=1, recall_cat=1, recall_dog=1)
    with pytest.raises(bk.InputError, match="measure 'taste'") as error:
        bk.read(table, on="recall_cat,taste")
    assert "taste:larger" in error.value.fix
    assert not bk.read(table, on="recall_cat,taste:smaller").measures[1].larger_is_better
    assert bk.read(table, on="taste:larger,recall_cat").measures[0].larger_is_better
    assert not bk.read(table, on="recall_cat,taste", larger_is_better=False).measures[1].larger_is_better
    with pytest.raises(bk.InputError, match="larger is better, but smaller was asked for"):
        bk.read(EXAMPLES / "two_class.csv", on="tpr:smaller,fpr")


def test_recalls_of_columns_and_of_two_classes():
    assert bk.read(frame(recall_cat=1, recall_dog=1, recall_macro=1), on="recall_cat,recall_dog").names == (
        "recall_cat",
        "recall_dog",
    )
    scores = bk.read(frame(recall_cat=1, recall_dog=1, error=1), measure="error")
    assert bk.read(scores, on="recalls").names == ("recall_cat", "recall_dog")
    assert bk.read(EXAMPLES / "counts.csv", on="recalls").names == ("tpr", "specificity")
    with pytest.raises(bk.InputError, match="no recalls of classes"):
        bk.read(bk.read(frame(error=1)), on="recalls")


@pytest.mark.parametrize(
    ("on", "wrong"),
    [
        ("tpr", "on names one measure"),
        ((), "on names no measure"),
        (3, "on is 3"),
        (("tpr", 3), "a measure is 3"),
        ("tpr,tpr", "tpr"),
        ("tpr,prescision", "unknown measure 'prescision'"),
    ],
)
def test_names_that_are_wrong(on, wrong):
    with pytest.raises(bk.BestOfKError) as error:
        bk.read(EXAMPLES / "counts.csv", on=on)
    assert wrong in error.value.wrong


def test_a_near_name_is_offered():
    with pytest.raises(bk.UnknownName) as error:
        bk.judge(bk.read(EXAMPLES / "counts.csv"), on="recall,prescision")
    assert "did you mean 'precision'?" in error.value.fix


def test_confusion_is_the_four_counts():
    assert [each.name for each in wanted_measures("confusion")] == ["tp", "fn", "fp", "tn"]
    measures = bk.read(EXAMPLES / "counts.csv", on="confusion").measures
    assert [each.larger_is_better for each in measures] == [True, False, False, True]


def test_items_and_curves_are_refused():
    with pytest.raises(bk.InputError, match="several measures need folds"):
        bk.judge(EXAMPLES / "curves.csv", on="accuracy,fit_time")
    items = bk.Items(learners=("a", "b"), values=[[0, 1, 1], [1, 1, 0]], measure="correct", larger_is_better=True)
    with pytest.raises(bk.InputError, match="several measures need folds"):
        bk.judge(items, on="tpr,fpr")


def test_a_store_knows_classes_seconds_and_measures_of_counts(store):
    evidence = bk.read(store, dataset="iris")
    recalls = bk.judge(evidence, on="recalls")
    assert recalls.names == ("recall of setosa", "recall of versicolor", "recall of virginica")
    macro = bk.read(store, dataset="iris", measure="recall_macro").values
    assert recalls.evidence.vectors.mean(axis=-1) == pytest.approx(macro)
    assert (bk.read(evidence, on="error,fit-seconds").vectors[..., 1] > 0).all()
    balanced = bk.read(store, dataset="iris", measure="balanced_accuracy").values
    assert bk.read(store, dataset="iris", on="balanced-accuracy,size").vectors[..., 0] == pytest.approx(balanced)


def test_one_class_against_the_rest(store):
    vectors = bk.read(store, dataset="iris", on="tpr,fpr", positive="versicolor")
    recalls = bk.read(store, dataset="iris", on="recalls")
    assert vectors.vectors[..., 0] == pytest.approx(recalls.column("recall of versicolor"))
    assert vectors.error == pytest.approx(bk.read(store, dataset="iris", measure="error").values)  # of all classes
    with pytest.raises(bk.InputError, match="there are 3 classes") as error:
        bk.read(store, dataset="iris", on="tpr,fpr")
    assert "--positive setosa" in error.value.fix
    with pytest.raises(bk.UnknownName, match="unknown class 'rose'"):
        bk.read(store, dataset="iris", on="tpr,fpr", positive="rose")


def test_the_positive_class_of_two_can_be_turned(store):
    usual = bk.read(store, dataset="breast-cancer", on="tpr,fpr")
    turned = bk.read(store, dataset="breast-cancer", on="tpr,fpr", positive="benign")
    assert (usual.positive, turned.positive) == ("malignant", "benign")
    assert turned.column("tpr") == pytest.approx(1 - usual.column("fpr"))
    assert usual.column("fpr") == pytest.approx(1 - usual.counts[..., 3] / usual.counts[..., 2:].sum(axis=-1))


def items(classes):
    rng = np.random.default_rng(0)
    truth = np.resize(list(classes), 60)
    said = {name: np.where(rng.random(60) < 0.7, truth, rng.permutation(truth)) for name in ("a", "b")}
    return pd.DataFrame({"truth": truth, **said, "fold": np.repeat([1, 2, 3], 20)})


@pytest.mark.parametrize("rate", ["tpr", "recall", "sensitivity", "fnr", "tnr", "specificity", "fpr"])
def test_a_rate_beside_the_recalls_that_say_it_is_refused(store, rate):
    for source, more in ((items("xy"), {}), (items("xy"), {"positive": "x"}), (store, {"dataset": "breast-cancer"})):
        with pytest.raises(bk.InputError):
            bk.read(source, on=f"{rate},recalls", **more)
        assert len(bk.read(source, on="precision,recalls", **more).names) == 3
    with pytest.raises(bk.InputError):
        bk.read(items("xyz"), on="tpr,recall of y", positive="y")
    assert len(bk.read(items("xyz"), on="tpr,recall of x", positive="y").names) == 2


def test_recalls_with_a_positive_class_of_three_are_its_own_and_that_of_the_rest(store):
    for source, name, more in ((items("xyz"), "y", {}), (store, "versicolor", {"dataset": "iris"})):
        recalls = bk.read(source, on="recalls", positive=name, **more)
        assert recalls.positive == name
        assert np.array_equal(
            recalls.column(recalls.names[0]), bk.read(source, on="recalls", **more).column(f"recall of {name}")
        )
        rates = bk.read(source, on="tpr,specificity", positive=name, **more)
        assert np.array_equal(recalls.vectors, rates.vectors)


def test_an_imported_table_with_different_classes(store, tmp_path):
    assert run_store("export", store, tmp_path / "e.csv")[0] == 0
    assert run_store("merge", tmp_path / "m.db", tmp_path / "e.csv")[0] == 0
    for on in ("tpr,fpr", "recalls"):
        with pytest.raises(bk.InputError, match="different classes") as error:
            bk.read(tmp_path / "m.db", on=on)
        assert "--dataset breast-cancer" in error.value.fix


def test_data_sets_with_different_classes(store):
    with pytest.raises(bk.InputError, match="different classes") as error:
        bk.read(store, on="tpr,fpr")
    assert "--dataset iris" in error.value.fix
    with pytest.raises(bk.InputError, match="different classes"):
        bk.read(store, on="tpr,fpr", positive="benign")
    with pytest.raises(bk.UnknownName, match="unknown data set"):
        bk.read(store, dataset="irus")


def test_recalls_of_data_sets_with_different_classes(store):
    with pytest.raises(bk.InputError, match="different classes") as error:
        bk.read(store, on="recalls")
    assert "--dataset iris" in error.value.fix


def test_a_fold_without_a_class_follows_undefined(store):
    from dataclasses import replace

    from bestofk.evidence.measure_vectors.fold_vectors import vectors_of
    from bestofk.evidence.measure_vectors.wanted import Ask

    evidence = bk.read(store, dataset="iris")
    scores, known = evidence.outcomes.known(evidence, None)
    name = "recall of setosa"
    confusion = known.confusion[0].copy()
    confusion[0, 0, 1, 0] = 0  # rows of setosa, the first class
    empty = replace(known, confusion=(confusion,))
    with pytest.raises(bk.InputError, match="recall of setosa is 0/0 in 1 fold: there is no row of class setosa"):
        vectors_of(scores, Ask("recalls"), empty)
    assert vectors_of(scores, Ask("recalls", undefined=0.25), empty).column(name)[0, 0, 0, 1] == 0.25


def test_every_class_against_the_rest_in_one_call(store):
    verdict = bk.judge(bk.read(store, dataset="iris", on="tpr,fpr", positive="each"))
    assert verdict.names == ("recall of setosa", "recall of versicolor", "recall of virginica")
    assert [each.evidence.positive for each in verdict.by_class] == ["setosa", "versicolor", "virginica"]
    alone = bk.judge(bk.read(store, dataset="iris", on="tpr,fpr", positive="versicolor"), alpha=0.05 / 3)
    assert verdict.by_class[1].to_dict()["comparison"] == alone.to_dict()["comparison"]
    assert verdict.provenance.settings["positive"] == "each"
    assert verdict.provenance.settings["on"] == ["tpr", "fpr"]
    again = bk.judge(bk.read(store, dataset="iris"), on="tpr,fpr", positive="each")
    assert again.to_dict()["by_class"][2]["comparison"] == verdict.to_dict()["by_class"][2]["comparison"]


def test_positive_needs_classes_by_name():
    with pytest.raises(bk.InputError, match="no classes by name"):
        bk.read(EXAMPLES / "counts.csv", on="tpr,fpr", positive="yes")


def test_a_data_set_can_be_singled_out_for_one_measure_too(store):
    assert bk.read(store, dataset="iris").datasets == ("iris",)
    with pytest.raises(bk.InputError, match="no data sets"):
        bk.read(EXAMPLES / "curves.csv", dataset="iris")
