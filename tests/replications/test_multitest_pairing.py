"""Tables 2 and 3 of the MultiTest paper from paired and from unpaired errors."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.core.extras import available
from bestofk.ordering import multitest
from bestofk.replications.multitest import replicate
from bestofk.replications.multitest.choices import (
    OTHERS,
    PAIRINGS,
    PAIRS,
    PAPER,
    choices_of,
    first_tested,
    published_shares,
    unpaired,
)
from bestofk.replications.multitest.experiment import FoldErrors, fold_errors
from bestofk.replications.multitest.pairing import (
    READINGS,
    PrintedShare,
    choices_by_pairing,
    fit_of,
    pairing_agreement,
    pairing_section,
    printed_shares,
)
from bestofk.replications.multitest.published import LEARNERS, RUNS, dataset_names, paper_sets

MULTITEST, FIRST, FIRST_OWN = READINGS


@pytest.mark.parametrize("runs", [5, 6, 40])
def test_unpaired_runs_share_no_halves_and_every_error_is_used_once(runs):
    errors = np.arange(5 * runs * 10, dtype=float).reshape(5, runs, 5, 2)
    apart = unpaired(errors)
    of_run = (apart[:, :, 0, 0] // 10 % runs).astype(int)  # the run that each learner's errors come from
    assert all(len(set(of_run[:, run])) == 5 for run in range(runs))
    for place in range(5):
        assert sorted(of_run[place]) == list(range(runs))
        np.testing.assert_array_equal(apart[place], errors[place, of_run[place]])


def test_too_few_runs_and_unknown_pairings_are_refused():
    with pytest.raises(InputError, match="4 runs of 5 learners"):
        unpaired(np.zeros((5, 4, 5, 2)))
    with pytest.raises(InputError, match="paird"):
        choices_of("iris", np.zeros((5, 6, 5, 2)), 1, pairing="paird")


def common_halves(runs, seed=0, common=0.03, own=0.004):
    """Errors that easy and hard halves move together; each learner is a point better than the one before."""
    random = np.random.default_rng(seed)
    moved = common * random.normal(size=(1, runs, 5, 2)) + own * random.normal(size=(5, runs, 5, 2))
    return np.array([0.34, 0.33, 0.32, 0.31, 0.30])[:, None, None, None] + moved


def test_pairing_decides_where_halves_move_all_errors_together():
    errors = common_halves(200)
    paired, apart = (choices_of("s", errors, 1, pairing=pairing)["MultiTest"] for pairing in PAIRINGS)
    sampling = 100 * (0.25 / 200) ** 0.5
    assert paired.percent("MAX") < apart.percent("MAX") - 3 * 2**0.5 * sampling
    # Independent errors lose nothing.
    errors = common_halves(200, common=0.0)
    paired, apart = (choices_of("s", errors, 1, pairing=pairing)["MultiTest"] for pairing in PAIRINGS)
    for name in LEARNERS:
        assert abs(paired.percent(name) - apart.percent(name)) <= 3 * 2**0.5 * sampling


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_where_test_first_names_the_last_learner_multitest_does_at_the_same_level(pairing):
    errors = common_halves(400, common=0.002, own=0.002)
    losses = (unpaired(errors) if pairing == "unpaired" else errors).transpose(1, 0, 2, 3)
    chosen = multitest(losses).best == 4
    same, own = (
        first_tested(losses, np.random.default_rng(0), replace(PAPER, first=tests)) == 4 for tests in (PAIRS, OTHERS)
    )
    assert 0 < same.sum() <= own.sum()
    assert chosen[same].all()
    # The published rows cannot come from the same errors and level.
    assert published_shares()["TestFirst"]["NN"] > published_shares()["MultiTest"]["NN"]


def test_chance_covers_two_binomial_samples_and_rounding():
    random = np.random.default_rng(3)
    for share in (0.02, 0.3, 0.5, 0.95):
        ours, theirs = random.binomial(200, share, 2000) / 2.0, np.round(random.binomial(RUNS, share, 2000) / 10.0)
        drawn = [PrintedShare("s", "NN", b, a, 200).within_chance for a, b in zip(ours, theirs, strict=True)]
        assert np.mean(drawn) > 0.985
    # Three standard errors by hand: 3 · 100 · √(0.52 · 0.48 · 6/1000) = 11.6 of 200 runs; 6.7 of as many as theirs.
    assert PrintedShare("s", "NN", 50.0, 62.0, 200).chance == pytest.approx(11.61 + 0.5, abs=0.01)
    assert [PrintedShare("s", "NN", 50.0, ours, RUNS).within_chance for ours in (57.0, 57.5)] == [True, False]


def test_the_report_tells_of_both_pairings():
    made = {name: FoldErrors(name, common_halves(6, seed=at), 0.1) for at, name in enumerate(dataset_names())}
    found = choices_by_pairing(made, 1)
    section = pairing_section(found)
    lines = pairing_agreement(found)
    assert [line.met for line in lines] == [None] * 6
    fits, by_set, totals = section.blocks[1:4]
    assert [row[:2] for row in fits.table.rows] == [(each.words, pairing) for each in READINGS for pairing in PAIRINGS]
    assert len(by_set.table.rows) == 30
    assert len(totals.table.rows) == 3 * 5
    few = pairing_section(choices_by_pairing({"iris": made["iris"]}, 1))
    assert [block.anchor for block in few.blocks[1:3]] == ["pairing-fit", "pairing-sets"]
    if available("matplotlib"):
        assert section.blocks[-1].figures[0].svg(width="phone").startswith("<svg")


@pytest.mark.parametrize("runs", [4, 5])
def test_five_runs_are_enough_and_fewer_are_said_to_be_too_few(runs):
    made = {"iris": FoldErrors("iris", common_halves(runs), 0.1)}
    whole = replicate.replication_of(made, {"iris": made["iris"].errors}, runs, 1, ())
    told = runs == 5
    assert ("pairing" in [section.anchor for section in whole.sections]) is told
    assert any(line.what.startswith("Unpaired errors") for line in whole.agreement) is told
    assert any(line.startswith("Unpaired errors") for line in whole.left_out) is not told


@pytest.mark.usefixtures("kernels")
def test_a_few_runs_of_iris_agree_within_chance():
    made = {"iris": fold_errors(paper_sets(None, ["iris"]).sets["iris"], 40, 1)}
    found = choices_by_pairing(made, 1)
    shares = printed_shares(found[PAIRS, "unpaired"], "MultiTest")
    assert [share.selected for share in shares] == ["NMC", "LGC"]
    assert all(share.within_chance for share in shares)
    assert "do not show which pairing fits" in pairing_section(found).blocks[0].lines[1]


@pytest.mark.slow
def test_the_published_columns_fit_unpaired_errors_each_at_its_own_level():
    folder = Path(os.environ.get("BESTOFK_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if not (folder / "index.json").is_file():
        pytest.skip(f"no data sets: {folder} has no index.json (set BESTOFK_DATA)")
    sets = {name: each for name, each in paper_sets(folder, ()).sets.items() if each.rows < 1_000}
    assert len(sets) == 20
    found = choices_by_pairing({name: fold_errors(each, 200, 2) for name, each in sets.items()}, 1)
    for reading, nearer in ((MULTITEST, "unpaired"), (FIRST, "paired"), (FIRST_OWN, "unpaired")):
        near, far = sorted((fit_of(found, reading, each) for each in PAIRINGS), key=lambda fit: fit.pairing != nearer)
        assert near.within > far.within, reading
        assert near.mean < far.mean, reading
