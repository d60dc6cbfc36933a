"""Sections of a report for what a verdict knows beyond its order."""

from __future__ import annotations

from bestofk.core.phrases import counted
from bestofk.judging import Verdict
from bestofk.reporting.blocks import Block, Section, Sentences, TableBlock
from bestofk.reporting.by_ranks import method_name
from bestofk.reporting.dataset_tables import (
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
from bestofk.reporting.dataset_words import (
    bayes_lines,
    goods_lines,
    group_lines,
    seen_words,
    sensitivity_lines,
    side_by_side,
    where_lines,
    wins_lines,
)
from bestofk.reporting.firmness import sees_nothing
from bestofk.reporting.left_out import nothing_can_flip

#: What a report asks beyond the order; a section without anything to say is left out.
HEADINGS = {
    "other-tests": "What do other tests say?",
    "other-data-sets": "Would other data sets say the same?",
    "could-be-seen": "What could have been seen?",
    "other-goods": "Is it worth its cost?",
    "where": "Where does it win?",
}
#: The same in a word or two, for the links at the head of the page.
LINKS = {
    "other-tests": "Other tests",
    "other-data-sets": "Other data sets",
    "could-be-seen": "Power",
    "other-goods": "Cost",
    "where": "Where",
}


def dataset_sections(verdict: Verdict) -> tuple[Section, ...]:
    """The sections that have something to say."""
    blocks: dict[str, tuple[Block, ...]] = {
        "other-tests": (*_two(verdict), *_ranks(verdict), *_bayes(verdict), *_wins(verdict)),
        "other-data-sets": _other_datasets(verdict),
        "could-be-seen": _seen(verdict),
        "other-goods": _goods(verdict),
        "where": tuple(Sentences((line,)) for line in where_lines(verdict)),
    }
    return tuple(Section(anchor, HEADINGS[anchor], each, LINKS[anchor]) for anchor, each in blocks.items() if each)


def _two(verdict: Verdict) -> tuple[Block, ...]:
    two = verdict.two_learners
    if two is None:
        return ()
    steps = f"From the differences {two.first} minus {two.second} to t, step by step (Bramer, section 15.2)."
    return (
        Sentences((side_by_side(two, verdict.test),)),
        TableBlock("side-by-side", "The pair by every test of one value per data set, two-sided.", side_table(two)),
        TableBlock("steps", steps, steps_table(two)),
    )


def _ranks(verdict: Verdict) -> tuple[Block, ...]:
    ranks = verdict.mean_ranks
    if ranks is None:
        return ()
    caption = (
        "Mean ranks of the results, whatever the preference. "
        f"Friedman χ² = {ranks.chi_square:.4g}, p = {ranks.chi_square_pvalue:.3g}; Iman–Davenport "
        f"F = {ranks.f_statistic:.4g}, p = {ranks.f_pvalue:.3g}. Nemenyi's critical difference at {ranks.alpha:g} is "
        f"{ranks.critical_difference:.3g}."
    )
    return (Sentences(tuple(group_lines(verdict))), TableBlock("ranks", caption, ranks_table(ranks)))


def _bayes(verdict: Verdict) -> tuple[Block, ...]:
    if verdict.bayes is None:
        return ()
    pair = verdict.bayes
    caption = f"{pair.first} and its strongest rival {pair.second}: chances that each is better, or both are equal."
    return (Sentences(tuple(bayes_lines(verdict))), TableBlock("chances", caption, bayes_table(verdict.bayes)))


def _wins(verdict: Verdict) -> tuple[Block, ...]:
    if verdict.counted_wins is None:
        return ()
    caption = "Wins, ties and losses by the folds of single data sets; no p value belongs to the counts."
    return (Sentences(tuple(wins_lines(verdict))), TableBlock("wins", caption, wins_table(verdict.counted_wins)))


def _other_datasets(verdict: Verdict) -> tuple[Block, ...]:
    said = sensitivity_lines(verdict)
    found = verdict.sensitivity
    if found is None:
        return (Sentences(tuple(said)),) if said else ()
    flips = (
        f"First place by {method_name(verdict.ordering.method)}, pairs by {found.test}. "
        "Flips: how many single data sets, and how many pairs of them, change the conclusion when they are left out. "
        f"Resamples: {counted(found.resamples, 'bootstrap sample')} of the data sets, seed {found.seed}."
    )
    words = frozenset({"conclusion", "fewest to leave out"})
    steady_first = verdict.status == "tied" or found.best is None or found.best.smallest is None
    if steady_first and nothing_can_flip(verdict, found):
        return (Sentences(tuple(said)),)  # a table of zeros and 100 % would reassure
    return (
        Sentences(tuple(said)),
        TableBlock("choice", flips, sensitivity_table(found, first_place=verdict.status != "tied"), words),
        TableBlock("influence-table", "Who is spoken for, and by which data sets.", influence_table(found)),
    )


def _seen(verdict: Verdict) -> tuple[Block, ...]:
    table = verdict.detectable
    if table is None:
        return ()
    said = Sentences((seen_words(table),))
    if sees_nothing(table):
        return (said,)
    caption = f"Pairs that {table.test} does not tell apart: the smallest difference of {table.measure} it would see."
    return (said, TableBlock("seen", caption, detectable_table(table)))


def _goods(verdict: Verdict) -> tuple[Block, ...]:
    goods = verdict.other_goods
    if goods is None:
        return ()
    caption = (
        "Means of every good. A learner is dominated by one that is at least as good in all and shown to be better in "
        f"one, each good at {goods.goods[0].level:.3g}; a good that never varies is taken as it is, and one known only "
        "as a mean per learner is compared by its mean, without a test."
    )
    collected = verdict.evidence is not None and verdict.evidence.origin.collected
    return (Sentences(tuple(goods_lines(verdict))), TableBlock("goods", caption, goods_table(goods, seconds=collected)))
