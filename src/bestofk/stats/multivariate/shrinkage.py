"""A second moment matrix that can always be inverted, however many measures there are."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array

#: The smallest share of the diagonal: measures that repeat each other leave nothing to invert without it.
LEAST = 0.05


def shrunk_moments(difference: Array) -> tuple[Array, Array, Array]:
    """Return the differences (..., k, p) in units of their root mean squares, G of these, and the share λ.

    G = Σddᵀ/k with its correlations multiplied by 1 − λ, λ = Σ Var(r_ij)/Σ r_ij² over i ≠ j (Schäfer and Strimmer
    2005, after Ledoit and Wolf), at least 0.05. The moments are about 0, so no change of signs changes G.
    """
    k = difference.shape[-2]
    unit = np.sqrt(np.square(difference).mean(axis=-2, keepdims=True))
    scaled = difference / np.where(unit > 0, unit, 1.0)
    products = scaled[..., :, :, None] * scaled[..., :, None, :]
    moments = products.mean(axis=-3)
    variances = products.var(axis=-3, ddof=1) / k
    off = ~np.eye(difference.shape[-1], dtype=bool)
    size = np.square(moments[..., off]).sum(axis=-1)
    share = np.clip(variances[..., off].sum(axis=-1) / np.where(size > 0, size, 1.0), LEAST, 1.0)
    share = np.where(size > 0, share, 1.0)
    return scaled, np.where(off, moments * (1.0 - share[..., None, None]), 1.0), share


def shrunk_rows(difference: Array) -> tuple[Array, Array]:
    """Return rows z (..., k, p) with ‖Σz‖² = Q = k·d̄ᵀG⁻¹d̄, and the share λ."""
    scaled, moments, share = shrunk_moments(difference)
    values, axes = np.linalg.eigh(moments)
    return scaled @ (axes / np.sqrt(values)[..., None, :]) / np.sqrt(difference.shape[-2]), share


def studentised(scaled: Array, moments: Array, share: float, signs: Array) -> Array:
    """Return T² = k·mᵀS⁻¹m of sign patterns (n, k), S the shrunk covariance about the mean m of each pattern.

    Q is bounded (its moments hold the mean itself), so it cannot be divided by an inflation as T² can.
    """
    k, p = scaled.shape
    mean = signs @ scaled / k
    about = moments - (1.0 - share) * mean[:, :, None] * mean[:, None, :]
    about[:, np.arange(p), np.arange(p)] -= share * np.square(mean)
    about[:, np.arange(p), np.arange(p)] += 1e-12  # a measure that is constant in a pattern
    return np.asarray(k * np.einsum("np,np->n", mean, np.linalg.solve(about, mean[..., None])[..., 0]))
