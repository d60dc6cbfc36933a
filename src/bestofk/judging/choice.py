"""Which test fits which design, and why; and which tests a design does not allow."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.comparing import Design
from bestofk.comparing.random_splits import share_not_known
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.registry import registry
from bestofk.stats.method import method_of


@dataclass(frozen=True)
class Choice:
    """A test and why it is used; ``forced`` when the design does not allow it."""

    test: str
    why: str
    forced: bool = False


def chosen_test(test: str, design: Design, *, force: bool = False) -> Choice:
    """Take the test asked for, if the design allows it; ``auto`` chooses by the design."""
    if test == "auto":
        return Choice(*fitting_test(design))
    _refuse_unknown(test)
    objection = objection_to(test, design)
    pairs, asked = (
        ("nemenyi", "it tests the pairs after friedman") if test == "friedman" else (test, "it was asked for")
    )
    if not objection:
        return Choice(pairs, asked)
    if force and _can_run(test, design):
        return Choice(pairs, f"{test} was forced, although it is not valid here: {objection}", forced=True)
    raise InputError(
        f"{test} is not valid here: {objection}.",
        f"test {test}, {design.text}",
        f"use {fitting_test(design)[0]} (--test auto){', or --force it' if _can_run(test, design) else ''}"
        f"{', or claim it of these groups only: --groups fixed' if design.groups else ''}.",
    )


def fitting_test(design: Design) -> tuple[str, str]:
    """Return the registered test for a design, and the reason in half a sentence."""
    if design.kind == "curves":
        return "randomized-t", "the points of a curve depend on each other, so whole curves are shuffled"
    if design.kind == "items":
        if design.groups:
            return "permutation-t", "items of one group err together, so the signs of whole groups are swapped"
        if design.binary:
            return "mcnemar-mid-p", "right or wrong on the same items is counted best where exactly one is wrong"
        return "permutation-t", "graded outcomes on the same items may swap signs if the learners are equal"
    if design.kind == "datasets":
        if len(design.learners) == 2:
            return "paired-t", "the data sets are independent, and its interval says how large the difference is"
        return "wilcoxon", "data sets are independent but differences of many pairs need not be normal"
    if design.test_fraction is not None and design.replications_and_folds != (5, 2):
        return "corrected-t", design.overlap
    return _for_folds(*design.replications_and_folds)


def _for_folds(replications: int, folds: int) -> tuple[str, str]:
    if (replications, folds) == (5, 2):
        return "5x2cv-t", "5 replications of 2 folds are the design of the 5x2 cv t test"
    if folds >= 2 and replications * folds >= 3:
        return "corrected-t", "training sets of different folds overlap, and the corrected t test allows for it"
    if folds == 1 and replications >= 2:
        raise share_not_known(replications, "test auto", "collect whole folds")
    if folds == replications == 1:
        raise InputError(
            "one result per learner cannot show a difference.",
            "test auto",
            "give results on more data sets, or collect 5 replications of 2 folds, or at least 3 folds.",
        )
    raise InputError(
        f"{replications} replication of {folds} fold{'s' if folds > 1 else ''} cannot show a difference.",
        "test auto",
        "collect 5 replications of 2 folds, or at least 3 folds.",
    )


def objection_to(test: str, design: Design) -> str:
    """Say why a design does not allow a test; empty when it does."""
    if design.kind == "curves":
        return "" if test == "randomized-t" else "the points of a curve are not independent observations"
    if test == "randomized-t":
        return "it is a test of curves"
    if test in ("nemenyi", "friedman"):
        return "" if design.kind == "datasets" else _not_datasets(design)
    if test in registry("omnibus").names():
        return "it says whether any learner differs, not which; it is shown beside the pairs for three learners or more"
    needed = method_of(registry("pairwise").load(test)).design
    if needed == "items":
        if design.groups:
            return "it counts items one by one, and items of one group err together"
        return "" if design.kind == "items" and design.binary else "it counts items that are right or wrong"
    if needed == "values":
        return _values_objection(test, design)
    return "" if design.kind == "folds" else f"it needs replications and folds of one data set, not {design.text}"


def _values_objection(test: str, design: Design) -> str:
    """Independent values: data sets and items are; folds are not, though the k-fold t test of one run is known."""
    if design.kind != "folds":
        return ""
    if test == "paired-t" and design.replications_and_folds[0] == 1 and design.test_fraction is None:
        return ""
    return f"{design.text} share their training data and are not {design.rows.shape[1]} independent values"


def _not_datasets(design: Design) -> str:
    return f"{design.text} are not {design.rows.shape[1]} data sets"


def _can_run(test: str, design: Design) -> bool:
    """Whether the test can be computed at all on the design."""
    if test in ("nemenyi", "friedman"):
        return design.kind != "curves"
    if design.kind == "curves" or test in registry("omnibus").names() or test == "randomized-t":
        return False
    return method_of(registry("pairwise").load(test)).design == "values"


def _refuse_unknown(test: str) -> None:
    known = sorted({*registry("pairwise").names(), "nemenyi", "randomized-t"})
    if not isinstance(test, str) or (test not in known and test not in registry("omnibus").names()):
        raise unknown(test, known, what="test", where="argument test")
