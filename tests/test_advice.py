"""Every pitfall fires on one fixture and is silent on another."""

from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.advice.shelf import ADVICE
from bestofk.evidence import Origin
from test_advice_across import CASES as OVER_DATASETS
from measures.test_vector_advice import CASES as SEVERAL_MEASURES

ROOT = Path(__file__).parent.parent


def folds(shape=(5, 2), k=3, gap=0.2, **more):
    rng = np.random.default_rng(0)
    values = gap * np.arange(k)[:, None, None] + rng.normal(0, 0.01, (k, *shape))
    return bk.Scores(learners=tuple("abcdef"[:k]), values=values, measure="error", larger_is_better=False, **more)


def table(datasets, k=3, gap=0.1, spread=0.01, seed=0, **more):
    rng = np.random.default_rng(seed)
    values = gap * np.arange(k)[:, None, None, None] + rng.normal(0, spread, (k, datasets, 1, 1))
    names = tuple(f"d{i}" for i in range(datasets))
    return bk.Scores(
        learners=tuple("abcdef"[:k]), datasets=names, values=values, measure="error", larger_is_better=False, **more
    )


def items(groups):
    values = np.random.default_rng(0).integers(0, 2, (2, 30)).astype(float)
    return bk.Items(learners=("a", "b"), values=values, measure="correct", larger_is_better=True, groups=groups)


def against_its_mean():
    """The first fold of 5x2cv-t speaks against the mean of all."""
    values = np.full((2, 5, 2), 0.5)
    values[0] += [[0.001, 0.0], [0.2, 0.2], [0.2, 0.2], [0.2, 0.2], [0.2, 0.2]]
    values[0, 0] = [0.3, 0.301]
    return bk.Scores(learners=("a", "b"), values=values, measure="error", larger_is_better=False)


def with_gap(evidence):
    values = evidence.values.copy()
    values[0, 0] = np.nan
    return bk.Scores(
        learners=evidence.learners, datasets=evidence.datasets, values=values, measure="error", larger_is_better=False
    )


def omnibus_accepts():
    """Two of six learners differ a little but always: Friedman over all sees nothing, a pair does."""
    rng = np.random.default_rng(6)
    values = 0.5 + rng.normal(0, 0.1, (6, 14, 1, 1))
    values[1] = values[0] + 0.01 + rng.normal(0, 0.001, (14, 1, 1))
    names = tuple(f"d{i}" for i in range(14))
    return bk.Scores(learners=tuple("abcdef"), datasets=names, values=values, measure="error", larger_is_better=False)


def one_large_difference():
    """Nine small losses in a row and one large: ranks see a difference, the t test does not."""
    values = np.zeros((2, 10, 1, 1))
    values[0, :, 0, 0] = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 40]
    names = tuple(f"d{i}" for i in range(10))
    return bk.Scores(learners=("a", "b"), datasets=names, values=values, measure="error", larger_is_better=False)


def circle():
    """Each of three learners beats the next on two data sets of three: every order has one against the tests."""
    values = np.tile([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]], (1, 20))
    names = tuple(f"d{i}" for i in range(60))
    return bk.Scores(
        learners=tuple("abc"), datasets=names, values=values[:, :, None, None], measure="error", larger_is_better=False
    )


def constant_gap():
    values = np.array([[0.1, 0.2], [0.3, 0.4]])[:, :, None, None]
    return bk.Scores(learners=("a", "b"), datasets=("u", "v"), values=values, measure="error", larger_is_better=False)


COST = {"price": {"a": 1.0, "b": 1.0, "c": 2.0}}
ONE_RUN = Origin("cross_validate", assumed=("one-replication",))
ASSUMED = Origin("table", assumed=("rows-are-datasets",))
CASES = {
    "K101": ((folds((1, 10)), {"test": "paired-t"}), (folds((1, 10)), {})),
    "K102": ((table(5), {}), (table(12), {})),
    "K103": ((table(12, origin=ASSUMED), {}), (table(12), {})),
    "K104": ((omnibus_accepts(), {}), (table(12), {})),
    "K105": ((table(8), {}), (table(10), {})),
    "K106": ((items(tuple("xy" * 15)), {"groups": "fixed"}), (items(tuple("xy" * 15)), {})),
    "K107": ((table(14, k=6, gap=0.004), {}), (table(14, k=6, gap=0.004), {"adjust": "holm"})),
    "K108": ((against_its_mean(), {}), (folds(), {})),
    "K109": ((folds(costs=COST), {"prior": "price"}), (folds(costs=COST), {"prior": ["a", "b", "c"]})),
    "K110": ((with_gap(table(12)), {"missing": "drop-datasets"}), (table(12), {"missing": "drop-datasets"})),
    "K111": ((folds((1, 10)), {"test": "sign", "force": True}), (folds((1, 10)), {"force": True})),
    "K112": ((one_large_difference(), {}), (table(12, k=2), {})),
    "K114": ((folds((1, 10), origin=ONE_RUN), {}), (folds((1, 10)), {})),
    "K115": ((constant_gap(), {}), (table(12, k=2), {})),
    "K113": (
        (circle(), {"prior": list("abc"), "test": "sign"}),
        (circle(), {"prior": list("abc"), "test": "sign", "sides": "one"}),
    ),
}


def codes(evidence, options):
    return {advice.code for advice in bk.judge(evidence, **options).advice}


@pytest.mark.parametrize("code", CASES)
def test_fires_on_one_and_is_silent_on_another(code):
    fires, silent = CASES[code]
    assert code in codes(*fires)
    assert code not in codes(*silent)


def test_every_registered_pitfall_has_a_case_and_a_page():
    assert tuple(sorted({*CASES, *OVER_DATASETS, *SEVERAL_MEASURES})) == ADVICE.names()
    page = (ROOT / "docs" / "advice.md").read_text(encoding="utf-8")
    for code in ADVICE:
        assert f"## {code}" in page


def test_k102_says_the_truth():
    """With five data sets no outcome of Wilcoxon's test is significant; with six the clearest one is."""
    for datasets, possible in ((5, False), (6, True)):
        evidence = table(datasets, k=2, gap=10.0)
        verdict = bk.judge(evidence, test="wilcoxon")
        assert (verdict.status == "decided") == possible
        assert ("K102" in codes(evidence, {"test": "wilcoxon"})) != possible


def test_advice_reads_as_a_sentence():
    said = [repr(advice) for advice in bk.judge(table(5)).advice]
    assert all(line.startswith("K1") and line.endswith(".") and ".." not in line for line in said)
