"""The best learner according to a Newman–Keuls test, where its underlines name one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates
from bestofk.ordering.contest import contest
from bestofk.stats.omnibus.range_tests import newman_keuls


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
