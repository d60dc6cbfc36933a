"""Several measures over data sets whose items stand in one table: each is read by itself, and counts once."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score

import bestofk as bk
from bestofk.core.errors import InputError
from makers_measures import as_counts, items_of, items_of_datasets, many_datasets_frame, pairs_of


def wide(number=7):
    table = items_of_datasets(number).pivot(
        index=["dataset", "item", "fold", "truth"], columns="learner", values="prediction"
    )
    return table.reset_index()


@pytest.mark.parametrize("first", ["two", "three"])
def test_data_sets_may_have_different_numbers_of_classes(first):
    two = [items_of(f"two{i}", seed=i) for i in range(3)]
    three = [items_of(f"three{i}", classes=tuple("xyz"), seed=9 + i) for i in range(3)]
    table = pd.concat(two + three if first == "two" else three + two, ignore_index=True)
    verdict = bk.judge(table, on="accuracy,kappa")
    for name, rows in table.groupby("learner"):
        by_fold = [
            [
                (accuracy_score(f.truth, f.prediction), cohen_kappa_score(f.truth, f.prediction))
                for _, f in s.groupby("fold")
            ]
            for _, s in rows.groupby("dataset")
        ]
        means = np.mean([np.mean(each, axis=0) for each in by_fold], axis=0)
        found = [verdict.comparison.means_of(measure)[name] for measure in ("accuracy", "kappa")]
        assert found == pytest.approx(list(means))
    with pytest.raises(InputError, match="3 classes, and none") as error:
        bk.judge(table, on="tpr,fpr")
    assert error.value.where.endswith("data set three0")
    assert "--dataset three0" in error.value.fix
    assert "--on accuracy,kappa" in error.value.fix


def test_the_error_of_one_class_of_three_is_said_to_be_of_all_classes():
    table = pd.concat([items_of_datasets(3), *(items_of(f"e{i}", classes=("n", "x", "y"), seed=i) for i in range(3))])
    assert bk.judge(table.reset_index(drop=True), on="tpr,fpr", positive="y").evidence.error_of == "of all classes"


def test_a_data_set_may_be_one_test_set():
    table = items_of_datasets().drop(columns="fold")
    verdict = bk.judge(table, on="tpr,fpr")
    assert verdict.comparison.sample.units == 7
    yes = table[table.truth == "y"]
    hits = (yes.prediction == "y").groupby([yes.learner, yes.dataset]).mean().groupby("learner").mean()
    assert verdict.comparison.means_of("tpr") == pytest.approx(dict(hits))
    some = items_of_datasets()
    some.loc[some.dataset == "d1", "fold"] = 0
    assert bk.judge(some, on="tpr,fpr").comparison.sample.units == 7


def test_curves_over_replications_of_several_data_sets_are_not_pooled():
    table = items_of_datasets().drop(columns=["fold", "prediction"]).assign(replication=0)
    table["probability"] = np.random.default_rng(0).random(len(table))
    with pytest.raises(InputError, match="items of 7 data sets, d0, d1 and d2 …, and ROC curves are of one"):
        bk.judge(table, on="roc")
    with pytest.raises(InputError, match="items of 7 data sets, d0, d1 and d2 …, and ROC curves are of one"):
        bk.judge(bk.read(table), on="roc")


def test_wide_probabilities_may_have_columns_for_the_classes_of_each_data_set(tmp_path):
    rng, parts = np.random.default_rng(0), []
    for d, (no, yes) in enumerate([("n", "y"), ("a", "b"), ("0", "1"), ("f", "m")]):
        truth = np.tile([no, yes], 30)
        part = pd.DataFrame({"dataset": f"d{d}", "item": range(60), "fold": np.arange(60) // 12, "truth": truth})
        for name, spread in (("lda", 0.1), ("nb", 0.3)):
            chance = np.clip((truth == yes) * 0.4 + 0.3 + rng.normal(0, spread, 60), 0, 1).round(3)
            part[f"{name}:{no}"], part[f"{name}:{yes}"] = (1 - chance).round(3), chance
        parts.append(part)
    table = pd.concat(parts, ignore_index=True)
    table.to_csv(tmp_path / "wide.csv", index=False)
    for source in (tmp_path / "wide.csv", table):
        verdict = bk.judge(source, on="tpr@0.4,fpr@0.4")
        hits = [((part[f"lda:{part.truth[1]}"] >= 0.4)[part.truth == part.truth[1]]).mean() for part in parts]
        assert verdict.comparison.means_of("tpr@0.4")["lda"] == pytest.approx(np.mean(hits))
        assert verdict.evidence.positive is None
        assert {"d0: the positive class is y", "d3: the positive class is m"} <= set(verdict.provenance.notes)
        assert bk.judge(bk.read(source, on="roc", dataset="d1")).evidence.positive == "b"
    assert bk.judge(bk.read(table, dataset="d2")).order


def test_learners_are_chosen_though_a_data_set_lacks_one():
    table = items_of_datasets()
    gone = table[(table.learner != "b") | (table.dataset != "d2")]
    verdict = bk.judge(bk.read(gone, on="tpr,fpr", learners=["a", "b"]), missing="drop-datasets")
    assert set(verdict.order) == {"a", "b"}
    assert verdict.comparison.sample.units == 6
    with pytest.raises(InputError, match="unknown learner 'bb'"):
        bk.read(gone, on="tpr,fpr", learners=["a", "bb"])


def test_missing_items_are_named_and_left_out():
    table = items_of_datasets()
    table.loc[5, "prediction"] = None
    with pytest.raises(InputError, match=r"1 result.*missing.*item 5") as error:
        bk.judge(table, on="tpr,fpr")
    assert "data set d0" in error.value.where
    dropped = bk.judge(table, on="tpr,fpr", missing="drop-items")
    assert dropped.comparison.sample.units == 7
    (item,) = dropped.comparison.left_out.items
    assert "5" in item
    assert "d0" in item
    expected = bk.judge(table[(table.dataset != "d0") | (table.item != 5)].reset_index(drop=True), on="tpr,fpr")
    assert dropped.comparison.means == expected.comparison.means
    assert bk.judge(table, on="tpr,fpr", missing="drop-datasets").comparison.sample.units == 6


def test_uneven_folds_and_notes_of_one_data_set():
    table = pd.concat([items_of_datasets(3), items_of("long", folds=6, seed=5)], ignore_index=True)
    found = bk.read(table, on="tpr,fpr")
    assert found.planned.sum(axis=(1, 2)).tolist() == [4, 4, 4, 6]
    assert not found.missing()
    table.loc[(table.dataset == "long") & (table.fold == 2), "prediction"] = "n"
    filled = bk.read(table, on="precision,recall", undefined=0)
    assert [note for note in filled.origin.notes if "0/0" in note] == [
        "long: precision is 0/0 in 3 results and counts as 0 there, as was said"
    ]


def test_costs_are_means_over_the_data_sets_that_know_them():
    table = items_of_datasets().assign(price=1.0)
    table.loc[table.learner == "a", "price"] = 3.0
    table.loc[(table.learner == "a") & (table.dataset == "d1"), "price"] = 6.0
    table.loc[table.dataset == "d0", "price"] = None
    found = bk.read(table, on="tpr,fpr").costs["price"]
    assert found == {"a": 3.5, "b": 1.0, "c": 1.0}
    assert bk.judge(table, on="tpr,fpr", prior="price").prior[-1] == "a"


def test_a_learner_without_results_on_a_data_set_is_missing_there():
    table = wide()
    table.loc[table.dataset == "d2", "c"] = None
    with pytest.raises(InputError, match="missing: learner c"):
        bk.judge(bk.read(table, dataset="d2"))
    for options in ({}, {"learners": ["a", "b", "c"]}):
        with pytest.raises(InputError, match="missing"):
            bk.judge(bk.read(table, on="tpr,fpr", **options))
        verdict = bk.judge(bk.read(table, on="tpr,fpr", **options), missing="drop-datasets")
        assert verdict.comparison.sample.units == 6
        assert set(verdict.order) == {"a", "b", "c"}


@pytest.mark.parametrize("column", ["truth", "prediction", "fold"])
def test_a_column_that_is_empty_on_one_data_set_is_not_passed_over(column):
    table = items_of_datasets().astype({"fold": object})
    table.loc[table.dataset == "d2", column] = None
    with pytest.raises(InputError) as error:
        bk.judge(table, on="tpr,fpr")
    words = {"truth": "the truth is empty", "prediction": "missing", "fold": "fold"}
    assert words[column] in error.value.wrong
    assert "d2" in error.value.where
    if column == "prediction":
        assert bk.judge(table, on="tpr,fpr", missing="drop-datasets").comparison.sample.units == 6


def test_every_class_is_kept_where_items_are_left_out():
    table = items_of_datasets(8)
    table.loc[5, "prediction"] = None
    verdict = bk.judge(table, on="precision,recall", positive="each", missing="drop-items")
    assert [each.evidence.positive for each in verdict.by_class] == ["n", "y"]
    assert all(each.comparison.sample.units == 8 for each in verdict.by_class)
    one = table[table.dataset == "d0"].reset_index(drop=True)
    assert len(bk.judge(one, on="precision,recall", positive="each", missing="drop-items").by_class) == 2


def test_what_is_filled_follows_the_items_that_are_left():
    frame = items_of("d", learners=("a", "b")).drop(columns="dataset")
    frame.loc[(frame.learner == "a") & (frame.fold == 0), "prediction"] = "n"
    frame.loc[(frame.learner == "a") & (frame.item == 3), "prediction"] = "y"
    frame.loc[(frame.learner == "b") & (frame.item == 3), "prediction"] = None
    found = bk.judge(frame, on="precision,recall", undefined=0, missing="drop-items")
    assert dict(found.evidence.filled) == {"precision": 0.0}


def test_one_learner_on_a_data_set_is_said():
    table = items_of_datasets()
    with pytest.raises(InputError, match="results of one learner") as error:
        bk.judge(table[(table.learner == "a") | (table.dataset != "d2")].reset_index(drop=True), on="tpr,fpr")
    assert error.value.where.endswith("data set d2")


def test_classes_may_be_called_like_endings_of_measures():
    table = items_of("d", classes=("sd", "macro", "ur"), learners=("a", "b")).drop(columns="dataset")
    verdict = bk.judge(table, on="recalls")
    assert [each.larger_is_better for each in verdict.comparison.measures] == [True] * 3
    assert bk.judge(table, on="tpr,precision", positive="each").by_class[1].evidence.positive == "sd"


def assert_same_verdict(one, two, names=None):
    assert one.order == two.order
    assert one.comparison.kind == two.comparison.kind == "datasets"
    for first, second in zip(pairs_of(one), pairs_of(two), strict=True):
        assert (first.first, first.second) == (second.first, second.second)
        assert first.pvalue == second.pvalue
        assert [t.pvalue for t in first.parts] == [t.pvalue for t in second.parts]
        assert first.vector.error.pvalue == second.vector.error.pvalue
        assert [t.first_mean for t in first.parts] == pytest.approx([t.first_mean for t in second.parts], rel=1e-12)


def test_items_of_many_data_sets_are_judged_as_their_counts(tmp_path):
    table = many_datasets_frame()
    table.sort_values(["item", "learner"]).to_csv(tmp_path / "items.csv", index=False)
    expected = bk.judge(as_counts(table), on="tpr,fpr")
    assert expected.comparison.sample.units == 7
    for source in (table, tmp_path / "items.csv"):
        assert_same_verdict(bk.judge(source, on="tpr,fpr"), expected)
    low = bk.judge(table, on="tpr@0.3,fpr@0.3")
    assert_same_verdict(low, bk.judge(as_counts(table, 0.3), on="tpr,fpr"))
    one = bk.judge(table, on="tpr,fpr", positive="no")
    assert one.evidence.positive == "no"
    assert one.comparison.means_of("fpr")["a"] == pytest.approx(1 - expected.comparison.means_of("tpr")["a"])


def test_one_table_wide_with_many_data_sets():
    table = many_datasets_frame()
    wide = table.pivot(index=["dataset", "fold", "item", "truth"], columns="learner", values="probability")
    said = (wide > 0.5).map(lambda yes: "yes" if yes else "no").reset_index()
    assert_same_verdict(bk.judge(said, on="tpr,fpr"), bk.judge(as_counts(table), on="tpr,fpr"))


def test_data_sets_may_have_classes_of_their_own():
    table = many_datasets_frame()
    own = table.assign(truth=table.truth + "_" + table.dataset.where(table.dataset != "set1", "same"))
    verdict = bk.judge(own, on="tpr,fpr")
    assert_same_verdict(verdict, bk.judge(table, on="tpr,fpr"))
    assert verdict.evidence.positive is None
    with pytest.raises(InputError, match="sets have different classes"):
        bk.judge(own, on="recalls")
    with pytest.raises(InputError, match="unknown class 'yes'") as error:
        bk.judge(own, on="tpr,fpr", positive="yes")
    assert error.value.where.endswith("data set set0")


def test_what_is_missing_of_a_data_set_is_named():
    table = many_datasets_frame()
    gone = table[(table.learner != "b") | (table.dataset != "set2")]
    with pytest.raises(InputError, match="missing") as error:
        bk.judge(gone, on="tpr,fpr")
    assert "set set2, fold 0" in str(error.value)
    assert bk.judge(gone, on="tpr,fpr", missing="drop-datasets").comparison.sample.units == 6
    assert bk.judge(gone, on="tpr,fpr", missing="drop-learners").order == ("a", "c")


def test_curves_of_many_data_sets_and_items_read_together_are_refused():
    table = many_datasets_frame()
    with pytest.raises(
        InputError, match="items of 7 data sets, set0, set1 and set2 …, and ROC curves are of one"
    ) as error:
        bk.judge(table, on="roc")
    assert "--dataset set0" in error.value.fix
    items = bk.read(table)
    with pytest.raises(InputError, match="these items of 7") as error:
        bk.judge(items, on="tpr,fpr")
    assert "bk.read(source, on=" in error.value.fix
    assert bk.judge(bk.read(table, on="tpr,fpr")).comparison.sample.units == 7
    assert bk.judge(bk.read(table, on="tpr,fpr", dataset="set3")).comparison.kind == "folds"


def test_random_splits_of_several_data_sets_are_not_pooled():
    rounds = [many_datasets_frame().drop(columns="fold").assign(replication=r) for r in range(3)]
    table = pd.concat(rounds, ignore_index=True)
    with pytest.raises(InputError, match=r"7 data.*set0, set1.*set2 …") as error:
        bk.judge(bk.read(table, test_fraction=0.3))
    assert "--dataset set0" in error.value.fix
    assert bk.judge(bk.read(table, test_fraction=0.3, dataset="set0")).order
    assert bk.judge(bk.read(table, test_fraction=0.3, on="tpr,fpr")).comparison.sample.units == 7
    assert bk.judge(bk.read(table)).comparison.kind == "items"  # without a share of test data they are seeds
