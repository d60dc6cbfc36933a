"""Does any learner differ? Shown beside the pairs for K > 2; no decision about a pair hangs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestofk.comparing.sample import Sample
from bestofk.core.phrases import p_text
from bestofk.core.record import Record
from bestofk.stats.omnibus import cochran_q, friedman, repeated_anova, skillings_mack

if TYPE_CHECKING:
    from bestofk.comparing.vector_tests import ManovaOver


class Omnibus(Record):
    """One test over all learners; ``assumes_independence``: it takes units for independent that are not.

    ``manova`` has the four criteria and the discriminant, where the measures are several.
    """

    test: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    alpha: float
    assumes_independence: bool = False
    manova: ManovaOver | None = None

    @property
    def accepts(self) -> bool:
        """Whether it finds no difference at all."""
        return self.pvalue > self.alpha

    def __repr__(self) -> str:
        freedom = f", df = {', '.join(f'{value:.4g}' for value in self.df)}" if self.df else ""
        found = "no difference found" if self.accepts else "some learner differs"
        return f"{self.test}: statistic = {self.statistic:.4g}{freedom}, {p_text(self.pvalue, 3)}: {found}"


def omnibus_of(sample: Sample, test: str, alpha: float, seed: int) -> Omnibus | None:
    """Run the test over all learners that goes with the test of pairs; two learners need none."""
    if (
        len(sample.learners) < 3
        or sample.joint
        or sample.too_few_groups
        or (test == "stratified-t" and not sample.curves)
    ):
        return None
    if sample.vectors is not None:
        from bestofk.comparing.vector_tests import over_all

        found = over_all(sample, test, seed)
        return None if found is None else Omnibus(*found[:4], alpha, manova=found[4])
    if sample.kind == "datasets":
        return _over_datasets(sample, alpha)
    if sample.kind == "curves":
        from bestofk.stats.curves import randomized_anova

        blocks = sample.blocks_of(*range(len(sample.learners)))
        curves = randomized_anova(*sample.curves, paired=sample.paired, blocks=blocks, rng=seed)
        return Omnibus("randomized-anova", curves.f_alg, curves.df, curves.p_alg, alpha)
    if sample.units < 2 or sample.runs:
        return None
    if sample.binary:
        q = cochran_q(1.0 - sample.rows.T)
        return Omnibus("cochran-q", q.statistic, q.df, q.pvalue, alpha)
    anova = repeated_anova(sample.rows)
    epsilon = anova.epsilon_greenhouse_geisser
    df = tuple(epsilon * value for value in anova.df)
    p = anova.pvalue_greenhouse_geisser
    return Omnibus("repeated-anova (Greenhouse–Geisser)", anova.statistic, df, p, alpha, sample.kind == "folds")


def _over_datasets(sample: Sample, alpha: float) -> Omnibus:
    table = np.ascontiguousarray(sample.rows.T)
    if sample.incomplete:
        gaps = skillings_mack(table)
        return Omnibus("skillings-mack", gaps.statistic, gaps.df, gaps.pvalue, alpha)
    ranks = friedman(table)
    if np.isinf(ranks.f_statistic):  # all data sets rank alike: F says p = 0 however few they are
        return Omnibus("friedman", ranks.statistic, ranks.df, ranks.pvalue, alpha)
    return Omnibus("friedman (Iman–Davenport)", ranks.f_statistic, ranks.f_df, ranks.f_pvalue, alpha)
