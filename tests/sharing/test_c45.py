"""C4.5 over many folds at once: the predictions of each fold by itself, for all settings, kinds of fold and columns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bestofk.core.compiled import CHOICE
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.index import Index
from bestofk.design.encoding import encoded
from bestofk.design.folds.base import Fold
from bestofk.design.folds.resampling import RepeatedFolds
from bestofk.design.learners import learner_of
from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.sharing import way_for
from bestofk.sharing.plain_fold import Estimators
from bestofk.sharing.shelf import SHARING
from bestofk.testing.design import check_sharing, example_datasets, example_folds
from makers import slow

pytest.importorskip("numba")

from bestofk.sharing.c45 import AT_ONCE, share

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDER = Path(os.environ.get("BESTOFK_DATA") or BESIDE)
real_data = pytest.mark.skipif(
    not (FOLDER / "index.json").exists(), reason=f"no data in {FOLDER}: set BESTOFK_DATA to the folder with index.json"
)
#: Quick ones with all that makes folds differ: gaps, rare levels, two and many classes, coded and continuous columns.
QUICK = ("flare", "glass", "hepatitis", "horse", "monks1", "vote", "yeast", "zoo")
SETTINGS: tuple[dict[str, Any], ...] = (
    {"criterion": "gain"},
    {"pruning": "none"},
    {"pruning": "none", "collapse": False, "penalty": False},
    {"subtree_raising": False},
    {"confidence": 0.05},
    {"confidence": 0.5, "min_instances": 1},
    {"min_instances": 5},
)


def fold_by_fold(learner: Learner, dataset: Dataset, fold: Fold) -> Any:
    """As a plan without sharing does it: the data set tells the tree which columns are nominal."""
    train, test = encoded(dataset, learner.encoding, fold.train, fold.test)
    tree = Estimators(learner, dataset).fresh(0)
    return tree.fit(train, dataset.y[fold.train].astype(int)).predict(test)


def compare(learner: Learner, dataset: Dataset, folds: list[Fold]) -> None:
    way = way_for(learner, dataset, [share])
    assert way is not None
    together = way.predict(folds)
    for number, (fold, answer) in enumerate(zip(folds, together, strict=True)):
        expected = fold_by_fold(learner, dataset, fold)
        np.testing.assert_array_equal(answer, expected, err_msg=f"{dataset.name}, fold {number}")
    assert way.plain_folds == way.ties == 0


def mixed_table(seed: int, rows: int = 160) -> Dataset:
    """Numbers with few and many values, thin ones, levels of which some are rare, gaps, three classes."""
    rng = np.random.default_rng(seed)
    fine, coarse = rng.normal(size=rows), rng.integers(0, 12, rows) / 4
    thin = np.where(rng.random(rows) < 0.8, 0.0, rng.integers(1, 9, rows))
    level = np.where(np.arange(rows) < 3, 5.0, rng.integers(0, 5, rows))
    near = np.round(fine, 1) + rng.integers(0, 3, rows) * 4e-6  # values closer than the margins
    y = ((fine > 0.2).astype(float) + (level == 2) + (thin > 4)).clip(max=2)
    y = np.where(rng.random(rows) < 0.1, rng.integers(0, 3, rows), y)
    columns = {"fine": fine, "coarse": coarse, "thin": thin, "near": near, "level": level}
    for name in ("coarse", "thin", "level") if seed % 2 else ():
        columns[name] = np.where(rng.random(rows) < 0.15, np.nan, columns[name])
    features = [Feature(name, values, tuple("pqrstu") if name == "level" else ()) for name, values in columns.items()]
    return Dataset(f"table {seed}", tuple(features), y, ("u", "v", "w"))


def test_it_passes_the_check_of_sharings() -> None:
    check_sharing(share, learner_of("c45"), datasets=example_datasets())


@pytest.mark.parametrize("dataset", example_datasets(), ids=lambda each: each.name)
def test_the_data_set_tells_which_columns_are_nominal(dataset: Dataset) -> None:
    compare(learner_of("c45"), dataset, example_folds(dataset))


@pytest.mark.parametrize("seed", [0, 1, *slow(2, 3, 4, 5)])
@pytest.mark.parametrize("params", SETTINGS, ids=str)
def test_settings(params: dict[str, Any], seed: int) -> None:
    dataset = mixed_table(seed)
    compare(learner_of("c45", params=params), dataset, example_folds(dataset, seed))


def test_columns_with_many_values_are_kept_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    from bestofk.c45.compiled import table as coded_table

    monkeypatch.setattr(coded_table, "FEW", 8)
    for seed in range(2):
        dataset = mixed_table(seed)
        way = way_for(learner_of("c45"), dataset, [share])
        assert way is not None
        assert len(way._table.shared.kept) >= 2  # type: ignore[attr-defined]
        compare(learner_of("c45"), dataset, example_folds(dataset, seed))


@pytest.mark.parametrize(("classes", "few"), [(2, 8), (3, 512), *slow((2, 512), (3, 8))])
def test_the_trees_of_numpy_alone(classes: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that are kept in order have loops of their own."""
    from bestofk.c45.compiled import table as coded_table

    monkeypatch.setattr(coded_table, "FEW", few)
    for seed in range(2):
        table = mixed_table(seed)
        dataset = Dataset(table.name, table.features, table.y.clip(max=classes - 1), table.classes[:classes])
        folds = example_folds(dataset, seed)
        monkeypatch.delenv(CHOICE, raising=False)
        way = way_for(learner_of("c45"), dataset, [share])
        assert way is not None
        together = way.predict(folds)
        monkeypatch.setenv(CHOICE, "numpy")
        for fold, answer in zip(folds, together, strict=True):
            np.testing.assert_array_equal(answer, fold_by_fold(learner_of("c45"), dataset, fold))


def test_too_little_room_is_made_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    from bestofk.c45.compiled import folds as many_folds

    dataset, made, new_store = mixed_table(1), [], many_folds.new_store

    def smaller(training: Any, order: Any, keep: bool, times: int) -> Any:
        made.append(times)
        store = new_store(training, order, keep, times)
        few = store.nodes._replace(leaf=store.nodes.leaf[:9]) if times == 1 else store.nodes
        return store._replace(nodes=few)

    monkeypatch.setattr(many_folds, "new_store", smaller)
    compare(learner_of("c45"), dataset, example_folds(dataset))
    assert made == [1, 2]


def test_more_folds_than_go_at_once() -> None:
    dataset = mixed_table(2, rows=60)
    folds = [fold for each in range(AT_ONCE) for fold in RepeatedFolds(AT_ONCE, 2).split(dataset, each, 1)]
    way = way_for(learner_of("c45"), dataset, [share])
    assert way is not None
    found = way.predict(folds)
    for number in (0, AT_ONCE - 1, AT_ONCE, 2 * AT_ONCE - 1):
        np.testing.assert_array_equal(found[number], fold_by_fold(learner_of("c45"), dataset, folds[number]))


def test_the_estimator_itself_on_a_matrix() -> None:
    from bestofk.c45 import C45Classifier

    first = example_datasets()[0]
    raw = np.column_stack([feature.values for feature in first.features])
    dataset = Dataset("matrix", first.features, first.y, first.classes, raw=raw)
    learner = learner_of_estimator(C45Classifier(confidence=0.4), encoding=Encoding(none=True))
    check_sharing(share, learner, datasets=[dataset])


def test_what_is_not_shared_runs_the_plain_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    from bestofk.c45 import C45Classifier

    class Mine(C45Classifier):  # type: ignore[misc]
        """Might do anything."""

    dataset = example_datasets()[0]
    held_out = learner_of("c45", params={"pruning": "reduced-error"})
    mine = Learner("mine", Mine, {}, held_out.encoding)
    estimators = (DecisionTreeClassifier(), make_pipeline(StandardScaler(), C45Classifier()))
    for learner in (held_out, mine, *(learner_of_estimator(each) for each in estimators)):
        assert way_for(learner, dataset, [share]) is None
    gaps = example_datasets()[2]
    assert way_for(learner_of_estimator(C45Classifier(), encoding=Encoding()), gaps, [share]) is None
    monkeypatch.setenv(CHOICE, "numpy")
    assert way_for(learner_of("c45"), dataset, [share]) is None


def test_a_fold_without_rows_is_refused_as_by_the_tree() -> None:
    dataset, rows = example_datasets()[0], np.arange(90)
    way = way_for(learner_of("c45"), dataset, [share])
    assert way is not None
    for fold in (Fold(rows[:0], rows), Fold(rows, rows[:0])):
        with pytest.raises(ValueError, match=r"0 sample"):
            fold_by_fold(learner_of("c45"), dataset, fold)
        with pytest.raises(ValueError, match="a fold has"):
            way.predict([fold])


def test_it_is_registered() -> None:
    assert SHARING["c45"] is share


@real_data
@pytest.mark.parametrize("name", QUICK)
def test_quick_data_sets(name: str) -> None:
    dataset = Index.open(FOLDER).dataset(name)
    compare(learner_of("c45"), dataset, [f for each in range(3) for f in RepeatedFolds(3, 2).split(dataset, each, 7)])


def _others() -> list[str]:
    return [name for name in Index.open(FOLDER).names if name not in QUICK] if (FOLDER / "index.json").exists() else []


@real_data
@pytest.mark.slow
@pytest.mark.every_set
@pytest.mark.parametrize("name", _others())
def test_every_other_data_set(name: str) -> None:
    dataset = Index.open(FOLDER).dataset(name)
    count = 5 if dataset.rows <= 3000 else 1
    halves = RepeatedFolds(count, 2)
    compare(learner_of("c45"), dataset, [f for each in range(count) for f in halves.split(dataset, each, 7)])
