"""Which test fits which design, and why."""

from __future__ import annotations

from bestofk.core.errors import InputError


def fitting_test(replications: int, folds: int) -> tuple[str, str]:
    """Return the registered test for a design of one data set, and the reason in one sentence.

    Examples
    --------
    >>> fitting_test(5, 2)[0], fitting_test(1, 10)[0]
    ('5x2cv-t', 'corrected-t')
    """
    if (replications, folds) == (5, 2):
        return "5x2cv-t", "5 replications of 2 folds are the design of the 5x2 cv t test"
    if folds >= 2 and replications * folds >= 3:
        return "corrected-t", "training sets of different folds overlap, and the corrected t test allows for it"
    raise InputError(
        f"{replications} replication of {folds} fold cannot show a difference.",
        "judge",
        "collect 5 replications of 2 folds, or at least 3 folds.",
    )
