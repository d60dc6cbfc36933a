"""Two learners over data sets: the interval and steps of the t test, and what other tests say of the same pair."""

from __future__ import annotations

from bestofk.comparing import Comparison
from bestofk.core.record import Record
from bestofk.evidence import Evidence
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.paired_t import Steps, paired_t

#: Tests shown side by side, after the one of the verdict where it is none of these.
SIDE_BY_SIDE = ("paired-t", "wilcoxon", "sign")


class SideTest(Record):
    """A test of the pair, two-sided: its statistic for scores of the first against the second, and p."""

    test: str
    statistic: float
    pvalue: float
    significant: bool


class TwoLearners(Record, kw_only=True):
    """``difference`` is first minus second in units of the measure, ``low`` and ``high`` bound it at ``level``.

    ``steps`` are the seven textbook steps from the differences to t.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    level: float
    tests: tuple[SideTest, ...]
    steps: Steps

    @property
    def agree(self) -> bool:
        """Whether all tests give the same answer."""
        return len({each.significant for each in self.tests}) == 1


def two_learners(evidence: Evidence, comparison: Comparison, first: str, second: str) -> TwoLearners | None:
    """Look at two learners by every test of one value per data set; None for more learners or another sample."""
    if len(comparison.learners) != 2 or comparison.kind != "datasets":
        return None
    sample = comparison.sample
    if sample.incomplete:
        return None
    # In units of the measure, so that the steps are those that a reader can follow with the table in hand.
    one, two = (evidence.sign * sample.rows[sample.learners.index(name)] for name in (first, second))
    student = paired_t(one, two)
    interval = student.confidence_interval(1.0 - comparison.alpha)
    found = [(name, PAIRWISE[name](one, two)) for name in SIDE_BY_SIDE]
    return TwoLearners(
        first=first,
        second=second,
        difference=student.estimate,
        low=interval.low,
        high=interval.high,
        level=1.0 - comparison.alpha,
        tests=(
            *_of_the_verdict(comparison, first, second),
            *(SideTest(name, each.statistic, each.pvalue, each.pvalue <= comparison.alpha) for name, each in found),
        ),
        steps=student.steps(),
    )


def _of_the_verdict(comparison: Comparison, first: str, second: str) -> tuple[SideTest, ...]:
    """The test that decided, where it is not shown anyway."""
    if comparison.test in SIDE_BY_SIDE:
        return ()
    pair = comparison.pair(first, second)
    return (SideTest(comparison.test, float(pair.statistic), float(pair.pvalue), pair.significant),)
