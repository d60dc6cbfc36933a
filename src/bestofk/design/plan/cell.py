"""One cell of an experiment: a data set, a learner and some replications, and what came out of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen


def kept_in_cells(measures: Iterable[str], keep_predictions: bool) -> str:
    """What cells of a plan keep beside the counts, in words: cells that keep other things are other cells.

    Examples
    --------
    >>> kept_in_cells(["log_loss", "auc"], keep_predictions=True)
    'auc,log_loss,predictions'
    """
    return ",".join([*sorted(measures), *(["predictions"] if keep_predictions else [])])


@dataclass(frozen=True, order=True)
class CellKey:
    """What a cell is, by fingerprints: a changed data set, learner, way of dividing or seed is another cell.

    ``folds`` is the spec of the folds, ``measures`` what is kept beside the counts (``kept_in_cells``).
    """

    dataset: str
    dataset_fingerprint: str
    learner: str
    learner_fingerprint: str
    folds: str
    seed: int
    start: int
    stop: int
    measures: str = ""

    @property
    def series(self) -> str:
        """128 bits in hexadecimal for everything but the replications: cells of one series add up."""
        parts = (
            *(self.dataset, self.dataset_fingerprint, self.learner, self.learner_fingerprint),
            *(self.folds, self.seed, self.measures),
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]

    @property
    def id(self) -> str:
        """The series and its replications: two cells with the same id are the same work."""
        return f"{self.series}:{self.start}:{self.stop}"


@frozen(eq=False)
class CellResult:
    """Results of all folds of a cell; the first two axes are replications and folds.

    ``confusion`` (R, F, C, C) counts truth × prediction for classification, None for regression. ``scores`` has further
    measures by name, each (R, F), NaN where the fold failed. ``failures`` (R, F) holds the last lines of an exception,
    empty where all went well. ``fingerprints`` (R, F) are those of the folds. ``predictions``, ``probabilities`` and
    ``truths``, the classes (or numbers) of the test rows themselves, are kept per fold (r, f) only where the plan asks
    for predictions; cells of older versions have no truths.
    """

    key: CellKey
    classes: tuple[str, ...]
    confusion: npt.NDArray[np.uint32] | None
    fit_seconds: Array
    predict_seconds: Array
    size: Array
    fingerprints: npt.NDArray[np.int64]
    failures: tuple[tuple[str, ...], ...]
    scores: dict[str, Array] = field(default_factory=dict)
    test_sizes: npt.NDArray[np.int64] | None = None
    train_sizes: npt.NDArray[np.int64] | None = None
    predictions: dict[tuple[int, int], npt.NDArray[np.generic]] | None = None
    probabilities: dict[tuple[int, int], Array] | None = None
    truths: dict[tuple[int, int], npt.NDArray[np.generic]] | None = None

    @cached_property
    def failed_folds(self) -> npt.NDArray[np.bool_]:
        """Which folds failed, (R, F)."""
        return np.array(self.failures, dtype=object).astype(bool)

    @property
    def failed(self) -> int:
        """Number of folds that failed."""
        return int(self.failed_folds.sum())
