"""Sections on what a verdict knows beyond its order: tasks together, other tests, other data sets, power, costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields

import numpy as np

from bestofk.advice.advice import listed_datasets
from bestofk.core.phrases import column_texts, counted, digits, listed, p_text
from bestofk.judging import Verdict
from bestofk.judging.findings import MOST_ONE
from bestofk.judging.findings.aggregates import Aggregates
from bestofk.judging.findings.counted_wins import CountedWins
from bestofk.judging.findings.detectable import DetectableTable, size_seen
from bestofk.judging.findings.orders import MeanRanks
from bestofk.judging.findings.pareto_front import ParetoFront
from bestofk.judging.findings.sensitivity import Robustness, Sensitivity
from bestofk.judging.findings.two_learners import Chances, TwoLearners
from bestofk.reporting.blocks import Block, Section, Sentences, TableBlock
from bestofk.reporting.tables import PlainTable, mean_text, told_in_pairs


def aggregates_section(verdict: Verdict) -> Section | None:
    """Runs on all tasks together: interquartile means, and how often the first is better."""
    found = verdict.aggregates
    if found is None:
        return None
    means = "Mean of the middle half of all runs, and the" if found.interquartile_means else "The"
    caption = (
        f"{means} chance that a run of {verdict.order[0]} is better than one of another learner on the same task. "
        f"Intervals of about {100 * found.level:g} %, each by itself, by {found.resamples:,} resamples of the runs "
        f"within tasks. They describe these {len(found.tasks)} tasks; what is shown is in the pairs above."
    )
    blocks: tuple[Block, ...] = (TableBlock("aggregates", caption, aggregates_table(verdict.order, found)),)
    if not found.interquartile_means:
        why = f"No interquartile means: {found.measure} is not known to have the same scale on every task."
        blocks = (*blocks, Sentences((why,)))
    return Section("all-tasks", "All tasks together", blocks)


def other_tests_section(verdict: Verdict) -> Section | None:
    """Two learners by every test, mean ranks, Bayesian tests, and wins by folds."""
    blocks = (*_two(verdict), *_ranks(verdict), *_bayes(verdict), *_wins(verdict))
    return Section("other-tests", "What do other tests say?", blocks) if blocks else None


def _two(verdict: Verdict) -> tuple[Block, ...]:
    two = verdict.two_learners
    if two is None:
        return ()
    logarithms = f" of log {verdict.measure}" if verdict.comparison.sample.scale == "log-ratio" else ""
    steps = (
        f"From the differences{logarithms} {two.first} minus {two.second} to t, step by step (Bramer, section 15.2)."
    )
    interval = f"{100 * two.level:g} % interval {two.low:.4g} to {two.high:.4g} (paired-t)"
    caption = (
        f"{two.first} minus {two.second}{logarithms} by every test of one value per data set: {two.difference:.4g}, "
        f"{interval}."
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
        f"Mean ranks. Friedman χ² = {ranks.chi_square:.4g}, {p_text(ranks.chi_square_pvalue, 3)}; Iman–Davenport "
        f"F = {ranks.f_statistic:.4g}, {p_text(ranks.f_pvalue, 3)}."
    )
    if ranks.critical_difference is not None:
        caption += f" Nemenyi's critical difference at {ranks.alpha:g} is {ranks.critical_difference:.3g}."
    return (TableBlock("ranks", caption, ranks_table(ranks)),)


def _bayes(verdict: Verdict) -> tuple[Block, ...]:
    """Over data sets the chances of the next one; on folds, where a rope was given, those of the mean difference."""
    pair, folds = verdict.bayes, verdict.bayes_folds
    if pair is None and folds is None:
        return ()
    first, second = verdict.closest
    who = f"{first} and its strongest rival {second}"
    if folds is not None:
        caption = f"{who}: the chances of their mean difference on such data (rope {folds.rope:g})."
        return (TableBlock("chances", caption, chances_table(first, second, {"folds": folds.mean_difference})),)
    assert pair is not None
    rope = f"rope {pair.rope:g}" if pair.rope_known else f"rope 0, for the scale of {verdict.measure} is not known"
    chances = {"one value per data set": pair.next_dataset}
    if pair.next_dataset_by_folds is not None:
        chances["all folds, hierarchical model"] = pair.next_dataset_by_folds
    caption = f"{who}: the chances of the next data set ({rope})."
    if pair.converged is False:
        caption += f" The chains of the model do not agree (R-hat {pair.rhat:.3g}): its chances are unsure."
    return (TableBlock("chances", caption, chances_table(first, second, chances)),)


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
        return Section("other-data-sets", "Would other data sets say the same?", (Sentences((said,)),))
    flips = (
        "Flips: how many single data sets, and how many pairs of them, change the conclusion when they are left out. "
        f"Resamples: {counted(found.resamples, 'bootstrap sample')} of the data sets, seed {found.seed}."
    )
    words = frozenset({"conclusion", "fewest to leave out"})
    block: Block = TableBlock("choice", flips, sensitivity_table(found), words)
    if not verdict.decidable:  # a table of zeros and 100 % would reassure
        block = Sentences(("Nothing could have been shown, so nothing can change.",))
    return Section("other-data-sets", "Would other data sets say the same?", (block,))


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
        "power",
        "What could have been seen?",
        (TableBlock("seen", caption, detectable_table(table, told_in_pairs(verdict.order))),),
    )


def costs_section(verdict: Verdict) -> Section | None:
    """Times, sizes and prices beside the measure."""
    front = verdict.pareto_front
    if front is None:
        return None
    tested = [criterion.name for criterion in front.criteria if criterion.tested]
    caption = "A learner is behind one that is at least as good in every mean and better in one"
    if tested:
        level = f"{front.criteria[0].level:.3g} each"
        caption += (
            f"; where that is shown, it is said in what ({listed(tested)} tested at {level}; the rest taken as it is)"
        )
    caption += f"{'' if tested else '; nothing was tested'}. Who is behind nobody is on the front."
    collected = verdict.evidence is not None and verdict.evidence.origin.collected
    table = criteria_table(front, seconds=collected)
    return Section("costs", "Is it worth its cost?", (TableBlock("criteria", caption, table),))


def features_section(verdict: Verdict) -> Section | None:
    """Features of data sets that go with the difference."""
    if verdict.features is None:
        return None
    where = verdict.where_it_wins
    lines = ["The features are not used: they need more data sets, without missing results."]
    lines = lines if where is None else repr(where).splitlines()
    return Section("where", "Where does it win?", (Sentences(tuple(lines)),))


def sensitivity_table(found: Sensitivity) -> PlainTable:
    """One row per conclusion: what it takes to change it."""
    columns = ("conclusion", "single flips", "double flips", "fewest to leave out", "then", "resamples alike")
    every = (*((found.best,) if found.best else ()), *found.pairs)
    return PlainTable(
        columns, tuple(_conclusion(each) for each in every), frozenset({columns[1], columns[2], columns[5]})
    )


def _conclusion(each: Robustness) -> tuple[str, ...]:
    what = f"{listed(each.about)}: " if each.about else ""
    two = "not tried" if each.flips_two is None else str(each.flips_two)
    fewest, then = f"none of up to {each.tried_up_to}{'' if each.exact else ' found'}", ""
    if each.smallest is not None:
        at_least = "" if each.exact else f" (at least {each.at_least})"
        fewest, then = f"{listed_datasets(each.smallest.without)}{at_least}", each.said(each.smallest.then)
    return (f"{what}{each.said()}", str(each.flips_one), two, fewest, then, f"{100 * each.stability:.3g} %")


def detectable_table(table: DetectableTable, among: Collection[str] | None = None) -> PlainTable:
    """One row per pair that is not significantly different, or per such pair among some learners."""
    columns = ("first", "second", "ratio" if table.ratio else "difference", "low", "high", "would be seen")

    def text(value: float | None) -> str:
        return "" if value is None else f"{np.exp(value) if table.ratio else value:.4g}"

    rows = tuple(
        (pair.first, pair.second, text(pair.difference), text(pair.low), text(pair.high), size_seen(pair, table))
        for pair in table.pairs
        if among is None or {pair.first, pair.second} <= set(among)
    )
    return PlainTable(columns, rows, frozenset(columns[2:]))


def wins_table(wins: CountedWins) -> PlainTable:
    """One row per pair: wins, ties and losses by folds, and the sign test of the means beside them."""
    columns = ("first", "second", "won", "tied", "lost", "sign p of the means")
    rows = tuple(
        (first, second, *(str(count) for count in wins.of(first, second)), f"{p:.3g}")
        for (first, second), p in zip(wins.pairs, wins.sign_pvalue.tolist(), strict=True)
    )
    return PlainTable(columns, rows, frozenset(columns[2:]))


def aggregates_table(order: tuple[str, ...], found: Aggregates) -> PlainTable:
    """One row per learner: its interquartile mean, and the chance that the first is better."""
    chances = {each.second: f"{each.chance:.3f} [{each.low:.3f}, {each.high:.3f}]" for each in found.improvements}
    means = {
        each.learner: (f"{mean_text(each.mean)} [{mean_text(each.low)}, {mean_text(each.high)}]",)
        for each in found.interquartile_means
    }
    columns = ("learner", *(("interquartile mean",) if means else ()), f"{order[0]} better")
    rows = tuple((name, *means.get(name, ()), chances.get(name, "")) for name in order)
    return PlainTable(columns, rows, frozenset())


def criteria_table(front: ParetoFront, *, seconds: bool = False) -> PlainTable:
    """One row per learner: its mean in every criterion, and who is ahead of it; ``seconds``: times are such."""
    times = ("fit_time", "predict_time") if seconds else ()
    names = tuple(f"{each.name} (s)" if each.name in times else each.name for each in front.criteria)
    ways = (mean_text, *[digits] * (len(names) - 1))
    numbers = [
        column_texts([criterion.means[name] for name in front.learners], text)
        for criterion, text in zip(front.criteria, ways, strict=True)
    ]
    findings = map(front.finding, front.learners)
    rows = tuple(zip(front.learners, *numbers, findings, strict=True))
    return PlainTable(("learner", *names, "finding"), rows, frozenset(names))


def side_table(two: TwoLearners) -> PlainTable:
    """One row per test of the pair."""
    rows = tuple(
        (each.test, f"{each.statistic:.4g}", f"{each.pvalue:.4g}", "differ" if each.significant else "not significant")
        for each in two.tests
    )
    return PlainTable(("test", "statistic", "p", "finding"), rows, frozenset({"statistic", "p"}))


def steps_table(two: TwoLearners) -> PlainTable:
    """The textbook steps from the differences to t, one row each."""
    rows = tuple(
        (str(number), step.name.replace("_", " "), f"{getattr(two.steps, step.name):.6g}")
        for number, step in enumerate(fields(two.steps), 1)
    )
    return PlainTable(("step", "quantity", "value"), rows, frozenset({"step", "value"}))


def ranks_table(ranks: MeanRanks) -> PlainTable:
    """One row per learner: its mean rank, and p against the best where Nemenyi's test is the verdict's."""
    numbers = {"mean rank": [f"{rank:.4g}" for rank in ranks.ranks]}
    if ranks.nemenyi is not None:
        numbers["Nemenyi p against the best"] = ["", *(f"{p:.3g}" for p in ranks.nemenyi[0][1:])]
    rows = tuple(zip(ranks.learners, *numbers.values(), strict=True))
    return PlainTable(("learner", *numbers), rows, frozenset(numbers))


def chances_table(first: str, second: str, known: Mapping[str, Chances]) -> PlainTable:
    """One row per posterior: its three chances."""
    columns = ("from", f"{first} better", "equal", f"{second} better")
    rows = tuple((name, *(f"{chance:.3g}" for chance in chances)) for name, chances in known.items())
    return PlainTable(columns, rows, frozenset(columns[1:]))
