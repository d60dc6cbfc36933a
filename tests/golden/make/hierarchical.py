"""Posterior of the hierarchical model by another sampler: PyMC's NUTS on the model as it is written in the paper.

Run as `python hierarchical.py ../posteriors/hierarchical.json`, with PyMC installed; it takes some minutes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import arviz
import numpy as np
import pymc as pm
import pytensor.tensor as pt
from scipy import special

DRAWS = {"draws": 4000, "tune": 2000, "chains": 4, "target_accept": 0.95, "random_seed": 1, "progressbar": False}


def cases() -> dict[str, tuple[np.ndarray, float, float]]:
    """Differences (data sets, folds), rope, correlation."""
    rng = np.random.default_rng(7)
    noise = rng.normal(0, 1, (20, 10)) * rng.uniform(0.005, 0.05, (20, 1))
    return {
        "plain": (rng.normal(0.01, 0.02, (15, 1)) + rng.normal(0, 0.02, (15, 10)), 0.01, 0.1),
        "outliers": (rng.standard_t(2, (20, 1)) * 0.01 - 0.005 + noise, 0.01, 0.1),
        "few": (rng.normal(0.03, 0.02, (4, 1)) + rng.normal(0, 0.03, (4, 10)), 0.01, 0.1),
        "halves": (rng.normal(0, 0.004, (12, 1)) + rng.normal(0, 0.02, (12, 10)), 0.01, 0.5),
    }


def model(scaled: np.ndarray, rho: float) -> pm.Model:
    """Corani et al. 2017, section 3, with the bounds that bestofk states."""
    datasets, folds = scaled.shape
    mean = scaled.mean(axis=1)
    within = ((scaled - mean[:, None]) ** 2).sum(axis=1)
    reach, widest = np.abs(scaled).max(), 1000 * mean.std(ddof=1)
    with pm.Model() as made:
        centre = pm.Uniform("centre", -reach, reach)
        scale = pm.Uniform("scale", 0, widest, initval=mean.std(ddof=1))
        shape, rate = pm.Uniform("shape", 0.5, 5), pm.Uniform("rate", 0.05, 0.15)
        above_one = pm.Gamma("above_one", alpha=shape, beta=rate)
        standard = pm.StudentT("standard", nu=above_one + 1, mu=0, sigma=1, shape=datasets)
        delta = pm.Deterministic("delta", centre + scale * standard)
        sigma = pm.Uniform("sigma", 1e-3, 1000, shape=datasets, initval=np.ones(datasets))
        form = within / (1 - rho) + folds * (mean - delta) ** 2 / (1 + (folds - 1) * rho)
        pm.Potential("likelihood", pt.sum(-folds * pt.log(sigma) - form / (2 * sigma**2)))
    return made


def answer(difference: np.ndarray, rope: float, rho: float) -> dict[str, object]:
    """Shares of samples that each region wins, posterior means, and how many independent samples they are worth."""
    unit = difference.std(axis=1, ddof=1).mean()
    with model(difference / unit, rho):
        trace = pm.sample(**DRAWS)
    flat = {
        name: trace.posterior[name].values.reshape(16_000, -1) for name in ("centre", "scale", "above_one", "delta")
    }
    centre, scale, tail = unit * flat["centre"][:, 0], unit * flat["scale"][:, 0], 1 + flat["above_one"][:, 0]
    first, second = special.stdtr(tail, (-rope - centre) / scale), special.stdtr(tail, (centre - rope) / scale)
    won = np.argmax([first, 1 - first - second, second], axis=0)
    return {
        "probabilities": (np.bincount(won, minlength=3) / len(won)).tolist(),
        "estimate": centre.mean(),
        "estimate_sd": centre.std(),
        "scale": scale.mean(),
        "scale_sd": scale.std(),
        "datasets": (unit * flat["delta"].mean(axis=0)).tolist(),
        "datasets_sd": (unit * flat["delta"].std(axis=0)).tolist(),
        "effective": min(float(arviz.ess(trace, var_names=[name])[name]) for name in ("centre", "scale")),
    }


def main() -> None:
    """Write every case with its source."""
    made = []
    for name, (difference, rope, rho) in cases().items():
        given = np.round(difference, 6)
        source = {"program": "PyMC", "version": pm.__version__, "call": f"pm.sample(**{DRAWS})"}
        case = {"id": name, "difference": given.tolist(), "rope": rope, "correlation": rho, "source": source}
        made.append({**case, **answer(given, rope, rho)})
    Path(sys.argv[1]).write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
