"""Methods that name the best learner alone: TestFirst, ANOVA, Newman–Keuls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import level_inside, refuse_duplicates
from bestofk.ordering.contest import contest, one_sided_test
from bestofk.stats.method import cites, method_of
from bestofk.stats.omnibus.anova import anova
from bestofk.stats.omnibus.range_tests import newman_keuls


@cites(
    "yildiz",
    called="testing each learner against the simpler ones",
    assumes="what its pairwise test assumes, and a preference that was fixed before the results were seen",
    not_for="a whole order, or results of which some learner has to be named: often it names none",
)
def test_first(
    losses: Any,
    prior: Sequence[Any] | None = None,
    *,
    test: str = "5x2cv-t",
    alpha: float = 0.05,
    level: float | None = None,
    **options: Any,
) -> Any:
    """Return the learner with the smallest mean loss if it beats every simpler one, else None.

    It is compared one-sided with each learner preferred to it, never with the less preferred ones; equal means go to
    the preferred learner. A batch gives positions, −1 where there is no best.

    Parameters
    ----------
    losses : dict of name → design, or array_like (..., K, design)
    prior : sequence, optional
        Learners, most preferred first; the order given when absent.
    test : str
        A registered pairwise test that can be one-sided.
    alpha : float
        Family-wise level.
    level : float, optional
        Level of each test; MultiTest's α/(K(K−1)/2) when absent.
    **options
        Passed to the test.

    References
    ----------
    Yıldız and Alpaydın 2006, section 4.2.

    Examples
    --------
    >>> losses = {"simple": [.30, .31, .33], "complex": [.21, .22, .20]}
    >>> test_first(losses, test="paired-t")
    'complex'
    """
    where = "test_first"
    alpha = level_inside(alpha, name="alpha", where=where)
    run = one_sided_test(test, where=where)
    given = contest(losses, prior, axes=method_of(run).axes_with(options), where=where)
    k = len(given.preferred)
    each = 2.0 * alpha / (k * (k - 1)) if level is None else level_inside(level, name="level", where=where)
    best = given.by_mean()[..., 0]
    index = np.asarray(best)[(..., *[None] * (given.axes + 1))]
    winner = np.take_along_axis(given.losses, index, axis=-given.axes - 1)
    pvalue = np.asarray(run(given.losses, winner, alternative="greater", **options).pvalue)
    simpler = np.arange(k) < np.asarray(best)[..., None]
    found = (~simpler | (pvalue <= each)).all(axis=-1)
    return given.named(np.asarray(np.where(found, best, -1)))


test_first.__test__ = False  # type: ignore[attr-defined]  # the paper's name; pytest must not collect it


@cites(
    "yildiz",
    called="ANOVA",
    assumes="independent normal groups with the same spread, and a preference fixed before the results were seen",
    not_for="learners of which one is better: it names none then",
)
def anova_best(losses: Any, prior: Sequence[Any] | None = None, *, alpha: float = 0.05) -> Any:
    """Return the most preferred learner when ANOVA finds no difference, else None.

    A rejection says that some learner differs, not which. Losses are (..., K, L) or a dict of name → values; a batch
    gives positions, −1 where there is no best.

    References
    ----------
    Yıldız and Alpaydın 2006, section 4.2.

    Examples
    --------
    >>> anova_best({"simple": [.30, .21, .25], "complex": [.21, .32, .20]})
    'simple'
    """
    where = "anova_best"
    alpha = level_inside(alpha, name="alpha", where=where)
    given = contest(losses, prior, axes=1, where=where)
    accepted = np.asarray(anova(given.losses).pvalue) > alpha
    return given.named(np.asarray(np.where(accepted, 0, -1)))


@cites(
    "yildiz",
    called="the Newman–Keuls test",
    assumes="independent normal groups of one size with the same spread, and a preference fixed before the "
    "results were seen",
    not_for="claims at alpha: Newman–Keuls parts equal learners too often where others differ",
)
def newman_keuls_best(losses: Any, prior: Sequence[Any] | None = None, *, alpha: float = 0.05) -> Any:
    """Run Newman–Keuls and return the best learner, or None where its underlines name none.

    Losses are (..., K, L) or a dict of name → values; a batch gives positions, −1 where there is no best.

    Examples
    --------
    >>> losses = {"simple": [.30, .31, .33], "middle": [.21, .22, .20], "complex": [.22, .21, .24]}
    >>> newman_keuls_best(losses, prior=["simple", "middle", "complex"])
    'middle'
    """
    given = contest(losses, prior, axes=1, where="newman_keuls_best")
    result = newman_keuls(given.losses, alpha=alpha)
    together = np.asarray(result.pvalue) > alpha  # the diagonal too: everyone shares a line with himself
    first = np.asarray(result.order)[..., 0]
    # The learners stand in order of preference, so the simplest of a group is its first place.
    with_first = np.take_along_axis(together, first[..., None, None], axis=-2)[..., 0, :]
    simplest = np.argmax(with_first, axis=-1)
    beside = np.take_along_axis(together, simplest[..., None, None], axis=-2)[..., 0, :]
    # Another line that holds the simplest together with one simpler still: no best.
    overruled = np.argmax(beside, axis=-1) < simplest
    return given.named(np.asarray(np.where(overruled, -1, simplest)))


def newman_keuls_best_from(order: Sequence[Any], ranges: Iterable[Sequence[Any]], prior: Sequence[Any]) -> Any | None:
    """Return the best learner from an order by mean loss and its underlines, or None where they name none.

    Let s be the simplest learner in the range of the first; without a range the first is best. There is no best when
    another range contains s together with a learner simpler than s.

    References
    ----------
    Yıldız and Alpaydın 2006, section 4.2: the four conditions and their counterexample.

    Examples
    --------
    >>> newman_keuls_best_from((5, 2, 4, 3, 1), [(5, 2, 4), (4, 3)], prior=(1, 2, 3, 4, 5))
    2
    >>> newman_keuls_best_from((5, 4, 2, 1, 3), [(5, 4, 2), (2, 1)], prior=(1, 2, 3, 4, 5)) is None
    True
    """
    where = "newman_keuls_best_from"
    order, prior = tuple(order), tuple(prior)
    refuse_duplicates(prior, what="learner", where=f"{where}, argument prior")
    preference = {name: i for i, name in enumerate(prior)}
    if not order or set(order) != set(preference) or len(order) != len(preference):
        raise InputError(
            f"order {tuple(order)} and prior {tuple(prior)} do not name the same learners.",
            f"{where}, arguments order and prior",
            "name every learner once in each.",
        )
    groups = [tuple(group) for group in ranges]
    for group in groups:
        if not set(group) <= set(preference):
            raise InputError(
                f"range {group} names unknown learners.", f"{where}, argument ranges", "use names of order."
            )
    of_first = next((group for group in groups if order[0] in group), (order[0],))
    simplest = min(of_first, key=preference.__getitem__)
    others = [group for group in groups if group != of_first and simplest in group]
    overruled = any(preference[name] < preference[simplest] for group in others for name in group)
    return None if overruled else simplest
