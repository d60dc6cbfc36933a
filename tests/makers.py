"""Small evidence for tests, and the command: made here once, imported as ``makers``."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.settings import Comparing, options_of

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
NAMES = tuple("abcdefghijkl")
ERROR = {"measure": "error", "larger_is_better": False}


def slow(*cases):
    """Cases of a family that run with the slow tests only; the quick ones have those that differ most."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def folds(values, **more):
    """Errors of learners on folds of one data set: (learners, replications, folds)."""
    values = np.asarray(values, dtype=float)
    return bk.Scores(**{"learners": NAMES[: len(values)], "values": values, **ERROR, **more})


def over_datasets(values, **more):
    """Errors of learners over data sets: (learners, data sets), or with replications and folds behind."""
    values = np.asarray(values, dtype=float)
    values = values[:, :, None, None] if values.ndim == 2 else values
    return folds(values, **{"datasets": tuple(f"d{i}" for i in range(values.shape[1])), **more})


def items(values, **more):
    """Right (1) or wrong (0), or graded outcomes, of learners on items."""
    facts = {"learners": NAMES[: len(values)], "measure": "correct", "larger_is_better": True}
    return bk.Items(**{**facts, "values": values, **more})


def curves(values, **more):
    """Errors along training: (runs, steps) for every learner."""
    return bk.Curves(**{"learners": NAMES[: len(values)], "values": tuple(values), **ERROR, **more})


def runs(values, tasks=(), **more):
    """Errors of independent runs of every learner, of one task, or with the names of every learner's tasks."""
    facts = {"learners": NAMES[: len(values)], "values": tuple(values), "datasets": tuple(tasks)}
    return bk.Runs(**{**facts, **ERROR, **more})


def task_runs(learners=3, tasks=5, each=6, *, seed=0, gap=0.02):
    """Errors of so many runs in every task; each learner's mean is ``gap`` above that of the one before."""
    noise = 0.01 * np.random.default_rng(seed).normal(size=(learners, tasks, each))
    values = 0.2 + 0.1 * np.arange(tasks)[:, None] + gap * np.arange(learners)[:, None, None] + noise
    names = tuple(np.repeat([f"t{i}" for i in range(tasks)], each).tolist())
    return runs(values.reshape(learners, -1), [names] * learners)


def amounts(learners=3, datasets=12, *, seed=0, gap=0.1, folds=1):
    """RMSE over data sets, each in units of its own; each learner's is exp(``gap``) times that of the one before."""
    rng = np.random.default_rng(seed)
    unit = 10.0 ** rng.uniform(-2, 4, (datasets, 1, 1))
    noise = 0.03 * rng.normal(size=(learners, datasets, 1, folds))
    values = unit * np.exp(gap * np.arange(learners)[:, None, None, None] + noise)
    return over_datasets(values, measure="rmse")


def table(learners=3, datasets=12, *, seed=0, gap=0.0, spread=0.05, level=0.3, shape=(1, 1), digits=None, **more):
    """Normal errors over data sets; each learner's mean is ``gap`` above that of the one before."""
    noise = np.random.default_rng(seed).normal(size=(learners, datasets, *shape))
    values = level + gap * np.arange(learners)[:, None, None, None] + spread * noise
    return over_datasets(values if digits is None else values.round(digits), **more)


def uneven_rows(learners=3, datasets=12, *, seed=0, gap=0.0, spread=0.02):
    """Errors (learners, data sets) where data sets are of different difficulty."""
    rng = np.random.default_rng(seed)
    hard = rng.uniform(0.1, 0.4, datasets)
    return hard + gap * np.arange(learners)[:, None] + spread * rng.normal(size=(learners, datasets))


def separated(learners=3, shape=(5, 2), seed=0):
    """Errors on folds that any test separates."""
    return np.arange(learners)[:, None, None] * 0.2 + np.random.default_rng(seed).normal(0, 0.01, (learners, *shape))


def with_folds(learners=2, gap=0.05):
    """Errors on eight data sets of 5×2 folds each."""
    rng = np.random.default_rng(1)
    values = 0.3 + gap * np.arange(learners)[:, None, None, None] + 0.01 * rng.normal(size=(learners, 8, 5, 2))
    return over_datasets(values + 0.05 * rng.normal(size=(8, 1, 1)))


def with_gap(evidence, *cells):
    """The same evidence without the results of these (learner, data set) places."""
    values = np.array(evidence.values)
    for cell in cells:
        values[cell] = np.nan
    facts = ("learners", "datasets", "measure", "larger_is_better")
    return bk.Scores(values=values, **{name: getattr(evidence, name) for name in facts})


def bramer(name="bramer_15_2.csv"):
    """A table of Bramer's book, chapter 15."""
    return bk.read(EXAMPLES / name, larger_is_better=True)


def long_file(folder, values, nfolds=1, **columns):
    """A table in long form: ``values`` (learners, data sets) or (…, folds), costs in the same shape."""
    every = [np.broadcast_to(cost, np.shape(values)) for cost in columns.values()]
    values = np.asarray(values).reshape(*np.shape(values)[:2], nfolds)
    lines = [",".join(["dataset", "learner", *(["fold"] if nfolds > 1 else []), "error", *columns])]
    for k, d, f in np.ndindex(values.shape):
        costs = [f"{cost.reshape(values.shape)[k, d, f]:.10g}" for cost in every]
        fold = [str(f + 1)] if nfolds > 1 else []
        lines.append(",".join([f"d{d + 1}", NAMES[k], *fold, f"{values[k, d, f]:.10g}", *costs]))
    path = folder / "long.csv"
    path.write_text("\n".join(lines))
    return path


def wide_file(folder, values, name="wide.csv"):
    """A table with a row per data set and a column per learner."""
    lines = [",".join(["dataset", *NAMES[: len(values)]])]
    lines += [",".join([f"d{d + 1}", *(f"{v:.10g}" for v in row)]) for d, row in enumerate(np.transpose(values))]
    path = folder / name
    path.write_text("\n".join(lines))
    return path


def command(*words):
    """What the command answers."""
    return CliRunner().invoke(main, [str(word) for word in words])


def ordered(evidence, **options):
    """Comparison and order, without what a whole verdict takes time for."""
    known = options_of(Comparing)
    comparison = bk.compare(evidence, **{name: value for name, value in options.items() if name in known})
    return comparison, bk.order(evidence, **options)


def codes(verdict):
    """Codes of the advice of a verdict."""
    return {advice.code for advice in verdict.advice}


_WORDS = ("lda", "knn", "svm", "tree", "nn")

_MEASURES = [("error", False), ("accuracy", True)]


def _random_folds(rng, k):
    shape = [(5, 2), (1, 10), (3, 4)][rng.integers(3)]
    values = 0.3 + rng.normal(0, 0.02, size=(k, 1, 1)) + rng.normal(0, 0.01, size=(k, *shape))
    if rng.random() < 0.15:
        values[1] = values[0]
    return bk.Scores, {"values": values}


def _first_fold_lies(rng, k):
    """5x2 results whose first fold, which alone is in the numerator of 5x2cv-t, speaks against the mean."""
    values = 0.3 + rng.normal(0, 0.001, size=(k, 5, 2))
    values[0] += 0.05
    values[0, 0] -= 0.1
    return bk.Scores, {"values": values}


def _random_datasets(rng, k):
    count = int(rng.integers(5, 16))
    values = 0.3 + rng.normal(0, 0.03, (k, 1, 1, 1)) + rng.normal(0, 0.03, (k, count, 1, 1))
    if rng.random() < 0.3:  # one data set carries the mean of one learner against its ranks
        values[0, 0] += 3.0
    return bk.Scores, {"values": values, "datasets": tuple(f"d{i}" for i in range(count))}


def _random_gappy(rng, k):
    kind, facts = _random_datasets(rng, k)
    if facts["values"].shape[1] > 8:
        facts["values"][0, -3:] = np.nan
    return kind, facts


def _random_circle(rng, k):
    """Each of three learners beats the next on two data sets of three."""
    cycle = np.array([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]])
    values = np.tile(cycle, (1, 20))[:, :, None, None] + rng.normal(0, 0.001, (3, 60, 1, 1))
    return bk.Scores, {"values": values, "datasets": tuple(f"d{i}" for i in range(60))}


def _random_items(rng, k):
    return bk.Items, {"values": (rng.random((k, 80)) < rng.uniform(0.4, 0.9, (k, 1))).astype(float)}


def _random_graded(rng, k):
    return bk.Items, {"values": rng.normal(rng.normal(0, 0.3, (k, 1)), 1.0, (k, 12))}


def _random_curves(rng, k):
    return bk.Curves, {
        "values": tuple(rng.normal(rng.normal(0, 0.5), 1, (int(rng.integers(3, 7)), 4)) for _ in range(k))
    }


_KINDS = [
    _random_folds,
    _random_folds,
    _first_fold_lies,
    _random_datasets,
    _random_datasets,
    _random_gappy,
    _random_circle,
    _random_items,
    _random_graded,
    _random_curves,
]

_TESTS = {
    _random_datasets: ["auto", "sign", "paired-t", "nemenyi"],
    _random_circle: ["sign", "wilcoxon"],
    _random_graded: ["auto", "wilcoxon"],
}

_METHODS = ["multitest"] * 3 + ["test-first", "anova-best", "newman-keuls-best"] + ["multi2test"] * 2


def random_case(rng):
    """Evidence of a random kind, and options to judge it with."""
    kind = _KINDS[rng.integers(len(_KINDS))]
    k = 3 if kind is _random_circle else int(rng.integers(2, 6))
    measure, larger = _MEASURES[rng.integers(2)]
    make, facts = kind(rng, k)
    costs = {"price": dict(zip(_WORDS[:k], rng.integers(1, 4, k).astype(float).tolist(), strict=True))}
    evidence = make(learners=_WORDS[:k], measure=measure, larger_is_better=larger, costs=costs, **facts)
    draw = rng.random()
    options = {
        "prior": [str(n) for n in rng.permutation(_WORDS[:k])] if draw < 0.5 else "price" if draw < 0.65 else None,
        "adjust": str(rng.choice(["none", "bonferroni", "holm", "benjamini-hochberg"])),
        "alpha": float(rng.choice([0.05, 0.1, 0.01])),
        "test": str(rng.choice(_TESTS.get(kind, ["auto"]))),
        "missing": "keep" if kind is _random_gappy else "refuse",
    }
    if options["test"] == "nemenyi":
        options["adjust"] = None
    if options["prior"] is not None and kind in (_random_folds, _random_datasets) and options["test"] != "nemenyi":
        method = str(rng.choice(_METHODS))
        options["method"] = "multitest" if method == "multi2test" and kind is _random_folds else method
    return evidence, options


def three_lines(answer):
    """The error of a command: three lines, exit code 2, no traceback."""
    assert answer.exit_code == 2, (answer.output, answer.exception)
    lines = answer.stderr.splitlines()
    assert len(lines) == 3, answer.stderr
    return lines


def read_only(*_, **__):
    """In the place of what writes: a disk that is not written to."""
    raise OSError(errno.EROFS, "Read-only file system")


def changed(file, old, new):
    """Change a text in a file; it must be there."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def welch_by_hand(first, second, blocks=None):
    """Difference of means and its two-sided p: Welch's t test, within blocks where they are given, then combined."""
    blocks = blocks or (("",) * len(first), ("",) * len(second))
    parts, means = [], []
    for name in dict.fromkeys(blocks[0]):
        sides = [np.asarray(each)[np.array(names) == name] for each, names in zip((first, second), blocks, strict=True)]
        means.append(sides[0].mean() - sides[1].mean())
        parts += [(side.var(ddof=1) / len(side), len(side) - 1) for side in sides]
    variance = sum(part for part, _ in parts)
    df = variance**2 / sum(part**2 / own for part, own in parts)
    pvalue = 2 * scipy.stats.t.sf(abs(np.sum(means)) / np.sqrt(variance), df)
    return np.mean(means), pvalue if df >= 3 else 1.0


def by_holm(*pvalues, weights=None):
    """Adjusted p values, by Holm's procedure step by step."""
    weights = [1.0] * len(pvalues) if weights is None else list(weights)
    adjusted, so_far, left = np.empty(len(pvalues)), 0.0, sum(weights)
    for place in np.argsort(np.divide(pvalues, weights), kind="stable"):
        so_far = max(so_far, min(1.0, left / weights[place] * pvalues[place]))
        adjusted[place], left = so_far, left - weights[place]
    return adjusted.tolist()
