"""Pitfalls of comparisons over data sets, K116 and on: each fires on one fixture and is silent on another."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.advice import Case
from bestofk.evidence import Origin
from bestofk.judging.judge import ordering_from

ROOT = Path(__file__).parent.parent
BRAMER = {"larger_is_better": True}


def bramer(name):
    return bk.read(str(ROOT / "examples" / name), **BRAMER)


def table(datasets, k=3, gap=0.1, spread=0.01, seed=0, names=None, **more):
    rng = np.random.default_rng(seed)
    values = 0.3 + gap * np.arange(k)[:, None, None, None] + rng.normal(0, spread, (k, datasets, 1, 1))
    names = names or tuple(f"d{i}" for i in range(datasets))
    settings = {"measure": "error", "larger_is_better": False, **more}
    return bk.Scores(learners=tuple("abcdef"[:k]), datasets=names, values=values, **settings)


def folds(shared, seed=0, **more):
    """Ten times ten folds; ``shared`` is how much of a fold's difficulty all learners feel."""
    rng = np.random.default_rng(seed)
    values = 0.3 + 0.02 * np.arange(3)[:, None, None] + rng.normal(0, 0.02, (3, 10, 10))
    values += shared * rng.normal(0, 0.05, (10, 10))
    return bk.Scores(learners=tuple("abc"), values=values, measure="error", larger_is_better=False, **more)


def along_training(steady):
    steps = ("10", "20", "50", "100", "200", "500", "1000")
    rng = np.random.default_rng(0)
    fall = np.linspace(0.3, 0.0, 7) if steady else rng.permutation(np.linspace(0.3, 0.0, 7))
    values = np.array([0.3, 0.32])[:, None] + fall + rng.normal(0, 0.002, (2, 7))
    return bk.Scores(
        learners=("a", "b"), datasets=steps, values=values[:, :, None, None], measure="error", larger_is_better=False
    )


def with_counts(positives):
    rng = np.random.default_rng(0)
    tp = rng.integers(positives // 2, positives + 1, (2, 1, 5, 2)).astype(float)
    tn = rng.integers(80, 91, (2, 1, 5, 2)).astype(float)
    counts = np.stack([tp, positives - tp, 90 - tn, tn], axis=-1)
    error = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    return bk.Scores(learners=("a", "b"), values=error, counts=counts, measure="error", larger_is_better=False)


def failed(reason):
    evidence = table(12)
    failures = {("b", "d3", "1", "1"): reason} if reason else {}
    values = evidence.values.copy()
    if reason:
        values[1, 3] = np.nan
    return bk.Scores(
        learners=evidence.learners,
        datasets=evidence.datasets,
        values=values,
        failures=failures,
        measure="error",
        larger_is_better=False,
    )


PUBLIC = ("iris", "wine", "car", "balance", "breast", "credit", "nursery", "titanic", "krkopt", "digits")
UNLOCKED = Origin("results.db", notes=("plan 0123456789ab was not locked before the results",))
LOCKED = Origin("results.db", notes=("plan 0123456789ab was locked at 2026-01-01T00:00:00+00:00, before any result",))
COST = {"fit_time": {"a": 10.0, "b": 1.0, "c": 9.0}}
#: Code → (evidence that it fires on, options), (evidence that it is silent on, options).
CASES = {
    "K116": ((bramer("bramer_15_2.csv"), {}), (table(12, k=2), {})),
    "K117": ((table(12, origin=UNLOCKED), {}), (table(12, origin=LOCKED), {})),
    "K118": ((table(30, k=2, gap=0.004, spread=0.004), {}), (table(30, k=2, gap=0.04, spread=0.004), {})),
    "K119": ((table(12, k=2, gap=0.0, spread=0.05), {}), (table(200, k=2, gap=0.0, spread=0.005), {})),
    "K120": (
        (table(12, k=2, gap=0.002, spread=0.05, seed=3), {"prior": ["b", "a"]}),
        (table(12, k=2, gap=0.1), {"prior": ["b", "a"]}),
    ),
    "K121": ((table(12), {"adjust": "none"}), (table(12), {"adjust": "holm"})),
    "K122": ((failed("out of memory"), {"missing": "keep"}), (failed(""), {})),
    "K123": ((folds(shared=0.0), {}), (folds(shared=1.0), {})),
    "K124": ((along_training(steady=True), {}), (along_training(steady=False), {})),
    "K125": ((with_counts(positives=5), {}), (with_counts(positives=90), {})),
    "K126": ((table(10, names=PUBLIC), {}), (table(10), {})),
    "K127": (
        (table(12, gap=0.0, spread=0.05, costs=COST, seed=1), {"prior": ["a", "b", "c"]}),
        (table(12, gap=0.2, costs=COST), {"prior": ["a", "b", "c"]}),
    ),
}


def said(code, evidence, options):
    (module,) = (ROOT / "src" / "bestofk" / "advice").glob(f"{code.lower()}_*.py")
    used, comparison, ordering = ordering_from(evidence, **options)
    return import_module(f"bestofk.advice.{module.stem}").advise(Case(used, comparison, ordering))


def test_a_learner_that_the_order_shows_to_be_worse_is_not_called_worth_having():
    used, comparison, ordering = ordering_from(CASES["K127"][0][0], **CASES["K127"][0][1])
    advise = import_module("bestofk.advice.k127_worth_having").advise
    named = advise(Case(used, comparison, ordering)).seen.split()[0]
    overruled = replace(ordering, edges=((named, ordering.order[0]),))
    again = advise(Case(used, comparison, overruled))
    assert again is None or again.seen.split()[0] != named


@pytest.mark.parametrize("code", CASES)
def test_fires_on_one_and_is_silent_on_another(code):
    fires, silent = CASES[code]
    advice = said(code, *fires)
    assert advice is not None
    assert advice.code == code
    assert said(code, *silent) is None


@pytest.mark.parametrize("code", CASES)
def test_reads_as_a_sentence(code):
    line = repr(said(code, *CASES[code][0]))
    assert line.startswith(f"{code}: ")
    assert line.endswith(".")
    assert ".." not in line
    assert "nan" not in line.lower().split()


def test_every_code_has_its_page():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("advice*.md"))
    for code in CASES:
        assert f"## {code}\n" in pages


def test_k116_names_the_data_sets_of_the_book():
    """Bramer, section 15.3: leaving out data sets 5 and 6 turns no difference into B better at 5 %."""
    advice = said("K116", bramer("bramer_15_2.csv"), {})
    assert advice.seen == ("all data sets: A and B not told apart; without dataset 5 and dataset 6: B better than A")


def test_k119_tells_the_power_of_the_t_test():
    """The numbers are those of stats.power for the pair's own spread."""
    evidence = CASES["K119"][0][0]
    spread = np.std(evidence.values[0, :, 0, 0] - evidence.values[1, :, 0, 0], ddof=1)
    from bestofk.stats import power

    expected = power.paired_t(0.01 / spread, 12).power
    assert f"seen with power {expected:.2g}," in said("K119", evidence, {}).seen


def test_k119_knows_no_scale_and_says_it_in_units_of_the_measure():
    """Bramer, Fig. 15.2: standard deviation of the differences 6.929, and ten data sets see 0.996 of it."""
    said_of_bramer = said("K119", bramer("bramer_15_2.csv"), {}).seen
    assert "a difference of 3.5 would have been seen with power 0.29, only differences of 6.9 or more" in said_of_bramer


def test_k121_counts_false_discoveries():
    assert "0.15 of them" in said("K121", table(12), {"adjust": "none"}).seen  # 3 pairs at 0.05
