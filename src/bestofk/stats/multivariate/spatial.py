"""Spatial signs and signed ranks of difference vectors, in coordinates where the measures' units do not matter."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array

_STEPS = 50  # of Tyler's iteration; any number of them keeps the invariances, many only make the shape settle
_FLOOR = 1e-8  # keeps a shape invertible when most vectors lie in a plane


def orthonormal(vectors: Array) -> tuple[Array, np.ndarray]:
    """Return coordinates (..., n, r) with unit scatter Σvvᵀ, and the rank; spare columns are 0.

    The scatter about 0, not about the mean, does not change when vectors change sign.
    """
    unit = np.sqrt(np.square(vectors).sum(axis=-2, keepdims=True))
    left, singular, _ = np.linalg.svd(vectors / np.where(unit > 0, unit, 1.0), full_matrices=False)
    kept = singular > 1e-9 * np.maximum(singular[..., :1], 1e-300)
    return left * kept[..., None, :], kept.sum(axis=-1)


def tyler_standardised(coordinates: Array) -> Array:
    """Return the vectors in coordinates in which their directions are spread evenly (Tyler 1987)."""
    p = coordinates.shape[-1]
    current = coordinates
    for _ in range(_STEPS):
        signs = spatial_signs(current)
        count = np.maximum((np.abs(signs).sum(axis=-1) > 0).sum(axis=-1), 1)[..., None, None]
        shape = p / count * np.swapaxes(signs, -1, -2) @ signs
        values, axes = np.linalg.eigh(shape)
        root = (axes / np.sqrt(np.maximum(values, _FLOOR))[..., None, :]) @ np.swapaxes(axes, -1, -2)
        current = current @ root
        current = current / np.maximum(np.abs(current).max(axis=(-1, -2), keepdims=True), 1e-300)
        if np.abs(values - np.round(values)).max() < 1e-10:  # the identity, or 0 for a spare column
            break
    return current


def spatial_signs(vectors: Array) -> Array:
    """Return unit vectors; the zero vector stays."""
    length = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def spatial_signed_ranks(vectors: Array) -> Array:
    """Return, per vector, the mean over all others of the directions from them and from their mirror images.

    It turns with the vector's own sign and does not care about the signs of the others (Möttönen and Oja 1995).
    """
    own, other = vectors[..., :, None, :], vectors[..., None, :, :]
    return np.asarray((spatial_signs(own - other) + spatial_signs(own + other)).mean(axis=-2) / 2.0)
