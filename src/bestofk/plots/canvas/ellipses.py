"""Isoprobability contours of a fitted two-dimensional Gaussian."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError


def contour(points: Any, probability: float, corners: int = 73) -> Array:
    """Corners (corners, 2) of the ellipse that holds this share of the Gaussian fitted to points (n, 2).

    In two dimensions the squared distance is chi-square with 2 degrees of freedom: r² = −2 ln(1 − probability).
    """
    table = two_columns(points)
    values, vectors = np.linalg.eigh(np.cov(table.T))
    radius = np.sqrt(-2.0 * np.log1p(-probability))
    turn = np.linspace(0.0, 2.0 * np.pi, corners)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    return np.asarray(table.mean(axis=0) + radius * (circle * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def two_columns(points: Any) -> Array:
    """Take points (n, 2), n at least 3, without gaps."""
    table = np.asarray(points, dtype=float)
    if table.ndim != 2 or table.shape[1] != 2 or len(table) < 3 or not np.isfinite(table).all():
        raise InputError(
            f"points have the shape {table.shape}.", "contours", "give two finite measures of at least three folds."
        )
    return table
