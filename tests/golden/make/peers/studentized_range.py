"""The studentized range: scipy, checked by a quadrature of its own."""

import numpy as np
from cases import Cases
from peers.source import source
from scipy import special, stats


def quadrature_sf(q, k, df):
    """The studentized range by Gauss-Legendre panels: written from the definition, to check scipy against."""
    nodes, weights = np.polynomial.legendre.leggauss(40)

    def panels(low, high, number):
        edges = np.linspace(low, high, number + 1)
        half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
        return (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()

    z, dz = panels(-9, 9, 24)
    below, density = stats.norm.cdf(z), stats.norm.pdf(z)

    def range_sf(w):
        inside = below - stats.norm.cdf(z - np.atleast_1d(w)[:, None])
        return k * ((below ** (k - 1) - inside ** (k - 1)) * density) @ dz

    if np.isinf(df):
        return float(range_sf(q)[0])
    spread = 6 / np.sqrt(df)
    u, du = panels(-14, 3.5, 60) if df < 10 else panels(-2 * spread, spread + 0.3, 60)
    s = np.exp(u)  # the estimate of sigma
    log_density = np.log(2) + df / 2 * np.log(df / 2) - special.gammaln(df / 2) + df * u - df * s * s / 2
    return float(np.sum(du * np.exp(log_density) * range_sf(q * s)))


def write(folder):
    cases = Cases("python", "studentized_range")
    grid = [(k, df) for k in (2, 3, 5, 10, 20, 50, 100) for df in (2, 3, 5, 8, 45, 450, np.inf)]
    for k, df in grid:
        for q in (1.5, 4.0, 9.0):
            p = float(stats.studentized_range.sf(q, k, df))
            if abs(p - quadrature_sf(q, k, df)) > 1e-11:
                raise ArithmeticError(f"scipy and the quadrature disagree at q={q}, k={k}, df={df}")
            cases.add(
                f"sf-{k}-{df:g}-{q:g}-scipy",
                "stats.studentized_range.sf",
                [q, k, df],
                {"": p},
                source("scipy", "stats.studentized_range.sf(q, k, df)"),
                rtol=0,
                atol=1e-9,
                note="agrees with a Gauss-Legendre quadrature within 1e-11",
            )
        for alpha in (0.05, 0.01):
            q = float(stats.studentized_range.isf(alpha, k, df))
            if abs(quadrature_sf(q, k, df) - alpha) > 1e-11:
                raise ArithmeticError(f"scipy and the quadrature disagree at alpha={alpha}, k={k}, df={df}")
            cases.add(
                f"critical-{k}-{df:g}-{alpha:g}-scipy",
                "stats.studentized_range.critical",
                [alpha, k, df],
                {"": q},
                source("scipy", "stats.studentized_range.isf(alpha, k, df)"),
                rtol=1e-8,
                atol=1e-9,
                note="within 1e-11 of alpha by a Gauss-Legendre quadrature; the density is flat where q is large",
            )
    cases.save(folder)
