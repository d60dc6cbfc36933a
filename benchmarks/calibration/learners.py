"""Small two-class learners, over batches of data sets and folds at once.

Each takes features (runs, rows, columns), truth (runs, rows) and the rows it may train on (runs, rows), and returns
a function that, given the rows tested in each fold (runs, folds, tested), trains on its other rows and returns the
margin of class 1 for the tested ones.

nearest mean  stable: a few rows more or less hardly change it
one column    unstable: the column whose class means are farthest apart, cut midway; close columns take turns
1-NN          unstable in another way: near neighbours err together, each on the other
LDA           Fisher's discriminant with the pooled covariance
logistic      logistic regression, a little shrunk so that separable classes have an answer
tree          two levels of splits by Gini's index: unstable, for another first split changes all
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


def discriminant(features: np.ndarray, truth: np.ndarray, trains: np.ndarray) -> Margins:
    members = [(trains & (truth == which)).astype(float) for which in (False, True)]
    runs, rows, columns = features.shape
    products = (features[..., :, None] * features[..., None, :]).reshape(runs, rows, -1)

    def margins(tested: np.ndarray) -> np.ndarray:
        held_out, outer = tested_features(features, tested), tested_features(products, tested)
        means, scatter, number = [], 0.0, 0.0
        for member in members:
            total, count = training_sums(features, held_out, member, tested)
            squares, _ = training_sums(products, outer, member, tested)
            means.append(total / count)
            scatter = scatter + squares.reshape(*total.shape, -1) - total[..., None] * means[-1][..., None, :]
            number = number + count
        pooled = scatter / (number[..., None] - 2.0) + 1e-6 * np.eye(columns)
        direction = np.linalg.solve(pooled, (means[1] - means[0])[..., None])[..., 0]
        middle = ((means[0] + means[1]) / 2 * direction).sum(axis=-1)
        return (held_out @ direction[..., None])[..., 0] - middle[..., None]

    return margins


#: Steps of Newton's method, and how much the sum of squares of the weights counts.
NEWTON, SHRINK = 6, 0.1


def logistic(features: np.ndarray, truth: np.ndarray, trains: np.ndarray) -> Margins:
    runs, rows, columns = features.shape
    design = np.concatenate([np.ones((runs, rows, 1)), features], axis=-1)[:, None]
    shrink = SHRINK * np.diag([0.0, *[1.0] * columns])

    def margins(tested: np.ndarray) -> np.ndarray:
        used = np.repeat(trains[:, None].astype(float), tested.shape[1], axis=1)
        np.put_along_axis(used, tested, 0.0, axis=-1)
        weights = np.zeros((runs, tested.shape[1], columns + 1))
        for _ in range(NEWTON):
            chance = 1.0 / (1.0 + np.exp(-(design @ weights[..., None])[..., 0]))
            slope = ((truth[:, None] - chance) * used)[..., None, :] @ design
            curved = np.swapaxes(design * (chance * (1.0 - chance) * used)[..., None], -1, -2) @ design + shrink
            step = slope[..., 0, :] - weights @ shrink
            weights = weights + np.linalg.solve(curved, step[..., None])[..., 0]
        return (tested_features(design[:, 0], tested) @ weights[..., None])[..., 0]

    return margins


def tree(features: np.ndarray, truth: np.ndarray, trains: np.ndarray) -> Margins:
    """Every fold's rows are sorted once by every column; a split counts the classes on either side of all cuts."""
    order = np.argsort(features, axis=1)  # (runs, rows, columns)
    ranked = np.take_along_axis(features, order, axis=1)
    sign = np.where(truth, 1.0, 0.0)

    def split(used: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Column, cut and the classes' balance below and above it, of the used rows (runs, folds, rows)."""
        places = np.broadcast_to(order[:, None], (*used.shape, order.shape[-1]))
        there = np.take_along_axis(used[..., None], places, axis=2)
        ones = there * np.take_along_axis(sign[:, :, None], order, axis=1)[:, None]
        below, ones_below = np.cumsum(there, axis=2), np.cumsum(ones, axis=2)
        above, ones_above = below[:, :, -1:] - below, ones_below[:, :, -1:] - ones_below
        pure = ones_below * (ones_below - below) / np.maximum(below, 1.0)
        pure += ones_above * (ones_above - above) / np.maximum(above, 1.0)
        pure = np.where((below > 0) & (above > 0), pure, -np.inf)[:, :, :-1]
        flat = pure.reshape(*pure.shape[:2], -1)
        best = np.argmax(flat, axis=-1)
        cut, column = np.divmod(best, order.shape[-1])
        run = np.arange(len(used))[:, None]
        threshold = 0.5 * (ranked[run, cut, column] + ranked[run, cut + 1, column])
        fold = np.arange(used.shape[1])[None]
        leaves = np.stack([
            2.0 * o[run, fold, cut, column] - n[run, fold, cut, column]
            for o, n in ((ones_below, below), (ones_above, above))
        ], axis=-1)  # fmt: skip
        return column, threshold, leaves

    def margins(tested: np.ndarray) -> np.ndarray:
        used = np.repeat(trains[:, None].astype(float), tested.shape[1], axis=1)
        np.put_along_axis(used, tested, 0.0, axis=-1)
        run = np.arange(len(used))[:, None, None]
        column, cut, _ = split(used)
        right = features[run, np.arange(features.shape[1])[None, None], column[..., None]] > cut[..., None]
        answer = np.zeros(tested.shape)
        went = np.take_along_axis(right, tested, axis=-1)
        for side in (False, True):
            below, threshold, leaves = split(used * (right == side))
            second = features[run, tested, below[..., None]] > threshold[..., None]
            said = np.where(second, leaves[..., 1:], leaves[..., :1])
            answer = np.where(went == side, said, answer)
        return answer

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
#: More of them, for verdicts and for the choice of the tests of folds.
PANEL: dict[str, Learner] = {**LEARNERS, "LDA": discriminant, "logistic": logistic, "tree": tree}
