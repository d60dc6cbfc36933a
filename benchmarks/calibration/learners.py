"""Three small two-class learners, over batches of data sets and folds at once.

Each takes features (runs, rows, columns), truth (runs, rows) and the rows it may train on (runs, rows), and returns
a function that, given the rows tested in each fold (runs, folds, tested), trains on its other rows and returns the
margin of class 1 for the tested ones.

nearest mean  stable: a few rows more or less hardly change it
one column    unstable: the column whose class means are farthest apart, cut midway; close columns take turns
1-NN          unstable in another way: near neighbours err together, each on the other
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Margins = Callable[[np.ndarray], np.ndarray]
Learner = Callable[[np.ndarray, np.ndarray, np.ndarray], Margins]

#: So many nearest neighbours are kept; that a random half of the rows holds all of them has a chance of 2^−40.
NEIGHBOURS = 40

BLOCK = 50  # rows; data sets have a multiple of it


def tested_features(features: np.ndarray, tested: np.ndarray) -> np.ndarray:
    """(runs, folds, tested, columns)."""
    return features[np.arange(len(features))[:, None, None], tested]


def training_sums(
    values: np.ndarray, held_out: np.ndarray, member: np.ndarray, tested: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sum of the members' values in each fold's training rows, and their number: the whole less the tested.

    A class that is absent from the training rows counts as one row of zeros.
    """
    tested_member = np.take_along_axis(member[:, None, :], tested, axis=-1)
    whole = np.einsum("rn,rnc->rc", member, values)[:, None]
    count = member.sum(axis=-1)[:, None] - tested_member.sum(axis=-1)
    return whole - (tested_member[..., None, :] @ held_out)[..., 0, :], np.maximum(count, 1.0)[..., None]


def nearest_mean(features: np.ndarray, truth: np.ndarray, trains: np.ndarray) -> Margins:
    members = [(trains & (truth == which)).astype(float) for which in (False, True)]

    def margins(tested: np.ndarray) -> np.ndarray:
        held_out = tested_features(features, tested)
        zero, one = (total / count for total, count in (training_sums(features, held_out, m, tested) for m in members))
        threshold = (np.square(one) - np.square(zero)).sum(axis=-1) / 2
        return (held_out @ (one - zero)[..., None])[..., 0] - threshold[..., None]

    return margins


def one_column(features: np.ndarray, truth: np.ndarray, trains: np.ndarray) -> Margins:
    members = [(trains & (truth == which)).astype(float) for which in (False, True)]

    def margins(tested: np.ndarray) -> np.ndarray:
        held_out = tested_features(features, tested)
        means, spread = [], 0.0
        for member in members:
            total, count = training_sums(features, held_out, member, tested)
            squares, _ = training_sums(np.square(features), np.square(held_out), member, tested)
            means.append(total / count)
            spread = spread + squares - total**2 / count
        best = np.argmax(np.square(means[1] - means[0]) / spread, axis=-1)[..., None]
        zero, one = (np.take_along_axis(mean, best, axis=-1) for mean in means)
        chosen = np.take_along_axis(held_out, best[..., None], axis=-1)[..., 0]
        return (chosen - (zero + one) / 2) * np.sign(one - zero)

    return margins


def one_nearest_neighbour(features: np.ndarray, truth: np.ndarray, trains: np.ndarray) -> Margins:
    nearest = _neighbours(features.astype(np.float32), trains)

    def margins(tested: np.ndarray) -> np.ndarray:
        runs, count, size = tested.shape
        held_out = np.zeros((runs, count, truth.shape[-1]), dtype=bool)
        np.put_along_axis(held_out, tested, True, axis=-1)
        answer = np.zeros(runs * count * size)
        run, fold = (axis.reshape(-1) for axis in np.broadcast_arrays(*np.ogrid[:runs, :count, :size])[:2])
        row, place = tested.reshape(-1), np.arange(answer.size)
        for step in range(nearest.shape[-1]):  # few are still without a training neighbour after the first steps
            neighbour = nearest[run, row, step]
            found = ~held_out[run, fold, neighbour]
            answer[place[found]] = np.where(truth[run[found], neighbour[found]], 1.0, -1.0)
            run, fold, row, place = (values[~found] for values in (run, fold, row, place))
            if not place.size:
                break
        return answer.reshape(tested.shape)

    return margins


def _neighbours(features: np.ndarray, trains: np.ndarray) -> np.ndarray:
    """The nearest other rows that may train, nearest first: (runs, rows, NEIGHBOURS)."""
    # A row's own square adds the same to all its distances and may be left out.
    distance = np.square(features).sum(axis=-1)[:, None, :] - 2 * _products(features)
    distance += np.where(trains, 0.0, np.inf).astype(np.float32)[:, None, :]
    rows = np.arange(features.shape[1])
    distance[:, rows, rows] = np.inf
    chosen = np.argpartition(distance, NEIGHBOURS, axis=-1)[..., :NEIGHBOURS]
    order = np.argsort(np.take_along_axis(distance, chosen, axis=-1), axis=-1)
    return np.take_along_axis(chosen, order, axis=-1)


def _products(features: np.ndarray) -> np.ndarray:
    """Inner products of all rows, in blocks too small for BLAS to start threads, which cost more than they save."""
    runs, rows, columns = features.shape
    blocks = features.reshape(runs, -1, BLOCK, columns)
    return (blocks @ np.swapaxes(features, -1, -2)[:, None]).reshape(runs, rows, rows)


LEARNERS: dict[str, Learner] = {
    "nearest mean": nearest_mean,
    "one column": one_column,
    "1-NN": one_nearest_neighbour,
}
