"""C4.5: columns are coded and sorted once, and every fold's tree is grown from its rows of the shared order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import BestOfKError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding import Encoder
from bestofk.design.folds.base import Fold
from bestofk.sharing.case import Case
from bestofk.sharing.plain_fold import Estimators
from bestofk.sharing.way import FoldByFold, Predictions

#: Folds that are handed to the compiled loops at once: their rows lie in one array.
AT_ONCE = 64


def share(case: Case) -> SharedTrees | None:
    """Recognise ``C45Classifier`` with numba, unless it holds rows out, on columns that no fold prepares."""
    if not case.is_ours("C45Classifier") or not compiled_wanted():
        return None
    if case.estimator.pruning == "reduced-error" or case.preparation.scaled_numbers:
        return None
    columns = _columns(case)
    if columns is None or np.isinf(columns).any():
        return None
    try:
        return SharedTrees(case, columns)
    except BestOfKError:  # wrong settings: each fold meets them by itself
        return None


class SharedTrees(FoldByFold):
    """The trees of ``C45Classifier`` itself: the loops are the same, and so are the ties."""

    name = "columns sorted once"

    def __init__(self, case: Case, columns: Array) -> None:
        from bestofk.c45.columns import Opened, nominal_flags
        from bestofk.c45.rules import rules_of

        super().__init__(case.learner, case.dataset)
        self._estimators = Estimators(case.learner, case.dataset)
        tree = self._tree(case.estimator)
        self._rules = rules_of(tree)
        self._opened = Opened(columns.shape[0], columns.shape[1], matrix=columns)
        self._nominal = nominal_flags(tree.nominal_features, self._opened, None)

    @cached_property
    def _table(self) -> Any:
        """All columns coded and sorted, at the first fold."""
        from bestofk.c45.columns import Columns
        from bestofk.c45.compiled.folds import Table

        learnt = Columns.learnt(self._opened, self._nominal)
        return Table(learnt.features, learnt.cases(self._opened), self.y.astype(np.int32), self.classes, self._rules)

    def _tree(self, estimator: Any) -> Any:
        """The tree as a fold by itself would have it: told which columns are nominal."""
        fresh = self._estimators.fresh(0)
        return fresh if type(fresh) is type(estimator) else estimator

    def at_once(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Grow the trees of all folds and ask them."""
        _refuse_empty(folds)
        found: list[Predictions | None] = []
        for start in range(0, len(folds), AT_ONCE):
            some = folds[start : start + AT_ONCE]
            found += self._table.answers([fold.train for fold in some], [fold.test for fold in some])
        return found


def _refuse_empty(folds: Sequence[Fold]) -> None:
    """As scikit-learn's checks do for the tree by itself."""
    for fold in folds:
        if not len(fold.train) or not len(fold.test):
            raise ValueError(f"a fold has {len(fold.train)} rows to train and {len(fold.test)} to test on.")


def _columns(case: Case) -> Array | None:
    """Numbers and codes of all rows, NaN where missing; None where a fold would make something else of them."""
    dataset, encoding = case.dataset, case.learner.encoding
    if encoding.none:
        return _raw_numbers(dataset)
    nominal = any(feature.nominal for feature in dataset.features)
    gaps = any(np.isnan(feature.values).any() for feature in dataset.features)
    if (encoding.one_of_n and nominal) or (encoding.impute and gaps) or encoding.scale:
        return None
    rows = np.arange(dataset.rows)
    found: Array = Encoder.fit(dataset, rows, encoding).transform(rows)
    return found


def _raw_numbers(dataset: Dataset) -> Array | None:
    if dataset.raw is None:
        return None if any(feature.nominal for feature in dataset.features) else _side_by_side(dataset)
    plain = isinstance(dataset.raw, np.ndarray) and dataset.raw.ndim == 2 and dataset.raw.dtype.kind in "fiu"
    return np.array(dataset.raw, dtype=np.float64) if plain else None


def _side_by_side(dataset: Dataset) -> Array:
    return np.column_stack([feature.values for feature in dataset.features])
