"""Sections on what a verdict knows beyond its order: other tests, other data sets, power, costs, features."""

from __future__ import annotations

from bestofk.core.phrases import counted, listed
from bestofk.judging import Verdict
from bestofk.judging.findings import MOST_ONE
from bestofk.reporting.blocks import Block, Section, Sentences, TableBlock
from bestofk.reporting.sections.dataset_tables import (
    bayes_table,
    detectable_table,
    goods_table,
    influence_table,
    ranks_table,
    sensitivity_table,
    side_table,
    steps_table,
    wins_table,
)


def other_tests_section(verdict: Verdict) -> Section | None:
    """Two learners by every test, mean ranks, Bayesian tests, and wins by folds."""
    blocks = (*_two(verdict), *_ranks(verdict), *_bayes(verdict), *_wins(verdict))
    return Section("other-tests", "What do other tests say?", blocks, "Other tests") if blocks else None


def _two(verdict: Verdict) -> tuple[Block, ...]:
    two = verdict.two_learners
    if two is None:
        return ()
    steps = f"From the differences {two.first} minus {two.second} to t, step by step (Bramer, section 15.2)."
    interval = f"{100 * two.level:g} % interval {two.low:.4g} to {two.high:.4g} (paired-t)"
    caption = (
        f"{two.first} minus {two.second} by every test of one value per data set: {two.difference:.4g}, {interval}."
    )
    return (
        TableBlock("side-by-side", caption, side_table(two)),
        TableBlock("steps", steps, steps_table(two)),
    )


def _ranks(verdict: Verdict) -> tuple[Block, ...]:
    ranks = verdict.mean_ranks
    if ranks is None:
        return ()
    caption = (
        f"Mean ranks. Friedman χ² = {ranks.chi_square:.4g}, p = {ranks.chi_square_pvalue:.3g}; Iman–Davenport "
        f"F = {ranks.f_statistic:.4g}, p = {ranks.f_pvalue:.3g}. Nemenyi's critical difference at {ranks.alpha:g} is "
        f"{ranks.critical_difference:.3g}."
    )
    return (TableBlock("ranks", caption, ranks_table(ranks)),)


def _bayes(verdict: Verdict) -> tuple[Block, ...]:
    pair = verdict.bayes
    if pair is None:
        return ()
    rope = f"rope {pair.rope:g}" if pair.rope_known else f"rope 0, for the scale of {verdict.measure} is not known"
    caption = f"{pair.first} and its strongest rival {pair.second}: chances to be better, or equal ({rope})."
    return (TableBlock("chances", caption, bayes_table(pair)),)


def _wins(verdict: Verdict) -> tuple[Block, ...]:
    wins = verdict.counted_wins
    if wins is None:
        return ()
    how = f"{listed(tuple(dict.fromkeys(wins.tests)))}{wins.level}"
    caption = f"Wins, ties and losses by the folds of single data sets ({how}); no p value belongs to the counts."
    return (TableBlock("wins", caption, wins_table(wins)),)


def other_datasets_section(verdict: Verdict) -> Section | None:
    """What becomes of the conclusions without some data sets, and on resamples of them."""
    found = verdict.sensitivity
    if found is None:
        if verdict.sensitivity_work <= MOST_ONE:
            return None
        said = f"Not tried here: {verdict.sensitivity_work:,} values are more than {MOST_ONE:,} (sensitivity_of tries)."
        return Section("other-data-sets", "Would other data sets say the same?", (Sentences((said,)),), "Robustness")
    flips = (
        "Flips: how many single data sets, and how many pairs of them, change the conclusion when they are left out. "
        f"Resamples: {counted(found.resamples, 'bootstrap sample')} of the data sets, seed {found.seed}."
    )
    words = frozenset({"conclusion", "fewest to leave out"})
    blocks: list[Block] = [
        TableBlock("choice", flips, sensitivity_table(found, first_place=verdict.status != "tied"), words),
        TableBlock("influence-table", "Who is spoken for, and by which data sets.", influence_table(found)),
    ]
    if not verdict.decidable:  # a table of zeros and 100 % would reassure
        blocks = [Sentences(("Nothing could have been shown, so nothing can change.",))]
    return Section("other-data-sets", "Would other data sets say the same?", tuple(blocks), "Robustness")


def power_section(verdict: Verdict) -> Section | None:
    """What could have been seen of the pairs that are not shown to differ."""
    table = verdict.detectable
    if table is None:
        return None
    caption = (
        f"Not significant is not equal: the smallest difference of {table.measure} that {table.n:,} {table.unit} by "
        f"{table.test} at {table.level:.3g} would show with power {table.power:g}."
    )
    return Section(
        "power", "What could have been seen?", (TableBlock("seen", caption, detectable_table(table)),), "Power"
    )


def costs_section(verdict: Verdict) -> Section | None:
    """Times, sizes and prices beside the measure."""
    goods = verdict.other_goods
    if goods is None:
        return None
    tested = listed([good.name for good in goods.goods if good.tested])
    caption = (
        "A learner is dominated by one that is at least as good in all and shown to be better in one "
        f"({tested} tested at {goods.goods[0].level:.3g} each; the rest taken as it is)."
    )
    collected = verdict.evidence is not None and verdict.evidence.origin.collected
    table = goods_table(goods, seconds=collected)
    return Section("costs", "Is it worth its cost?", (TableBlock("goods", caption, table),), "Costs")


def features_section(verdict: Verdict) -> Section | None:
    """Features of data sets that go with the difference."""
    if verdict.features is None:
        return None
    where = verdict.where_it_wins
    lines = ["The features are not used: they need more data sets, without missing results."]
    lines = lines if where is None else repr(where).splitlines()
    return Section("where", "Where does it win?", (Sentences(tuple(lines)),), "Features")
