"""Which test fits which sample, and why; and which tests a sample does not allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.comparing.pair_tests import smallest_pvalue
from bestofk.comparing.sample import Sample, share_not_known
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.phrases import plural
from bestofk.core.record import Record
from bestofk.core.shelf import Shelf
from bestofk.evidence.measure_vectors.wanted import threshold_in
from bestofk.stats.method import method_of
from bestofk.stats.omnibus import OMNIBUS
from bestofk.stats.pairwise import PAIRWISE

#: Tests of vectors by the name they are asked for, and why each is taken.
TESTS = {
    "hotelling-corrected": "training sets of different folds overlap, and the corrected covariance allows for it",
    "hotelling": "it was asked for: the paper's own test, which takes folds for independent",
    "threshold-test": "rates at several thresholds nearly repeat each other, and their covariance is shrunk; p by "
    "signs of the folds dealt anew, corrected for training sets that overlap",
    "hotelling-over-datasets": "data sets are independent, and their differences may have any distribution",
}
#: Fewer folds than these cannot reject at 0.05 by their signs.
FEWEST_SIGNS = 6
#: From so many tasks on, runs are compared over tasks like these.
FEWEST_TASKS = 10
#: Tests of pairs that are no functions of two rows of values.
OF_ALL = ("nemenyi", "randomized-t", "delong", "stratified-t", "bradley-terry", *TESTS)


def _special() -> dict[str, Callable[..., Any]]:
    from bestofk.stats import battles, multivariate, roc
    from bestofk.stats.omnibus import skillings_mack
    from bestofk.stats.pairwise import stratified_t

    return {
        "bradley-terry": battles.bradley_terry,
        "delong": roc.delong,
        "dominance": multivariate.dominance,
        "hotelling": multivariate.hotelling,
        "hotelling-over-datasets": multivariate.hotelling_over_datasets,
        "manova": multivariate.manova,
        "manova-over-datasets": multivariate.manova_over_datasets,
        "skillings-mack": skillings_mack,
        "stratified-t": stratified_t,
        "threshold-test": multivariate.threshold_test,
    }


#: Tests of votes, areas, gaps, several data sets or several measures, each with arguments of its own.
SPECIAL: Shelf[Callable[..., Any]] = Shelf("special", _special)


class Choice(Record):
    """A test and why it is used: ``asked`` by name or fitting; ``forced`` when the sample does not allow it."""

    test: str
    reason: str
    asked: bool = False
    forced: bool = False


@frozen
class Family:
    """How many pairs are compared at which level: the smallest p must be at most ``step``.

    ``share`` is that of alpha which the pairs have. With ``mean`` losses are to be bounded, and tests of ranks, which
    are about typical differences, bound none.
    """

    pairs: int = 1
    alpha: float = 0.05
    share: float = 1.0
    mean: bool = False

    @property
    def step(self) -> float:
        """The level of Holm's first step."""
        return self.alpha * self.share / max(1, self.pairs)


#: One pair at the usual level.
ONE_PAIR = Family()


def chosen_test(test: str, sample: Sample, family: Family = ONE_PAIR, *, force: bool = False) -> Choice:
    """Take the test asked for, if the sample allows it; ``auto`` chooses one that can reject in the family."""
    if test == "auto" and force:
        fix = "name the test (--test NAME), or leave force out."
        raise InputError("force is True, and no test is named.", "judge, arguments force and test", fix)
    if test == "auto":
        return Choice(*fitting_test(sample, family))
    _refuse_unknown(test, sample)
    objection = objection_to(test, sample)
    if not objection:
        return Choice(test, TESTS.get(test, "it was asked for"), asked=True)
    if force and _can_run(test, sample):
        return Choice(test, f"{test} was forced, although it is not valid here: {objection}", asked=True, forced=True)
    fixed = sample.groups and not sample.joint
    raise InputError(
        f"{test} is not valid here: {objection}.",
        f"test {test}, {sample.units_text}",
        f"use {fitting_test(sample, family)[0]} (--test auto){', or --force it' if _can_run(test, sample) else ''}"
        f"{f', or claim it of these {plural(sample.unit)} only: --groups fixed' if fixed else ''}.",
    )


def fitting_test(sample: Sample, family: Family = ONE_PAIR) -> tuple[str, str]:
    """Return the test for a sample, and the reason in half a sentence."""
    if sample.vectors is not None:
        _refuse_lone_folds(sample)
        test = fitting_vector_test(sample)
        return test, TESTS[test]
    if sample.areas is not None:
        return "delong", "areas of the same items are correlated, which it allows for; it takes items for independent"
    if sample.battles is not None:
        told = "votes are between two models each, and ties count half; "
        return "bradley-terry", told + ("votes on one prompt go together" if sample.groups else "each is independent")
    if sample.runs:
        return _for_runs(sample, family)
    if sample.kind == "items":
        if sample.groups:
            return _for_groups(sample, family)
        if sample.binary:
            return "mcnemar-auto", "it counts the items that only one of the two gets wrong"
        return "permutation-t", "graded outcomes on the same items may swap signs if the learners are equal"
    if sample.kind == "datasets":
        return _for_datasets(sample, family)
    _refuse_lone_folds(sample)
    if sample.test_fraction is not None:
        return sample.fold_test, _overlap(sample)
    if sample.fold_test == "repeated-cv-t":
        return "repeated-cv-t", "training sets of different folds overlap, and repeats tell nothing more of the data"
    many = "" if sample.corrected_by is None else ", as of ten folds: more of them depend on each other as much"
    return "corrected-t", f"training sets of different folds overlap, and the corrected t test allows for it{many}"


def _for_groups(sample: Sample, family: Family) -> tuple[str, str]:
    """Sums of groups: their signs are swapped where that can reject, else they are taken for normal."""
    together, groups = f"items of one {sample.unit} err together", plural(sample.unit)
    if sample.too_few_groups or smallest_pvalue(sample, "permutation-t") <= family.step:
        return "permutation-t", f"{together}, so the signs of whole {groups} are swapped"
    return "paired-t", f"{together}, and there are too few {groups} to swap signs; it takes differences for normal"


def _for_datasets(sample: Sample, family: Family) -> tuple[str, str]:
    """One rule for any number of learners: a test of ranks where it can reject, else one that assumes more."""
    if sample.scale == "rank":
        unlike = "has other units on every data set and is not always positive"
        return "sign", f"{sample.names[0]} {unlike}, so only who is ahead is counted"
    if over := _over_datasets(sample, family):
        return over, "data sets are independent, and their differences need not be normal"
    if sample.replicates is not None:
        return "stratified-t", "there are too few data sets for a test of data sets; their folds speak of these"
    return "paired-t", "there are too few data sets for a test of ranks or signs; it takes differences for normal"


def _over_datasets(sample: Sample, family: Family) -> str:
    """The test that takes data sets for a sample; empty where it cannot reject."""
    test = "permutation-t" if family.mean else "wilcoxon"
    return test if smallest_pvalue(sample, test) <= family.step else ""


def _for_runs(sample: Sample, family: Family) -> tuple[str, str]:
    """Runs of one data set, or of several: of few as they are, of many as a sample."""
    if sample.lone:
        return _for_lone_runs(sample, family)
    if sample.datasets >= FEWEST_TASKS and (over := _over_datasets(sample, family)):
        return over, "there are data sets enough to speak of others like them"
    if sample.datasets:
        return "stratified-t", "runs are independent within a data set, and these data sets are what is claimed"
    if sample.paired:
        if smallest_pvalue(sample, "permutation-t") <= family.step:
            return "permutation-t", "differences of runs of one name may swap signs if the learners are equal"
        return "paired-t", "there are too few runs to swap signs; it takes differences for normal"
    return "welch-t", "runs are independent, and learners may vary unequally from run to run"


def _for_lone_runs(sample: Sample, family: Family) -> tuple[str, str]:
    """Where a learner has a single run of a data set, data sets are the units; of one data set it shows nothing."""
    if not sample.datasets:
        raise InputError(
            f"{sample.lone}: nothing tells how much its {sample.kind} differ.",
            "test auto",
            "give at least two of every learner, with other seeds, or leave the learner out.",
        )
    if over := _over_datasets(sample, family):
        return over, f"{sample.lone}, so that data sets are compared"
    return "paired-t", f"{sample.lone}, so that data sets are compared; it takes differences for normal"


def _overlap(sample: Sample) -> str:
    """How splits whose share of test data is known depend on each other, and how that is allowed for."""
    if not sample.divided or sample.test_fraction is None:
        return "random splits share training data, and the corrected t test allows for it"
    return "folds share training data, and the corrected t test allows for it with their mean share of test rows"


def _refuse_lone_folds(sample: Sample) -> None:
    """Folds of which nothing tells the share of test data, and single results."""
    if sample.kind != "folds" or (sample.share is not None and sample.units > 1):
        return
    replications, _ = sample.replications_and_folds
    folds = max(3, len(sample.measures) + 1)
    if replications >= 2:
        raise share_not_known(replications, "test auto", "give whole folds (a column fold)")
    raise InputError(
        "one result per learner cannot show a difference.",
        "test auto",
        f"give results on more data sets, or collect 5 replications of 2 folds, or at least {folds} folds.",
    )


def objection_to(test: str, sample: Sample) -> str:
    """Say why a sample does not allow a test; empty when it does."""
    if sample.vectors is not None:
        _refuse_lone_folds(sample)
        return _vector_objection(test, sample)
    if test in TESTS:
        return "it is a test of several measures"
    if sample.areas is not None:
        return "" if test == "delong" else "it is no test of the areas of one test set"
    if sample.battles is not None:
        return "" if test == "bradley-terry" else "it is no test of battles"
    if test == "bradley-terry":
        return "it is a test of battles"
    if test == "delong":
        return "it is a test of areas under ROC curves of items"
    if test == "stratified-t":
        there = sample.replicates is not None or (sample.runs and sample.datasets)
        return sample.lone if there else "it combines data sets, each with its own folds or runs"
    if test == "randomized-t":
        return "" if sample.kind == "curves" else sample.sides_fixed(test) if sample.folds else "it is a test of curves"
    if sample.runs:
        return _runs_objection(test, sample)
    if test == "nemenyi":
        return "" if sample.kind == "datasets" else f"{sample.units_text} are not {sample.units} data sets"
    if test in OMNIBUS:
        beside = "it is shown beside the pairs for three learners or more"
        after = ", and nemenyi tests the pairs after it" if test == "friedman" else ""
        return f"it says whether any learner differs, not which; {beside}{after}"
    needed = method_of(PAIRWISE[test]).design
    if needed == "runs":
        return "it is a test of independent runs"
    if needed == "items":
        if sample.groups:
            return f"it counts items one by one, and items of one {sample.unit} err together"
        return "" if sample.kind == "items" and sample.binary else "it counts items that are right or wrong"
    if needed == "values":
        return _values_objection(test, sample)
    return "" if sample.kind == "folds" else f"it needs replications and folds of one data set, not {sample.units_text}"


def _runs_objection(test: str, sample: Sample) -> str:
    """Runs are values of their own, of unequal number; paired ones, and means of many data sets, are paired values."""
    if test == "nemenyi":
        return "" if sample.datasets else "there is one data set"
    if test in OMNIBUS:
        return "it says whether any learner differs, not which"
    needed = method_of(PAIRWISE[test]).design
    if needed == "runs":
        return (
            "runs are paired"
            if sample.paired
            else "runs of different data sets differ"
            if sample.datasets
            else sample.lone
        )
    if needed == "values" and (sample.paired or sample.datasets):
        return ""
    return "runs are not paired" if needed == "values" else f"it is no test of {sample.units_text}"


def _vector_objection(test: str, sample: Sample) -> str:
    if test not in TESTS:
        return "it is a test of one measure"
    if (test == "hotelling-over-datasets") != (sample.kind == "datasets"):
        return f"it is not for {sample.units_text}"
    if test == "threshold-test" and thresholds_of_all(sample.names) is None:
        return "it is for tpr and fpr at several thresholds"
    return ""


def _values_objection(test: str, sample: Sample) -> str:
    """Independent values: data sets and items are; folds are not, though the k-fold t test of one run is known."""
    if sample.kind != "folds":
        return ""
    if test == "paired-t" and sample.replications_and_folds[0] == 1 and sample.test_fraction is None:
        return ""
    return f"{sample.units_text} share their training data and are not {sample.units} independent values"


def _can_run(test: str, sample: Sample) -> bool:
    """Whether the test can be computed at all on the sample."""
    if sample.vectors is not None or sample.joint or sample.runs or test not in PAIRWISE:
        return test == "nemenyi" and not (sample.runs or sample.joint) and sample.vectors is None
    return method_of(PAIRWISE[test]).design == "values"


def _refuse_unknown(test: str, sample: Sample) -> None:
    known = (
        ("auto", *TESTS)
        if sample.vectors is not None
        else sorted({*PAIRWISE, *(name for name in OF_ALL if name not in TESTS)})
    )
    if not isinstance(test, str) or (test not in PAIRWISE and test not in OF_ALL and test not in OMNIBUS):
        raise unknown(test, known, what="test", where="argument test")


def fitting_vector_test(sample: Sample) -> str:
    """The test of vectors for data sets, for folds, and for rates at several thresholds."""
    if sample.kind == "datasets":
        return "hotelling-over-datasets"
    several = thresholds_of_all(sample.names) is not None and sample.units >= FEWEST_SIGNS
    return "threshold-test" if several else "hotelling-corrected"


def thresholds_of_all(names: tuple[str, ...]) -> Array | None:
    """The thresholds, where the measures are tpr and fpr at each of two or more, else None."""
    found = [threshold_in(name) for name in names]
    cuts = {each[1] for each in found if each is not None}
    if len(cuts) < 2 or set(found) != {(rate, cut) for cut in cuts for rate in ("tpr", "fpr")}:
        return None
    return np.array(sorted(cuts))
