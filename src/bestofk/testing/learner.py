"""What every learner must do."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding import encoded
from bestofk.design.learners import with_seed
from bestofk.design.learners.learner import Learner


def check_learner(learner: Learner, *, seed: int = 0) -> None:
    """Assert the invariants of a learner: plain settings, fresh estimators, the same predictions for the same seed."""
    assert learner.name and json.loads(json.dumps(learner.settings)) == learner.settings, "settings are plain JSON"
    assert learner.make() is not learner.make(), "a fresh estimator each time"
    sent = pickle.loads(pickle.dumps(learner))
    assert sent.fingerprint == learner.fingerprint, "workers get the same learner"
    dataset = _example(seed, regression=_regresses(learner), nominal=not learner.encoding.none)
    first = _predicted(learner, dataset, seed)
    assert first.shape == (dataset.rows // 2,), "one prediction per row"
    assert np.array_equal(first, _predicted(sent, dataset, seed)), "the same seed gives the same predictions"
    if dataset.classes:
        assert np.isin(first, np.arange(len(dataset.classes))).all(), "predictions are labels that were trained on"
    else:
        assert np.isfinite(first).all(), "predictions are finite numbers"


def _regresses(learner: Learner) -> bool:
    from sklearn.base import is_regressor

    return bool(is_regressor(learner.make()))


def _example(seed: int, *, regression: bool, nominal: bool) -> Dataset:
    """Two numbers, and a nominal column where it is encoded."""
    rng = np.random.default_rng(seed)
    rows = 160
    y = (np.arange(rows) % 2).astype(np.float64)
    first, second = y + rng.normal(size=rows), rng.normal(size=rows)
    colours = rng.integers(3, size=rows).astype(float)
    features: tuple[Feature, ...] = (
        Feature("a", first),
        Feature("b", second),
        Feature("colour", colours, ("blue", "green", "red")),
    )
    if not nominal:
        features = features[:2]
    amounts: Array = first * 2.0 + y
    return Dataset("example", features, amounts if regression else y, () if regression else ("no", "yes"))


def _predicted(learner: Learner, dataset: Dataset, seed: int) -> Any:
    rows = np.arange(dataset.rows)
    train, test = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    X, held_out = encoded(dataset, learner.encoding, train, test)
    y = dataset.y.astype(np.int64) if dataset.classes else dataset.y
    return np.asarray(with_seed(learner.make(), seed).fit(X, y[train]).predict(held_out))
