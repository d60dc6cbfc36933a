"""Hundreds and thousands of learners: bounded time and memory, or three lines."""

import time

import numpy as np
import pytest

import bestofk as bk
from bestofk.comparing.compare import PAIRS_ALLOWED, _fitted_means
from bestofk.ordering.methods import without_circles
from bestofk.stats.pairwise.signed_rank_null import _distinct


def scores(learners, datasets=20):
    rng = np.random.default_rng(0)
    values = 0.7 + np.linspace(0, 0.1, learners) + 0.05 * rng.normal(size=(datasets, learners))
    rows = {f"m{place}": values[:, place] for place in range(learners)}
    return bk.read({"dataset": [f"d{place}" for place in range(datasets)], **rows}, measure="loss")


def test_more_pairs_than_are_compared_are_refused_before_any_is(monkeypatch):
    evidence = scores(1500, datasets=6)
    start = time.process_time()
    with pytest.raises(bk.InputError) as caught:
        bk.judge(evidence)
    assert time.process_time() - start < 5
    assert "1,124,250 pairs" in caught.value.wrong
    assert f"{PAIRS_ALLOWED}=1124250" in caught.value.fix
    assert bk.judge(evidence, control="m0").comparison.control == "m0"
    monkeypatch.setenv(PAIRS_ALLOWED, "10")
    with pytest.raises(bk.InputError, match="at most 10 are compared"):
        bk.judge(scores(6))
    monkeypatch.setenv(PAIRS_ALLOWED, "15")
    assert len(bk.judge(scores(6)).comparison.pairs) == 15


@pytest.mark.slow
def test_time_grows_as_the_number_of_pairs():
    """A second for 300 learners; the fourth power of their number would be minutes for 1,200."""
    evidence = scores(1200, datasets=100)
    start = time.process_time()
    bk.judge(evidence)
    assert time.process_time() - start < 40


def test_differences_on_no_circle_are_those_that_no_path_leads_back_from():
    rng = np.random.default_rng(1)
    for _ in range(300):
        learners = int(rng.integers(1, 9))
        worse = rng.random((learners, learners)) < rng.random()
        np.fill_diagonal(worse, False)
        reach = worse.copy()
        for middle in range(learners):
            reach |= reach[:, [middle]] & reach[[middle]]
        assert (without_circles(worse) == (worse & ~reach.T)).all()


@pytest.mark.parametrize("shape", [(4, 9), (9, 4)])
def test_means_of_a_table_with_gaps_are_those_of_least_squares(shape):
    rng = np.random.default_rng(2)
    learners, datasets = shape
    for _ in range(30):
        rows = rng.normal(size=shape)
        rows[rng.random(shape) < 0.2] = np.nan
        k, d = np.nonzero(~np.isnan(rows))
        design = np.hstack([np.eye(learners)[k], np.eye(datasets)[d]])
        if np.linalg.matrix_rank(design) < learners + datasets - 1:
            continue  # parts that nothing connects
        effects = np.linalg.lstsq(design, rows[k, d], rcond=None)[0]
        np.testing.assert_allclose(_fitted_means(rows), effects[:learners] + effects[learners:].mean(), atol=1e-12)


def test_distinct_rows_are_found_also_where_hashes_meet(monkeypatch):
    rows = np.random.default_rng(3).integers(0, 3, size=(400, 5))
    for odd in (0x9E3779B97F4A7C15, 1):  # a weight of 1 is the sum: many rows have the same
        monkeypatch.setattr("bestofk.stats.pairwise.signed_rank_null._ODD", odd)
        found, which = _distinct(rows)
        assert (found[which] == rows).all()
        assert len(found) == len(np.unique(rows, axis=0))
