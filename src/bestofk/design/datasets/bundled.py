"""Data that come with scikit-learn, or are made by it, as data sets: no network needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.design.datasets.arrays import dataset_of_arrays
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.table import Wishes


def bundled(name: str, bunch: Any, *, task: str = "classification") -> Dataset:
    """Return one of scikit-learn's own data sets, its classes by their names."""
    y = bunch.target if task == "regression" else [str(bunch.target_names[code]) for code in bunch.target]
    wishes = Wishes(name=name, target="target" if task == "regression" else "class", task=task)
    return dataset_of_arrays(bunch.data, y, wishes, names=bunch.feature_names, source="scikit-learn")


def generated(name: str, X: Any, y: Any) -> Dataset:
    """Return a made-up data set; rounded, so that its fingerprint does not hang on a machine's last bit."""
    wishes = Wishes(name=name, task="classification")
    return dataset_of_arrays(np.round(X, 6) + 0.0, y, wishes, source="generated")


def iris() -> Dataset:
    """Fisher's iris: 150 flowers of three kinds, four lengths and widths."""
    from sklearn.datasets import load_iris

    return bundled("iris", load_iris())


def wine() -> Dataset:
    """Wine: 178 samples of three cultivars, thirteen chemical amounts."""
    from sklearn.datasets import load_wine

    return bundled("wine", load_wine())


def breast_cancer() -> Dataset:
    """Breast cancer of Wisconsin: 569 tumours, benign or malignant, thirty measurements."""
    from sklearn.datasets import load_breast_cancer

    return bundled("breast-cancer", load_breast_cancer())


def digits() -> Dataset:
    """Digits: 1,797 handwritten digits of 8 × 8 pixels."""
    from sklearn.datasets import load_digits

    return bundled("digits", load_digits())


def diabetes() -> Dataset:
    """Diabetes: 442 patients, ten measurements, the progress of the disease after a year (regression).

    Return the data set as scikit-learn brings it, its measurements unscaled.
    """
    from sklearn.datasets import load_diabetes

    return bundled("diabetes", load_diabetes(scaled=False), task="regression")


def two_moons() -> Dataset:
    """Two moons: 400 points on two half circles that reach into each other."""
    from sklearn.datasets import make_moons

    return generated("two-moons", *make_moons(n_samples=400, noise=0.3, random_state=1))


def circles() -> Dataset:
    """Circles: 400 points on two rings, one inside the other."""
    from sklearn.datasets import make_circles

    return generated("circles", *make_circles(n_samples=400, noise=0.15, factor=0.5, random_state=2))


ROWS, CLASSES = 450, 3


def noisy_blobs() -> Dataset:
    """Noisy blobs: 450 points in three clouds, six of eight columns pure noise, every tenth label drawn anew."""
    from sklearn.datasets import make_blobs

    X, y = make_blobs(n_samples=ROWS, centers=CLASSES, cluster_std=2.0, random_state=3)
    rng = np.random.default_rng(3)
    wrong = rng.permutation(ROWS)[: ROWS // 10]
    y[wrong] = rng.integers(CLASSES, size=len(wrong))
    return generated("noisy-blobs", np.hstack([X, rng.normal(size=(ROWS, 6))]), y)
