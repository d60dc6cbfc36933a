"""The verbs: read · order · judge. Composition only, no mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bestofk.evidence import Scores, read_table
from bestofk.judging import Verdict, judge_scores
from bestofk.ordering import MultiTestOrder, multitest


def read(path: str | Path, *, larger_is_better: bool | None = None) -> Scores:
    """Read a CSV of folds: columns learner, replication (if repeated), fold and one measure."""
    return read_table(path, larger_is_better=larger_is_better)


def order(evidence: Scores, *, prior: Sequence[str] | None = None, **options: Any) -> MultiTestOrder:
    """Order the learners by MultiTest."""
    return multitest(evidence.losses(), prior, **options)


def judge(
    evidence: Scores,
    *,
    prior: Sequence[str] | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    adjust: str = "bonferroni",
) -> Verdict:
    """Say which learner is best, in what order the others follow, and how sure that is."""
    return judge_scores(evidence, prior=prior, test=test, alpha=alpha, adjust=adjust)
