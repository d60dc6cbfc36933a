"""Does any learner differ? Shown beside the pairs for K > 2; no decision about a pair hangs on it."""

from __future__ import annotations

import numpy as np

from bestofk.comparing.design import Design
from bestofk.core.record import Record
from bestofk.stats.curves import randomized_anova
from bestofk.stats.omnibus import cochran_q, friedman, repeated_anova, skillings_mack


class Omnibus(Record):
    """One test over all learners; ``caution`` says what it takes for granted and the design does not give."""

    test: str
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    alpha: float
    caution: str = ""

    @property
    def accepts(self) -> bool:
        """Whether it finds no difference at all."""
        return self.pvalue > self.alpha

    def __repr__(self) -> str:
        freedom = f", df = {', '.join(f'{value:.4g}' for value in self.df)}" if self.df else ""
        found = "no difference found" if self.accepts else "some learner differs"
        return f"{self.test}: statistic = {self.statistic:.4g}{freedom}, p = {self.pvalue:.3g}: {found}"


def omnibus_of(design: Design, alpha: float, seed: int) -> Omnibus | None:
    """Run the test that fits the design; two learners need none."""
    if len(design.learners) < 3:
        return None
    if design.kind == "datasets":
        return _over_datasets(design, alpha)
    if design.kind == "curves":
        blocks = design.blocks_of(*range(len(design.learners)))
        curves = randomized_anova(*design.curves, paired=design.paired, blocks=blocks, rng=seed)
        return Omnibus("randomized-anova", curves.f_alg, curves.df, curves.p_alg, alpha)
    if design.rows.shape[1] < 2:
        return None
    if design.binary:
        q = cochran_q(1.0 - design.rows.T)
        return Omnibus("cochran-q", q.statistic, q.df, q.pvalue, alpha)
    anova = repeated_anova(design.rows)
    caution = "it takes folds for independent, which they are not" if design.kind == "folds" else ""
    epsilon = anova.epsilon_greenhouse_geisser
    df = tuple(epsilon * value for value in anova.df)
    p = anova.pvalue_greenhouse_geisser
    return Omnibus("repeated-anova (Greenhouse–Geisser)", anova.statistic, df, p, alpha, caution)


def _over_datasets(design: Design, alpha: float) -> Omnibus:
    table = np.ascontiguousarray(design.rows.T)
    if design.incomplete:
        gaps = skillings_mack(table)
        return Omnibus("skillings-mack", gaps.statistic, gaps.df, gaps.pvalue, alpha)
    ranks = friedman(table)
    if np.isinf(ranks.f_statistic):  # all data sets rank alike: F says p = 0 however few they are
        return Omnibus("friedman", ranks.statistic, ranks.df, ranks.pvalue, alpha)
    return Omnibus("friedman (Iman–Davenport)", ranks.f_statistic, ranks.f_df, ranks.f_pvalue, alpha)
