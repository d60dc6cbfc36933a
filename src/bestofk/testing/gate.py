"""A gate as an assertion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from bestofk.judging import Gate
    from bestofk.settings import GatingAnything


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
