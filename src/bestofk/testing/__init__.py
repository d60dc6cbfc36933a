"""Checks for test suites: of new models against old ones, and of new parts (tests, adjustments, stores).

>>> from bestofk.stats.pairwise import paired_t
>>> check_pairwise(paired_t)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from bestofk.testing.design import check_dataset, check_folds, check_layout, check_learner, check_sharing
from bestofk.testing.stats import check_adjust, check_omnibus, check_pairwise, check_ranges
from bestofk.testing.store import StoreCase

if TYPE_CHECKING:
    from bestofk.judging.gate import Gate
    from bestofk.settings import GatingAnything

__all__ = [
    "StoreCase",
    "assert_not_worse",
    "check_adjust",
    "check_dataset",
    "check_folds",
    "check_layout",
    "check_learner",
    "check_omnibus",
    "check_pairwise",
    "check_ranges",
    "check_sharing",
]


def assert_not_worse(new: Any, old: Any, **options: Unpack[GatingAnything]) -> Gate:
    """Fail unless the new model passes the gate; the message is the gate's answer.

    Parameters
    ----------
    new, old
        The results of the two models: files, data frames or lists; or with ``results`` their names.
    **options
        Those of ``bestofk.gate``, of which ``margin`` is needed. ``fail_on="worse"`` lets undecided pass.

    Returns
    -------
    Gate
        What was found, where it does not fail.

    Examples
    --------
    >>> assert_not_worse([1, 1, 0, 1] * 50, [1, 0, 1, 1] * 50, margin=0.1, measure="correct", rows="items").outcome
    'passed'
    """
    __tracebackhide__ = True
    from bestofk.verbs import gate

    found = gate(new, old, **options)
    if found.failed:
        raise AssertionError(repr(found))
    return found
