"""Vectors of measures over many data sets: two learners by signs dealt anew, more by places dealt within data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, without_rounding
from bestofk.core.errors import TooFewUnits
from bestofk.core.options import count_of, one_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.distributions import chi2_tail
from bestofk.stats.learners import Names, tables_of
from bestofk.stats.method import cites
from bestofk.stats.multivariate.flips import SHUFFLES, flip_patterns, place_patterns, share_as_extreme
from bestofk.stats.pair import paired
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric, Result

_SCORES: dict[str, Callable[[Array], Array]] = {
    "signed-ranks": lambda z: spatial_signed_ranks(tyler_standardised(z)),
    "signs": lambda z: spatial_signs(tyler_standardised(z)),
    "means": lambda z: z,
}
_BLOCK_SCORES = ("ranks", "means")
_HELD = 4_000_000  # numbers held at once for the signed ranks


class OverDatasetsResult(Result):
    """Result over data sets: ``statistic`` is the quadratic form Q, ``estimate`` what it is about.

    ``rank`` measures vary independently; ``asymptotic_pvalue`` takes Q as χ² for many data sets; ``patterns`` were
    counted, all there are when ``exact``.
    """

    scores: str
    rank: Numeric
    asymptotic_pvalue: Numeric
    patterns: int
    exact: bool
    names: Names = None

    symbol: ClassVar[str] = "Q"

    @property
    def counted(self) -> int:
        """The patterns."""
        return self.patterns


@cites(
    "mottonen",
    called="the multivariate signed-rank test",
    assumes="independent data sets, each difference as likely with the other sign if the learners are equal",
    not_for="folds, whose training sets overlap, or fewer than six data sets, which cannot reject at 0.05",
)
def hotelling_over_datasets(
    first: Any, second: Any, *, scores: str = "signed-ranks", shuffles: int = SHUFFLES, rng: Seed = None
) -> OverDatasetsResult:
    r"""Do two learners differ in any of p measures over many data sets?

    .. math:: Q = s^\top \left(\sum_i v_i v_i^\top\right)^{-1} s, \qquad s = \sum_i v_i

    with one score vector vᵢ per data set, made of its difference dᵢ. Under the null hypothesis dᵢ may as well have
    the other sign, on each data set by itself: Q is compared with that of all 2^D signs (D ≤ 17), or of random ones,
    p = (b + 1)/(shuffles + 1). Units and linear combinations of the measures do not matter.

    Parameters
    ----------
    first, second : array_like, (..., D, p)
        p measures of the two learners on D data sets, means over the folds of each.
    scores : {"signed-ranks", "signs", "means"}
        ``signed-ranks``: spatial signed ranks, little troubled by data sets with large differences. ``signs``: the
        direction of dᵢ alone, for differences that cannot be compared between data sets. ``means``: dᵢ itself; Q is
        then D·T²/(T² + D − 1) of Hotelling's T². The first two in Tyler's coordinates.
    shuffles : int
        Random sign patterns for D > 17; one set of patterns serves the whole batch.
    rng : int, Generator or None
        Seed; the same seed gives the same p.

    Notes
    -----
    One measure: ``means`` is ``permutation_t`` and ``signs`` is ``sign_test``. D must exceed the measures that vary
    independently; the smallest p is 2^(1 − D), so six data sets are the least that can reject at 0.05.

    References
    ----------
    Möttönen and Oja 1995, *Multivariate spatial sign and rank methods*. Randles 2000, *A simpler, affine-invariant,
    multivariate, distribution-free sign test*. Tyler 1987. Yıldız, Aslan and Alpaydın 2011 name the question.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> base = rng.random((9, 2))
    >>> hotelling_over_datasets(base + [0.05, 0.0], base + 0.02 * rng.normal(size=(9, 2)))
    hotelling-over-datasets (two-sided): Q = 8.227, df = 2, p = 0.003906: rejects at 0.05
    """
    where = "hotelling-over-datasets"
    scores = one_of(scores, _SCORES, name="scores", where=where)
    shuffles, random = count_of(shuffles, name="shuffles", where=where), generator(rng, where=where)
    pair = paired(first, second, where=where, axes=2)
    scale = np.maximum(*(np.abs(side).max(axis=-2, keepdims=True) for side in (pair.first, pair.second)))
    difference = without_rounding(pair.difference, scale)
    batch, (n, p) = difference.shape[:-2], difference.shape[-2:]
    vectors, rank = _vectors(difference.reshape(-1, n, p), scores)
    _refuse_too_few(n, rank, where)
    q = np.square(vectors.sum(axis=-2)).sum(axis=-1)
    patterns = flip_patterns(n, shuffles, random)
    estimate = pair.difference.mean(axis=-2)
    return _counted(vectors, q, patterns, batch, rank, rank.astype(float), test=where, estimate=estimate, scores=scores)


@cites(
    "gerig",
    called="the multivariate Friedman test",
    assumes="independent data sets, on each of which vectors may change places if the learners are equal",
    not_for="folds, whose training sets overlap, or the question which learners differ",
)
def manova_over_datasets(
    values: Any, *, scores: str = "ranks", shuffles: int = SHUFFLES, rng: Seed = None
) -> OverDatasetsResult:
    r"""Do L learners have the same vector of p measures over many data sets?

    .. math:: Q = (L - 1) \sum_j s_j^\top \left(\sum_{ij} v_{ij} v_{ij}^\top\right)^{-1} s_j, \qquad s_j = \sum_i v_{ij}

    with vᵢⱼ the scores of learner j on data set i, less their mean there. Under the null hypothesis the vectors of a
    data set may change places between the learners: all (L!)^(D − 1) deals are counted when there are at most 65,536,
    otherwise random ones. Q is Pillai's trace with data sets as blocks; for ranks of one measure it is Friedman's χ².

    Parameters
    ----------
    values : array_like (..., L, D, p), or dict of name → (D, p)
        p measures of L learners on D data sets.
    scores : {"ranks", "means"}
        ``ranks``: of the learners within the data set, measure by measure. ``means``: the values themselves, for data
        sets on one scale; linear combinations of the measures do not matter then.
    shuffles : int
        Random deals; one set of them serves the whole batch.
    rng : int, Generator or None

    References
    ----------
    Gerig 1969, *A multivariate extension of Friedman's χ² test*. Puri and Sen 1971.

    Examples
    --------
    >>> values = np.random.default_rng(0).normal(size=(3, 12, 2))
    >>> manova_over_datasets(values, rng=0)
    manova-over-datasets (two-sided): Q = 6.885, df = 4, p = 0.1396: does not reject at 0.05
    """
    where = "manova-over-datasets"
    scores = one_of(scores, _BLOCK_SCORES, name="scores", where=where)
    shuffles, random = count_of(shuffles, name="shuffles", where=where), generator(rng, where=where)
    names, table = tables_of(values, where=where)
    batch, (learners, n, p) = table.shape[:-3], table.shape[-3:]
    blocks = np.moveaxis(table.reshape(-1, learners, n, p), 1, 2)  # (tests, D, L, p)
    rows, rank = orthonormal(_block_scores(blocks, scores).reshape(-1, n * learners, p))
    _refuse_too_few(n * (learners - 1), rank, where)
    unit = rows * np.sqrt(learners - 1.0)
    q = np.square(unit.reshape(-1, n, learners, rows.shape[-1]).sum(axis=1)).sum(axis=(-1, -2))
    patterns, freedom = place_patterns(n, learners, shuffles, random), rank * (learners - 1.0)
    facts = {"test": where, "estimate": table.mean(axis=-2), "scores": scores, "names": names}
    return _counted(unit, q, patterns, batch, rank, freedom, **facts)


def _counted(
    rows: Array,
    q: Array,
    patterns: tuple[bool, Iterator[Array]],
    batch: tuple[int, ...],
    rank: np.ndarray,
    freedom: Array,
    **facts: Any,
) -> OverDatasetsResult:
    """Compare Q with that of the patterns, all of them or random ones."""
    exact, every = patterns
    pvalue, counted = share_as_extreme(rows, q, every, exact)
    return OverDatasetsResult(
        statistic=q.reshape(batch),
        pvalue=pvalue.reshape(batch),
        df=(freedom.reshape(batch) if np.ptp(rank) else float(freedom.max()),),
        alternative="two-sided",
        rank=rank.reshape(batch),
        asymptotic_pvalue=chi2_tail(q, np.maximum(freedom, 1.0)).reshape(batch),
        patterns=counted,
        exact=exact,
        **facts,
    )


def _vectors(difference: Array, scores: str) -> tuple[Array, np.ndarray]:
    """Score vectors with unit scatter, and the rank of the differences, in parts that fit into memory."""
    _, rank = orthonormal(difference)
    step = max(1, _HELD // (difference.shape[1] ** 2 * difference.shape[2]))
    parts = [difference[i : i + step] for i in range(0, len(difference), step)]
    found = [orthonormal(_SCORES[scores](orthonormal(part)[0]))[0] for part in parts]
    return np.concatenate(found), rank


def _block_scores(blocks: Array, scores: str) -> Array:
    """Scores of the learners within each data set, less their mean; equal values up to rounding are ties."""
    centred = blocks - blocks.mean(axis=-2, keepdims=True)
    rounding = ROUNDING * np.abs(blocks).max(axis=(-2, -3), keepdims=True)
    if scores == "means":
        return np.where(np.abs(centred) <= rounding, 0.0, centred)
    ranks = np.moveaxis(average_ranks(np.moveaxis(blocks, -2, -1), np.moveaxis(rounding, -2, -1)), -1, -2)
    return np.asarray(ranks - ranks.mean(axis=-2, keepdims=True))


def _refuse_too_few(freedom: int, rank: np.ndarray, where: str) -> None:
    if freedom <= int(rank.max()):
        raise TooFewUnits(
            f"the data sets cannot carry {int(rank.max())} measures that vary independently.",
            f"{where}, axes of data sets and measures",
            "add data sets, or compare fewer measures.",
        )


# Spatial signs and signed ranks of difference vectors, in coordinates where the measures' units do not matter.


_STEPS = 50  # of Tyler's iteration; any number of them keeps the invariances, many only make the shape settle
_FLOOR = 1e-8  # keeps a shape invertible when most vectors lie in a plane


def orthonormal(vectors: Array) -> tuple[Array, np.ndarray]:
    """Return coordinates (..., n, r) with unit scatter Σvvᵀ, and the rank; spare columns are 0.

    The scatter about 0, not about the mean, does not change when vectors change sign.
    """
    unit = np.sqrt(np.square(vectors).sum(axis=-2, keepdims=True))
    left, singular, _ = np.linalg.svd(vectors / np.where(unit > 0, unit, 1.0), full_matrices=False)
    kept = singular > 1e-9 * np.maximum(singular[..., :1], 1e-300)
    return left * kept[..., None, :], kept.sum(axis=-1)


def tyler_standardised(coordinates: Array) -> Array:
    """Return the vectors in coordinates in which their directions are spread evenly (Tyler 1987)."""
    p = coordinates.shape[-1]
    current = coordinates
    for _ in range(_STEPS):
        signs = spatial_signs(current)
        count = np.maximum((np.abs(signs).sum(axis=-1) > 0).sum(axis=-1), 1)[..., None, None]
        shape = p / count * np.swapaxes(signs, -1, -2) @ signs
        values, axes = np.linalg.eigh(shape)
        root = (axes / np.sqrt(np.maximum(values, _FLOOR))[..., None, :]) @ np.swapaxes(axes, -1, -2)
        current = current @ root
        current = current / np.maximum(np.abs(current).max(axis=(-1, -2), keepdims=True), 1e-300)
        if np.abs(values - np.round(values)).max() < 1e-10:  # the identity, or 0 for a spare column
            break
    return current


def spatial_signs(vectors: Array) -> Array:
    """Return unit vectors; the zero vector stays."""
    length = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def spatial_signed_ranks(vectors: Array) -> Array:
    """Return, per vector, the mean over all others of the directions from them and from their mirror images.

    It turns with the vector's own sign and does not care about the signs of the others (Möttönen and Oja 1995).
    """
    own, other = vectors[..., :, None, :], vectors[..., None, :, :]
    return np.asarray((spatial_signs(own - other) + spatial_signs(own + other)).mean(axis=-2) / 2.0)
