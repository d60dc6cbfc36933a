"""Which test fits which design, and why."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.core.registry import registry
from bestofk.stats.method import method_of


def chosen_test(test: str, replications: int, folds: int) -> tuple[str, str]:
    """Return the test and the reason for it in one sentence; ``auto`` chooses by the design."""
    if test == "auto":
        return fitting_test(replications, folds)
    facts = method_of(registry("pairwise").load(test))
    if facts.design == "values":
        return (
            test,
            "it was asked for; it takes folds for independent, which they are not, so it finds too many differences",
        )
    return test, "it was asked for"


def fitting_test(replications: int, folds: int) -> tuple[str, str]:
    """Return the registered test for a design of one data set, and the reason.

    Examples
    --------
    >>> fitting_test(5, 2)[0], fitting_test(1, 10)[0]
    ('5x2cv-t', 'corrected-t')
    """
    if (replications, folds) == (5, 2):
        return "5x2cv-t", "5 replications of 2 folds are the design of the 5x2 cv t test"
    if folds >= 2 and replications * folds >= 3:
        return "corrected-t", "training sets of different folds overlap, and the corrected t test allows for it"
    if folds == 1 and replications >= 2:
        raise InputError(
            f"{replications} replications of 1 fold look like random splits, whose share of test data is not known.",
            "judge",
            "call bestofk.ordering.multitest(losses, test='corrected-t', test_fraction=...), or collect whole folds.",
        )
    raise InputError(
        f"{replications} replication of {folds} fold{'s' if folds > 1 else ''} cannot show a difference.",
        "judge",
        "collect 5 replications of 2 folds, or at least 3 folds.",
    )
