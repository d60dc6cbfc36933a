"""Data that come with scikit-learn, are made by it, or are drawn from a known distribution: no network needed.

What is drawn is a sample of our own, not the one that was published once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import count_of
from bestofk.design.datasets.arrays import dataset_of_arrays
from bestofk.design.datasets.by_rule import Codes
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.table import Wishes


def _sklearn() -> Any:
    """scikit-learn's data sets, loaded when they are asked for."""
    from sklearn import datasets

    return datasets


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
    return bundled("iris", _sklearn().load_iris())


def wine() -> Dataset:
    """Wine: 178 samples of three cultivars, thirteen chemical amounts."""
    return bundled("wine", _sklearn().load_wine())


def breast_cancer() -> Dataset:
    """Breast cancer of Wisconsin: 569 tumours, benign or malignant, thirty measurements."""
    return bundled("breast-cancer", _sklearn().load_breast_cancer())


def digits() -> Dataset:
    """Digits: 1,797 handwritten digits of 8 × 8 pixels."""
    return bundled("digits", _sklearn().load_digits())


def diabetes() -> Dataset:
    """Diabetes: 442 patients, ten measurements, the progress of the disease after a year (regression).

    Return the data set as scikit-learn brings it, its measurements unscaled.
    """
    return bundled("diabetes", _sklearn().load_diabetes(scaled=False), task="regression")


def two_moons() -> Dataset:
    """Two moons: 400 points on two half circles that reach into each other."""
    return generated("two-moons", *_sklearn().make_moons(n_samples=400, noise=0.3, random_state=1))


def circles() -> Dataset:
    """Circles: 400 points on two rings, one inside the other."""
    return generated("circles", *_sklearn().make_circles(n_samples=400, noise=0.15, factor=0.5, random_state=2))


ROWS, CLASSES = 450, 3


def noisy_blobs() -> Dataset:
    """Noisy blobs: 450 points in three clouds, six of eight columns pure noise, every tenth label drawn anew."""
    X, y = _sklearn().make_blobs(n_samples=ROWS, centers=CLASSES, cluster_std=2.0, random_state=3)
    rng = np.random.default_rng(3)
    wrong = rng.permutation(ROWS)[: ROWS // 10]
    y[wrong] = rng.integers(CLASSES, size=len(wrong))
    return generated("noisy-blobs", np.hstack([X, rng.normal(size=(ROWS, 6))]), y)


#: The seed of the registered samples; any other gives another sample of the same distribution.
SEED = 1
#: Columns of ringnorm and twonorm.
INPUTS = 20


def source_of_numbers(name: str, n: Any, seed: Any) -> np.random.RandomState:
    """Return the generator of a sample: the one whose stream numpy promises to keep, as fingerprints need."""
    count_of(n, name="n", where=f"data set {name}", at_least=2)
    return np.random.RandomState(count_of(seed, name="seed", where=f"data set {name}", at_least=0))


def drawn_dataset(name: str, numbers: Array, classes: Codes, *, count: int, decimals: int, seed: int) -> Dataset:
    """Return the sample, rounded as the published one; columns f1, f2, …, classes 0, 1, …"""
    rounded = np.round(numbers, decimals) + 0.0  # no minus before 0
    features = tuple(Feature(f"f{place}", rounded[:, place - 1].copy()) for place in range(1, rounded.shape[1] + 1))
    names = tuple(str(code) for code in range(count))
    source = f"drawn by bestofk, n = {len(classes)}, seed = {seed}"
    return Dataset(name, features, classes.astype(np.float64), names, source=source)


def ringnorm(n: int = 7400, seed: int = SEED) -> Dataset:
    """Ringnorm: 7,400 points of a narrow normal cloud within a wide one, 20 dimensions (Breiman, 1996).

    Return a sample of our own: class 0 mean 0 and variance 4, class 1 mean 2/√20 and variance 1, in every column.
    """
    rng = source_of_numbers("ringnorm", n, seed)
    classes = rng.randint(2, size=n)
    wide = (classes == 0)[:, np.newaxis]
    noise = rng.standard_normal((n, INPUTS))
    points = np.where(wide, 2.0 * noise, noise + 2.0 / np.sqrt(INPUTS))
    return drawn_dataset("ringnorm", points, classes, count=2, decimals=4, seed=seed)


def twonorm(n: int = 7400, seed: int = SEED) -> Dataset:
    """Twonorm: 7,400 points of two normal clouds in 20 dimensions (Breiman, 1996).

    Return a sample of our own: unit variances, every mean 2/√20 in class 0 and −2/√20 in class 1.
    """
    rng = source_of_numbers("twonorm", n, seed)
    classes = rng.randint(2, size=n)
    means = np.where(classes == 0, 2.0, -2.0) / np.sqrt(INPUTS)
    points = means[:, np.newaxis] + rng.standard_normal((n, INPUTS))
    return drawn_dataset("twonorm", points, classes, count=2, decimals=4, seed=seed)


POINTS, HEIGHT = 21, 6
PEAKS = np.array([6, 14, 10])  # of the three triangles
PAIRS = np.array([[0, 1], [0, 2], [2, 1]])  # the triangles that a class mixes


def wave(n: int = 5000, seed: int = SEED) -> Dataset:
    """Waveform: 5,000 noisy mixtures of two of three triangles, 21 points each (Breiman and others, CART, 1984).

    Return a sample of our own: two triangles of the class mixed by a uniform share, standard normal noise added.
    """
    rng = source_of_numbers("wave", n, seed)
    classes = rng.randint(len(PAIRS), size=n)
    triangles = np.maximum(HEIGHT - np.abs(np.arange(POINTS) - PEAKS[:, np.newaxis]), 0)
    share = rng.uniform(size=(n, 1))
    first, second = (triangles[PAIRS[classes, side]] for side in (0, 1))
    points = share * first + (1 - share) * second + rng.standard_normal((n, POINTS))
    return drawn_dataset("wave", points, classes, count=len(PAIRS), decimals=2, seed=seed)
