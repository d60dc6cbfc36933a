"""Skillings and Mack's test: tables with gaps."""

from itertools import permutations

import numpy as np
import pytest
import scipy.stats

from bestofk.core.errors import InputError
from bestofk.stats.omnibus.friedman import friedman
from bestofk.stats.omnibus.skillings_mack import skillings_mack
from bestofk.stats.pairwise import mcnemar

NAN = float("nan")


# R 4.2.2 running the computation of PMCMRplus' skillingsMackTest (github.com/cran/PMCMRplus at 59992fd, MASS::ginv).
# BRADY: Hollander and Wolfe 1999, example 7.8. ASSEMBLY: Skillings and Mack 1981, Table 1. The tests of tlsfuzzer hold
# their own Skillings-Mack to PMCMRplus as well: 13.28095 (p 0.001306405) for BRADY, 12.53551 (p 0.01378318) for SPARSE.
BRADY = [[3, 5, 15], [1, 3, 18], [5, 4, 21], [2, NAN, 6], [0, 2, 17], [0, 2, 10], [0, 3, 8], [0, 2, 13]]

ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, NAN],
    [NAN, 4.2, 3.4, NAN],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, NAN, 3.7, 3.9],
]

SPARSE = [
    [3, 5, 15, NAN, 4],
    [1, 3, NAN, NAN, NAN],
    [5, 4, 21, 5, NAN],
    [2, NAN, 6, NAN, NAN],
    [0, 2, 17, NAN, NAN],
    [0, 2, 10, NAN, NAN],
    [0, 3, NAN, 5, NAN],
    [0, 2, 13, NAN, NAN],
]


@pytest.mark.parametrize(
    ("table", "statistic", "pvalue"),
    [
        (BRADY, 13.280951844581, 0.0013064053484355),
        (ASSEMBLY, 15.493048797529, 0.0014402963024909),
        (SPARSE, 12.535506474354, 0.01378318319236),
    ],
)
def test_skillings_mack_agrees_with_pmcmrplus(table, statistic, pvalue):
    result = skillings_mack(table)
    assert result.statistic == pytest.approx(statistic, rel=1e-11)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-10)
    assert result.df == (len(table[0]) - 1.0,)


def random_gaps(rng, shape, share=0.3):
    """Losses without ties, with gaps, and two full rows that connect all learners."""
    table = rng.random(shape)
    gaps = rng.random(shape) < share
    gaps[..., :2, :] = False
    return np.where(gaps, NAN, table)


def enumerated_skillings_mack(table):
    """The statistic from its definition: mean and covariance of the sums by dealing every row's ranks in every way."""
    k = len(table[0])
    sums, covariance = np.zeros(k), np.zeros((k, k))
    for row in table:
        there = [j for j in range(k) if not np.isnan(row[j])]
        if len(there) < 2:
            continue
        weight = np.sqrt(12 / (len(there) + 1))
        centred = weight * (scipy.stats.rankdata([row[j] for j in there]) - (len(there) + 1) / 2)
        sums[there] += centred
        dealt = np.array(list(permutations(weight * (np.arange(1, len(there) + 1) - (len(there) + 1) / 2))))
        covariance[np.ix_(there, there)] += dealt.T @ dealt / len(dealt)
    return sums @ np.linalg.pinv(covariance) @ sums


@pytest.mark.parametrize("seed", range(6))
def test_skillings_mack_agrees_with_its_definition(seed):
    table = random_gaps(np.random.default_rng(seed), (9, 5), share=0.5)
    assert skillings_mack(table).statistic == pytest.approx(enumerated_skillings_mack(table), rel=1e-10)


def test_skillings_mack_of_a_complete_table_is_friedman():
    table = np.random.default_rng(0).random((12, 5))
    result, plain = skillings_mack(table), friedman(table)
    theirs = scipy.stats.friedmanchisquare(*table.T)
    assert result.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    assert result.mean_ranks == pytest.approx(plain.mean_ranks, rel=1e-12)
    assert result.estimate == pytest.approx(plain.estimate)
    tied = np.random.default_rng(1).integers(0, 3, (12, 5))
    assert skillings_mack(tied).statistic == pytest.approx(friedman(tied, ties=False).statistic, rel=1e-12)


def test_skillings_mack_of_two_learners_is_the_sign_test_s_square():
    # Every row adds ±1, so the statistic is (wins − losses)²/n: McNemar without correction.
    rng = np.random.default_rng(3)
    table = rng.random((20, 2))
    wins = int((table[:, 0] > table[:, 1]).sum())
    assert skillings_mack(table).statistic == pytest.approx(mcnemar(wins, 20 - wins, method="chi2").statistic)


def test_skillings_mack_says_what_it_used():
    table = [*ASSEMBLY, [NAN, NAN, 0.1, NAN], [NAN] * 4]
    result = skillings_mack(table)
    assert result.statistic == pytest.approx(skillings_mack(ASSEMBLY).statistic, rel=1e-14)
    assert (result.blocks, result.dropped) == (9, 2)
    assert result.counts.tolist() == [8, 8, 9, 7]
    assert result.estimate == pytest.approx(np.nanmean(ASSEMBLY, axis=0))
    # Weighted centred ranks −14.1256, 4.2812, −4.2812, 14.1256 by R, over the counts, on the scale of four learners.
    sums = np.array([-14.1255975154, 4.2812441461, -4.2812441461, 14.1255975154])
    assert result.mean_ranks == pytest.approx(2.5 + np.sqrt(5 / 12) * sums / [8, 8, 9, 7], rel=1e-9)


def test_skillings_mack_takes_gaps_in_every_form():
    plain = skillings_mack(ASSEMBLY).statistic
    array = np.array(ASSEMBLY)
    with_none = [[None if np.isnan(value) else value for value in row] for row in ASSEMBLY]
    masked = np.ma.masked_invalid(array)
    columns = dict(zip("abcd", array.T, strict=True))
    for form in (with_none, masked, list(masked), columns, {key: list(values) for key, values in columns.items()}):
        assert skillings_mack(form).statistic == pytest.approx(plain, rel=1e-14)
    assert skillings_mack(columns).names == tuple("abcd")
    kept = array.copy()
    skillings_mack(array)
    assert np.array_equal(array, kept, equal_nan=True)


def test_skillings_mack_takes_data_frames():
    pandas = pytest.importorskip("pandas", reason="data frames are pandas'")
    frame = pandas.DataFrame(ASSEMBLY, columns=list("abcd"))
    assert skillings_mack(frame).statistic == skillings_mack(ASSEMBLY).statistic
    assert skillings_mack(frame.astype("Float64")).statistic == skillings_mack(ASSEMBLY).statistic


def test_skillings_mack_in_batches():
    tables = random_gaps(np.random.default_rng(4), (2, 3, 8, 4))
    batch = skillings_mack(tables)
    assert batch.pvalue.shape == (2, 3)
    assert batch.mean_ranks.shape == (2, 3, 4)
    for index in np.ndindex(2, 3):
        single = skillings_mack(tables[index])
        assert batch.statistic[index] == pytest.approx(single.statistic, rel=1e-12)
        assert batch.mean_ranks[index] == pytest.approx(single.mean_ranks, rel=1e-12)
        assert batch.blocks[index] == single.blocks


def test_skillings_mack_looks_at_order_only():
    table = random_gaps(np.random.default_rng(5), (8, 4))
    plain = skillings_mack(table).statistic
    assert skillings_mack(np.exp(3.0 * table)).statistic == pytest.approx(plain, rel=1e-12)
    assert skillings_mack(table + np.arange(8.0)[:, None]).statistic == pytest.approx(plain, rel=1e-12)
    assert skillings_mack(table[::-1]).statistic == pytest.approx(plain, rel=1e-12)
    turned = skillings_mack(table[:, ::-1])
    assert turned.statistic == pytest.approx(plain, rel=1e-10)
    assert turned.mean_ranks[::-1] == pytest.approx(skillings_mack(table).mean_ranks, rel=1e-12)
    assert skillings_mack(-table).mean_ranks == pytest.approx(5.0 - skillings_mack(table).mean_ranks, rel=1e-12)


def test_skillings_mack_of_identical_learners():
    same = np.where(np.isnan(ASSEMBLY), NAN, 0.25)
    result = skillings_mack(same)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    assert (result.mean_ranks == 2.5).all()
    rounding = np.array([[0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]])
    assert skillings_mack(rounding).pvalue == 1.0


def test_skillings_mack_holds_its_level_with_gaps():
    tables = random_gaps(np.random.default_rng(6), (4000, 15, 4))
    rejected = np.mean(skillings_mack(tables).rejects(0.05))
    assert 0.035 < rejected < 0.06  # standard error 0.0034; the χ² form is a little conservative


def test_skillings_mack_finds_a_difference_through_gaps():
    rng = np.random.default_rng(7)
    tables = random_gaps(rng, (500, 15, 4)) + np.array([0.0, 0.0, 0.0, 0.6])
    result = skillings_mack(tables)
    assert np.mean(result.rejects(0.05)) > 0.8
    assert (np.argmax(result.mean_ranks, axis=-1) == 3).mean() > 0.95


def test_learners_without_a_common_data_set_are_refused_by_name():
    apart = {"lda": [0.1, 0.2, NAN, NAN], "knn": [0.2, 0.1, NAN, NAN], "svm": [NAN, NAN, 0.1, 0.2]}
    apart["tree"] = [NAN, NAN, 0.3, 0.1]
    with pytest.raises(InputError, match=r"connects 'lda', 'knn'.*'svm', 'tree'"):
        skillings_mack(apart)
    chain = np.full((8, 5), NAN)
    for i in range(8):
        chain[i, [i % 4, i % 4 + 1]] = [i, 0.5]
    assert skillings_mack(chain).df == (4.0,)  # connected, through others only
    batch = np.stack([chain, chain])
    batch[1, [0, 4]] = NAN
    with pytest.raises(InputError, match=r"connects 0 with 1, 2, 3, 4") as caught:
        skillings_mack(batch)
    assert "table (1,)" in caught.value.where
