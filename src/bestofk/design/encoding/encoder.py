"""Features as the learner wants them, learnt on the training rows alone: of one fold, or of many in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding.matrices import Matrices, matrices_of, raw_rows
from bestofk.design.folds.base import Fold, Rows
from bestofk.design.learners.learner import Encoding

Columns = npt.NDArray[np.intp]


@frozen(eq=False)
class Encoder:
    """What was learnt from the training rows; ``transform`` applies it to any rows of the same data set.

    Columns keep the order of the data set; a nominal one becomes as many as it has categories in the training rows.
    A category that was not seen there gives zeros only, and so does a missing one where nothing is filled in.
    """

    dataset: Dataset
    encoding: Encoding
    fills: Array
    modes: Columns
    column_of: Columns
    places: Columns
    width: int
    mean: Array | None = None
    scale: Array | None = None

    @classmethod
    def fit(cls, dataset: Dataset, rows: Rows, encoding: Encoding) -> Encoder:
        """Learn medians, most frequent categories, categories seen, means and deviations from the training rows."""
        return cls.fit_transform(dataset, rows, encoding)[0]

    @classmethod
    def fit_transform(cls, dataset: Dataset, rows: Rows, encoding: Encoding) -> tuple[Encoder, Any]:
        """Learn from the training rows and return them encoded as well, which is one pass less."""
        plain = cls._unscaled(dataset, rows, encoding)
        matrix = plain.transform(rows)
        if encoding.none or not encoding.scale:
            return plain, matrix
        mean, scale = _standardise(matrix)
        return replace(plain, mean=mean, scale=scale), matrix

    def transform(self, rows: Rows) -> Any:
        """Return the rows encoded: a matrix of floats, or the raw rows where the learner asks for them."""
        if self.encoding.none:
            return raw_rows(self.dataset, rows)
        matrix = self._encoded(matrices_of(self.dataset), rows)
        if self.mean is not None and self.scale is not None:
            matrix -= self.mean
            matrix /= self.scale
        return matrix

    @classmethod
    def _unscaled(cls, dataset: Dataset, rows: Rows, encoding: Encoding) -> Encoder:
        if encoding.none:
            return cls(dataset, encoding, _NOTHING, _NO_COLUMNS, _NO_COLUMNS, _NO_COLUMNS, 0)
        data = matrices_of(dataset)
        fills = data.medians(rows) if encoding.impute and data.gaps else _NOTHING
        if not data.nominal:
            return cls(dataset, encoding, fills, _NO_COLUMNS, _NO_COLUMNS, _NO_COLUMNS, data.numbers.shape[1])
        counts = data.counts(rows)
        return cls(dataset, encoding, fills, data.modes(counts), *_layout(data, counts > 0, encoding))

    def _encoded(self, data: Matrices, rows: Rows) -> Array:
        numbers = data.numbers[rows]
        if self.encoding.impute and data.gaps:
            numbers = np.where(np.isnan(numbers), self.fills, numbers)
        if not data.nominal:
            return numbers
        encoded = np.zeros((len(rows), self.width))
        encoded[:, self.places[~data.is_nominal]] = numbers
        codes = data.codes[rows]
        if self.encoding.impute:
            codes = np.where(codes < 0, self.modes, codes)
        if self.encoding.one_of_n:
            return _with_ones(encoded, self.column_of[codes + data.offsets], codes >= 0)
        encoded[:, self.places[data.is_nominal]] = np.where(codes < 0, np.nan, codes)
        return encoded


def encoded(dataset: Dataset, encoding: Encoding, train: Rows, test: Rows) -> tuple[Any, Any]:
    """Return training and test rows as the learner wants them, by what the training rows teach."""
    encoder, matrix = Encoder.fit_transform(dataset, train, encoding)
    return matrix, encoder.transform(test)


def _standardise(matrix: Array) -> tuple[Array, Array]:
    """Scale training rows in place; returns mean and scale."""
    if not len(matrix) or np.isnan(matrix).any():  # gaps that the learner takes as they are
        mean, deviation = _of_the_known(matrix)
        scale = unless_constant(deviation, mean)
        matrix -= mean
        matrix /= scale
        return mean, scale
    means, scales = standardise(matrix, np.array([len(matrix)]))
    return means[0], scales[0]


def _of_the_known(matrix: Array) -> tuple[Array, Array]:
    """Mean and deviation of what is there; of a column without anything, 0."""
    there = np.where(np.isnan(matrix).all(axis=0), 0.0, matrix)
    return np.nanmean(there, axis=0), np.nanstd(there, axis=0)


def _layout(data: Matrices, seen: npt.NDArray[np.bool_], encoding: Encoding) -> tuple[Columns, Columns, int]:
    """Where each category and each feature begins in the encoded matrix; -1 for a category that was not seen."""
    widths = np.ones(len(data.is_nominal), dtype=np.intp)
    if encoding.one_of_n:
        widths[data.is_nominal] = np.add.reduceat(seen, data.offsets)
    places = np.cumsum(widths) - widths
    before: Columns = np.cumsum(seen) - seen
    column_of = before + np.repeat(places[data.is_nominal] - before[data.offsets], data.sizes)
    return np.where(seen, column_of, -1), places, int(widths.sum())


def _with_ones(encoded: Array, columns: Columns, known: npt.NDArray[np.bool_]) -> Array:
    row, feature = np.nonzero(known & (columns >= 0))
    encoded[row, columns[row, feature]] = 1.0
    return encoded


_NOTHING = np.zeros(0)
_NO_COLUMNS = np.zeros(0, dtype=np.intp)


#: Deviations up to this share of the mean are rounding.
ROUNDING = 10 * float(np.finfo(np.float64).eps)

Lengths = npt.NDArray[np.int_]


def standardise(matrix: Array, train: Lengths, test: Lengths | None = None) -> tuple[Array, Array]:
    """Scale rows in place: stretches of training rows, each with the test rows behind it that go the same way.

    Returns mean and scale of every stretch. The sums of one stretch do not depend on the others: the last bit is the
    same however many folds are scaled together.
    """
    both = train if test is None else train + test
    starts = np.cumsum(both) - both
    cuts = starts if test is None else np.column_stack([starts, starts + train]).ravel()
    every = 1 if test is None else 2
    mean = np.add.reduceat(matrix, cuts, axis=0)[::every] / train[:, None]
    matrix -= np.repeat(mean, both, axis=0)
    squares = np.add.reduceat(matrix * matrix, cuts, axis=0)[::every]
    scale = unless_constant(np.sqrt(squares / train[:, None]), mean)
    matrix /= np.repeat(scale, both, axis=0)
    return mean, scale


def unless_constant(deviation: Array, mean: Array) -> Array:
    """Return the deviation, or 1 for a constant column: rounding must not blow it up, it stays as it is, at 0."""
    return np.where(deviation <= ROUNDING * np.abs(mean), 1.0, deviation)


def encoded_folds(dataset: Dataset, encoding: Encoding, folds: Sequence[Fold]) -> list[tuple[Any, Any]]:
    """Return training and test rows of every fold, bit for bit what ``encoded`` gives for each alone."""
    if encoding.none or not _all_known_numbers(dataset) or not all(len(f.train) and len(f.test) for f in folds):
        return [encoded(dataset, encoding, fold.train, fold.test) for fold in folds]
    rows = np.concatenate([rows for fold in folds for rows in (fold.train, fold.test)])
    matrix = matrices_of(dataset).numbers.take(rows, axis=0)
    train, test = (np.array([len(getattr(fold, side)) for fold in folds]) for side in ("train", "test"))
    if encoding.scale:
        standardise(matrix, train, test)
    ends = np.cumsum(np.column_stack([train, test]).ravel())
    parts = _views(matrix, ends.tolist())
    return list(zip(parts[::2], parts[1::2], strict=True))


def _all_known_numbers(dataset: Dataset) -> bool:
    data = matrices_of(dataset)
    return not data.nominal and not data.gaps


def _views(matrix: Any, ends: list[int]) -> list[Any]:
    return [matrix[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
