"""How many free numbers a learner of a form settles: by the classes K, the inputs d it sees, and the training rows n.

A tree's number is not known before it is grown; the ``size`` that collecting measures counts it.
"""

from __future__ import annotations

from typing import NamedTuple

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Encoding


class Shape(NamedTuple):
    """What a learner is trained on: rows, inputs after encoding, and classes."""

    rows: int
    inputs: int
    classes: int


def shape_of(dataset: Dataset, encoding: Encoding) -> Shape:
    """All rows of a data set as a learner sees them: m categories are m inputs where they become 1-of-n."""
    wide = not encoding.none and encoding.one_of_n
    inputs = sum(len(feature.categories) if wide and feature.nominal else 1 for feature in dataset.features)
    return Shape(dataset.rows, inputs, len(dataset.classes))


def of_one_class(shape: Shape) -> int:
    """1: the class that is always answered."""
    return 1


def of_means(shape: Shape) -> int:
    """K d: a mean of every class."""
    return shape.classes * shape.inputs


def of_means_and_variances(shape: Shape) -> int:
    """2 K d + K − 1: means, variances and shares of the classes."""
    return 2 * shape.classes * shape.inputs + shape.classes - 1


def of_shared_covariance(shape: Shape) -> int:
    """K d + d (d + 1) / 2 + K − 1: means, one covariance and shares of the classes."""
    return shape.classes * shape.inputs + _covariance(shape) + shape.classes - 1


def of_own_covariances(shape: Shape) -> int:
    """K (d + d (d + 1) / 2) + K − 1: a mean and a covariance of every class, and their shares."""
    return shape.classes * (shape.inputs + _covariance(shape)) + shape.classes - 1


def of_lines_between_classes(shape: Shape) -> int:
    """(K − 1) (d + 1): a line against the last class for every other."""
    return (shape.classes - 1) * (shape.inputs + 1)


def of_lines_between_pairs(shape: Shape) -> int:
    """K (K − 1) / 2 (d + 1): a line for every pair of classes."""
    return shape.classes * (shape.classes - 1) // 2 * (shape.inputs + 1)


def of_all_rows(shape: Shape) -> int:
    """n (d + 1): every training row with its class."""
    return shape.rows * (shape.inputs + 1)


def of_one_number(shape: Shape) -> int:
    """1: the number that is always answered."""
    return 1


def of_one_line(shape: Shape) -> int:
    """d + 1: a slope for every input and a constant."""
    return shape.inputs + 1


def _covariance(shape: Shape) -> int:
    return shape.inputs * (shape.inputs + 1) // 2
