"""The best learner according to a Newman–Keuls test, where its underlines name one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bestofk.core.errors import InputError
from bestofk.stats.intake import refuse_duplicates
from bestofk.stats.omnibus.newman_keuls import newman_keuls


def newman_keuls_best(losses: Any, prior: Sequence[Any] | None = None, *, alpha: float = 0.05) -> Any | None:
    """Run Newman–Keuls on losses (K, L) or a dict, and return the best learner or None.

    Examples
    --------
    >>> losses = {"simple": [.30, .31, .33], "middle": [.21, .22, .20], "complex": [.22, .21, .24]}
    >>> newman_keuls_best(losses, prior=["simple", "middle", "complex"])
    'middle'
    """
    result = newman_keuls(losses, alpha=alpha)
    if not isinstance(result.order, tuple):
        raise InputError(
            "losses are a batch.",
            "newman_keuls_best, argument losses",
            "give one table of learners and folds.",
        )
    order = result.order
    return newman_keuls_best_from(order, result.ranges, prior if prior is not None else result.names or sorted(order))


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
