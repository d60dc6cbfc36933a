"""Keep what each file is and what other programs conclude from it, in ``expected.json``."""

import importlib.metadata
import json
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats

PEERS = Path(__file__).resolve().parent.parent
EXPECTED = PEERS / "expected.json"


def by(program, call, *, version=None, **values):
    """One conclusion with program, version and call."""
    version = version or importlib.metadata.version(program)
    return {"program": program, "version": version, "call": call, **values}


def record(name, *, made_by, rows, columns, reading, direction, conclusions, note=""):
    """Write the entry of one file, in place of the one before."""
    entries = json.loads(EXPECTED.read_text("utf-8")) if EXPECTED.exists() else {}
    entries[name] = {
        "made_by": made_by,
        "rows": rows,
        "columns": list(columns),
        "reading": reading,
        "direction": direction,
        "conclusions": conclusions,
        **({"note": note} if note else {}),
    }
    text = json.dumps(dict(sorted(entries.items())), indent=1, ensure_ascii=False, default=float, allow_nan=False)
    EXPECTED.write_text(text + "\n", encoding="utf-8")


def number(value):
    """A float, or None where the program gives no number (identical learners: 0/0)."""
    return None if np.isnan(value) else float(value)


def means(scores):
    """Mean score of every learner."""
    return {name: float(np.mean(values)) for name, values in scores.items()}


def paired_t_of_all_pairs(scores):
    """Two-sided paired t of every pair by scipy."""
    values = {f"{a} / {b}": stats.ttest_rel(scores[a], scores[b]) for a, b in combinations(scores, 2)}
    return by(
        "scipy",
        "scipy.stats.ttest_rel(first, second) of every pair, learner names as in the file",
        statistic={pair: number(each.statistic) for pair, each in values.items()},
        pvalue={pair: number(each.pvalue) for pair, each in values.items()},
    )


def corrected_t_of_all_pairs(scores, ratio):
    """Two-sided t with the variance of Nadeau and Bengio, written out; ``ratio`` is test size over training size."""
    result = {}
    for a, b in combinations(scores, 2):
        d = np.ravel(scores[a]) - np.ravel(scores[b])
        t = d.mean() / np.sqrt((1 / len(d) + ratio) * d.var(ddof=1))
        result[f"{a} / {b}"] = {"statistic": number(t), "pvalue": number(2 * stats.t.sf(abs(t), len(d) - 1))}
    call = f"mean(d) / sqrt((1/n + {ratio:.6g}) * var(d, ddof=1)), p = 2 * scipy.stats.t.sf(|t|, n - 1)"
    return by("scipy", call, corrected_t=result)
