"""Sharing on the real data sets: the same predictions as fold by fold, on every one of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bestofk.design.datasets.index import Index
from bestofk.design.folds.resampling import RepeatedFolds
from bestofk.design.learners import learner_of
from bestofk.sharing import way_for
from bestofk.sharing.shelf import SHARING
from bestofk.sharing.way import plain_predictions

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDER = Path(os.environ.get("BESTOFK_DATA") or BESIDE)
#: Quick ones with all that makes folds differ: gaps, rare categories, equal rows, rare classes, many ties.
QUICK = ("balance", "flare", "glass", "hepatitis", "horse", "monks1", "parkinsons", "spect", "titanic", "vote", "zoo")
SHARING_OF = {
    "max": "most-frequent",
    "nmc": "nearest-mean",
    "naive-bayes": "naive-bayes",
    "lda": "linear-discriminant",
    "qda": "quadratic-discriminant",
    "nn": "nearest-neighbours",
    "knn": "nearest-neighbours",
    "lgc": "logistic",
}

pytestmark = pytest.mark.skipif(
    not (FOLDER / "index.json").exists(), reason=f"no data in {FOLDER}: set BESTOFK_DATA to the folder with index.json"
)


def _names() -> list[str]:
    index = Index.open(FOLDER) if (FOLDER / "index.json").exists() else None
    return [] if index is None else [name for name in index.names if name not in QUICK]


def _compare(name: str, learner_name: str, replications: int) -> None:
    dataset = Index.open(FOLDER).dataset(name)
    learner = learner_of(learner_name)
    share = SHARING[SHARING_OF[learner_name]]
    way = way_for(learner, dataset, [share])
    if way is None:
        return
    halves = RepeatedFolds(replications, 2)
    for fold in (fold for each in range(replications) for fold in halves.split(dataset, each, 7)):
        try:
            plain = plain_predictions(learner, dataset, fold)
        except Exception as error:
            with pytest.raises(type(error)):
                way.predict([fold])
            continue
        assert (way.predict([fold])[0] == plain).all(), f"{name}, {learner_name}"


@pytest.mark.parametrize("learner_name", SHARING_OF)
def test_quick_data_sets(learner_name: str) -> None:
    pytest.importorskip("numba")
    for name in QUICK:
        _compare(name, learner_name, 2)


@pytest.mark.slow
@pytest.mark.every_set
@pytest.mark.parametrize("name", _names())
def test_every_other_data_set(name: str) -> None:
    pytest.importorskip("numba")
    rows = Index.open(FOLDER).entry(name).rows
    for learner_name in SHARING_OF:
        _compare(name, learner_name, 5 if rows <= 3000 else 1)
