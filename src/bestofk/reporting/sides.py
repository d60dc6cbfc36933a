"""One-sided and two-sided p values of a verdict: the order asks the ones, the tables the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestofk.judging import Verdict

#: Why the order and the tables may differ.
TWO_FAMILIES = "the order asks one-sided questions where the preference has a side; the tables ask both sides"


def side_of(row: Mapping[str, Any]) -> str:
    """What is said before the p value of a row of the verdict: its side, where it is one."""
    return "one-sided " if row["question"] == "one-sided" else ""


def by_which_tests(names: Mapping[str, float], verdict: Verdict) -> str:
    """That the p values of some learners are one-sided, all or some of them; empty where they are two-sided."""
    sides = {side_of(row) for row in verdict.rows() if row["learner"] in names}
    if not any(sides):
        return ""
    if len(sides) > 1:
        return ", some of them by one-sided tests"
    return f" by {'a one-sided test' if len(names) == 1 else 'one-sided tests'}"


def both_sides(names: Mapping[str, float], verdict: Verdict) -> str:
    """Said where the order's one-sided test shows what the two-sided one of the tables does not; else empty."""
    first, comparison = verdict.order[0], verdict.comparison
    one_sided = {row["learner"] for row in verdict.rows() if side_of(row)}
    asked = [name for name in names if name in one_sided and comparison.compared(first, name)]
    not_so = {name: comparison.adjusted_pvalue(first, name) for name in asked if not comparison.shows(first, name)}
    if not not_so:
        return ""
    which = next(iter(not_so)) if len(not_so) == 1 else f"{len(not_so)} of them"
    p = f"{'p' if len(not_so) == 1 else 'smallest p'} = {min(not_so.values()):.2g}"
    return f"Asked from both sides, {comparison.test} does not separate {which} from {first} ({p}): {TWO_FAMILIES}."


def about_the_pairs(verdict: Verdict) -> str:
    """For the table of pairs, where the order asked one-sided questions."""
    if not any(reason.question == "one-sided" for reason in verdict.reasons):
        return ""
    return f" These p values are two-sided, and need not agree with the order: {TWO_FAMILIES}."
