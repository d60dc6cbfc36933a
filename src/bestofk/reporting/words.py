"""The answer in words: the first screen, and comparisons and orders as text. Words read fields and never compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from bestofk.advice import Advice, title_of
from bestofk.comparing import Comparison
from bestofk.core.escapes import without_escapes
from bestofk.core.phrases import counted, listed
from bestofk.evidence import Items
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict
from bestofk.ordering import Ordering
from bestofk.ordering.methods import GROUPS, means_first
from bestofk.reporting.first_screen import difference_text, first_table
from bestofk.reporting.tables import (
    aligned,
    comparison_table,
    fitted,
    in_columns,
    interval_words,
    is_ratio,
)
from bestofk.stats.adjust import ADJUST
from bestofk.stats.method import adjustment_of

#: What a claim is about.
SCOPES = {
    "models": "of these trained models, on {units}s like these",
    "these groups": "of these trained models, on items of these groups",
    "runs": "of these learners, on this test set, whatever the seed",
    "learner": "of these learners, on data like this",
    "these data sets": "of these learners, on these {datasets} data sets",
    "data sets": "of these learners, on data sets like these",
}
#: So many names stand in a sentence.
MOST_NAMES = 6
WIDTH = 80
#: The first screen has so many lines for eight learners of short names.
_LINES = 15
#: Beside so few learners a caution may have two lines.
_FEW = 6


def title(verdict: Verdict) -> str:
    """The verdict in a few words."""
    if verdict.status == "decided":
        return f"{verdict.best} is best"
    if verdict.status == "preferred":
        return f"Take {verdict.best}, by {verdict.ordering.prior_from or 'preference'}"
    if verdict.status == "within":
        return f"Take {verdict.best}, {within_words(verdict)}"
    if verdict.status == "tied":
        return "No single best"
    return "Undecided" if verdict.decidable else "Not enough data to decide"


def scope_words(comparison: Comparison) -> str:
    """What a claim is about, as the end of a sentence."""
    sample = comparison.sample
    return SCOPES[comparison.scope].format(datasets=sample.datasets or sample.units, units=sample.unit)


def headline(verdict: Verdict) -> str:
    """The verdict in a sentence."""
    return f"{title(verdict)}{_after_title(verdict)}."


def below_title(verdict: Verdict) -> str:
    """What the headline says after its title, as a sentence of its own."""
    said = _after_title(verdict).lstrip(" ,:")
    return f"{said[:1].upper()}{said[1:]}."


def _after_title(verdict: Verdict) -> str:
    about = scope_words(verdict.comparison)
    if verdict.status == "preferred":
        said = "; ".join(each for each in (_not_better(verdict), _leader(verdict)) if each)
        return f", {about.partition(', ')[2]}{f': {said}' if said else ''}{_of_curves(verdict)}"
    if verdict.status == "within":
        by = f", by {verdict.ordering.prior_from or 'preference'}" if verdict.prior else ""
        return f"{by}, {about.partition(', ')[2]}{_of_curves(verdict)}"
    if verdict.status == "undecided":
        return f": {_why_undecided(verdict)}"
    several = verdict.status == "decided" and len(verdict.names) > 1
    return f" {about}{', better in every measure' if several else ''}{_of_curves(verdict)}"


def _why_undecided(verdict: Verdict) -> str:
    """Why nobody is best."""
    units = units_short(verdict.comparison)
    if not verdict.decidable:
        return f"{units} cannot separate {counted(len(verdict.comparison.pairs), 'pair')}"
    if verdict.within is not None and not verdict.within.learners:
        more, sample = verdict.within.more, verdict.comparison.sample
        units = "runs of each" if sample.runs else f"{sample.unit}s"
        enough = f"; about {_rounded(more):,} more {units} would probably show one" if more else ""
        return f"no learner is shown to be {within_words(verdict)}{enough}"
    if verdict.prior is not None and verdict.ordering.best is None:
        return f"{verdict.ordering.method} finds no best"
    return f"{units} are too few for a difference that does not vary, or has fewer than 3 degrees of freedom"


def within_words(verdict: Verdict) -> str:
    """The margin in words."""
    assert verdict.within is not None
    margin = verdict.within.margin
    return f"within {f'{100 * margin:g} %' if verdict.within.relative else f'{margin:g}'} of the best"


def _rounded(number: int) -> int:
    """Two digits are all that such a number tells."""
    return int(float(f"{number:.1e}"))


def _of_curves(verdict: Verdict) -> str:
    """What of the curves was compared, and who is ahead at the end if that is another."""
    ahead = f"; {verdict.ahead_at_end} is ahead at the end" if verdict.ahead_at_end else ""
    return f", {verdict.comparison.quantity}{ahead}" if verdict.comparison.quantity else ""


def _not_better(verdict: Verdict) -> str:
    """Who is shown to be better than the choice, or that nobody is; the set of the best says the rest."""
    if verdict.beaten_by:
        return f"{some(verdict.beaten_by)} {_is(verdict.beaten_by)} shown to be better"
    return "" if verdict.rivals else "every other learner is shown to be worse"


def _leader(verdict: Verdict) -> str:
    """By how much the best mean leads, where it is not that of the choice."""
    comparison = verdict.comparison
    leader, first = means_first(comparison)[0], verdict.order[0]
    if leader == first or comparison.several is not None or not comparison.compared(first, leader):
        return ""
    pair = comparison.pair(leader, first)
    ahead = pair.difference is not None and (pair.difference > 0) == comparison.larger_is_better
    if not comparison.sized or not ahead:  # what a test of ranks is about may point elsewhere
        return f"{leader} leads"
    return f"{leader} leads ({'ratio' if is_ratio(comparison) else 'difference'} {difference_text(verdict, leader)})"


def best_set_sentence(verdict: Verdict) -> str:
    """Among whom the best is, or who is close enough to it; nothing where one is decided or nothing could be shown."""
    if verdict.status in ("decided", "undecided"):
        return ""
    sure = f" ({sureness(verdict)})" if sureness(verdict) else ""
    if verdict.status == "within" and verdict.within is not None:
        return f"Shown {within_words(verdict)}: {some(verdict.within.learners)}{sure}."
    if len(verdict.best_set) == 1:
        return f"Only {verdict.best_set[0]} is not shown to be worse than another{sure}."
    return f"The best is among {some(verdict.best_set)}{sure}."


def sureness(verdict: Verdict) -> str:
    """How sure the best is in the set of the best; empty where no such chance is held."""
    comparison = verdict.comparison
    about = "about " if comparison.sample.approximate(verdict.test) else ""
    return f"{about}{100 * (1 - verdict.alpha):g} %" if holds_family(comparison) else ""


def holds_family(comparison: Comparison) -> bool:
    """Whether the chance of any false finding is held; else alpha says nothing of the set of the best."""
    adjust = comparison.adjust
    return len(comparison.pairs) == 1 or adjust not in ADJUST or adjustment_of(ADJUST[adjust]).holds == "family"


def judged_line(verdict: Verdict) -> str:
    """What was judged, in a line."""
    comparison, larger = verdict.comparison, {True: "larger", False: "smaller"}
    ways = [f"{name}: {larger[comparison.is_larger_better(name)]} is better" for name in comparison.names]
    source = Path(verdict.provenance.source)
    file = [source.name] if source.suffix else []
    return ", ".join([*file, counted(len(verdict.order), "learner"), _units(verdict), *ways])


def _units(verdict: Verdict) -> str:
    """How much there is of the evidence."""
    sample = verdict.comparison.sample
    if sample.kind == "curves":
        return sample.units_text
    if sample.groups and isinstance(verdict.evidence, Items):
        return f"{counted(len(verdict.evidence.items), 'item')} in {counted(sample.groups, 'group')}"
    return units_short(verdict.comparison)


def units_short(comparison: Comparison) -> str:
    """The units in a few words."""
    sample = comparison.sample
    replications, folds = sample.replications_and_folds
    if sample.kind == "folds" and not sample.divided:
        if sample.test_fraction is not None:
            return counted(replications * folds, "random split")
        return f"{replications} × {folds} folds" if replications > 1 else counted(folds, "fold")
    if sample.kind == "curves":
        number = len({name for names in sample.blocks for name in names})
        return f"curves of {number} data sets" if number > 1 else "whole curves"
    return sample.units_text


def tested(comparison: Comparison) -> str:
    """What was tested, by which test, at which level."""
    several = f", {listed(comparison.names)} together" if len(comparison.names) > 1 else ""
    return f"{comparison.sample.units_text}{several}, {by_which_test(comparison)}"


def tested_by(comparison: Comparison) -> str:
    """By which test, or which test there is too little for."""
    return f"{'Test:' if comparison.degenerate.all() else 'Tested by'} {by_which_test(comparison)}"


def by_which_test(comparison: Comparison) -> str:
    """The test, its adjustment and its level."""
    family = counted(len(comparison.pairs), "pair")
    adjust = "not adjusted" if comparison.adjust == "none" else f"{comparison.adjust} over {family}"
    control = f" with {comparison.control}" if comparison.control else ""
    sides = ", one-sided" if comparison.sides == "one" else ""
    how = f", {adjust}{control}" if len(comparison.pairs) > 1 else control
    return f"{comparison.test}{sides}{how}, alpha {comparison.alpha:g}"


def some(names: Sequence[str]) -> str:
    """Names in a sentence; of many the first few and how many more.

    Examples
    --------
    >>> some(("lda", "svm")), some(tuple("abcdefgh"))
    ('lda and svm', 'a, b, c, d, e, f and 2 others')
    """
    if len(names) <= MOST_NAMES + 1:
        return listed(names)
    return listed((*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} others"))


def verdict_lines(
    verdict: Verdict, *, width: int = WIDTH, then: str = "", styled: Callable[[str, str], str] | None = None
) -> list[str]:
    """The first screen in lines; ``then`` is the next command, ``styled`` sets a row of the table by its state."""
    lines = [*_wrapped(headline(verdict), width), *_wrapped(best_set_sentence(verdict), width), ""]
    below, table = notes(verdict, width), fitted(first_table(verdict), width)
    head, *rows = aligned(table).split("\n")
    lines += [head, *(rows if styled is None else map(styled, rows, table.states))]
    following = (
        f"Next     {without_escapes(then)}" if then else ""
    )  # in one piece: the terminal may break it, and it is copied whole
    room = _LINES - len(lines) - len(below)
    if following and -(len(following) // -width) <= room:
        below.append(following)
        room += len(following) // -width
    return [*lines, *([""] if room > 0 else []), *below]


def notes(verdict: Verdict, width: int = WIDTH) -> list[str]:
    """What stands under the table: one caution and the number of others, the test, and the positive class."""
    comparison, lines = verdict.comparison, []
    if verdict.advice:
        room = 2 if len(verdict.order) <= _FEW else 1
        lines += _wrapped(_caution(verdict.advice, room * (width - 12)), width, "Careful  ")
    said = tested(comparison)
    said = said if len(said) <= width - 9 else f"{units_short(comparison)}, {by_which_test(comparison)}"
    positive = positive_class(verdict)
    return [
        *lines,
        *_wrapped(said, width, "Test     " if comparison.degenerate.all() else "Tested   "),
        *([] if positive is None else _wrapped(positive, width, "Positive ")),
    ]


def positive_class(verdict: Verdict) -> str | None:
    """The class that rates are of, where it is known by name."""
    return verdict.evidence.counted_class if isinstance(verdict.evidence, Vectors) else None


def _caution(advice: Sequence[Advice], width: int) -> str:
    """The first advice with its code, as far as there is room; the page has every word."""
    first, *others = advice
    tail = f" ({first.code}){f'; {len(others)} more: --full' if others else ''}"
    short = (first.seen, title_of(first.code) or first.seen.partition(": ")[0])
    return next((text for text in short if text and len(text + tail) <= width), short[-1] or first.seen) + tail


def verdict_text(verdict: Verdict) -> str:
    """The first screen as text."""
    return "\n".join(verdict_lines(verdict))


def comparison_lines(comparison: Comparison) -> list[str]:
    """How many pairs differ, and by which test."""
    differ, number = int(comparison.significant.sum()), len(comparison.pairs)
    verb = "differs" if 1 in (differ, number) else "differ"
    lines = [f"{differ} of {counted(number, 'pair')} {verb} significantly."]
    lines += _wrapped(tested(comparison), WIDTH, "Tested   ")
    if comparison.sized and comparison.bounded:
        what = "ratio of first and second" if comparison.sample.scale == "log-ratio" else "first minus second"
        lines += _wrapped(f"{what} in {comparison.measure}, with {interval_words(comparison)}", WIDTH, "Shown    ")
    return lines


def comparison_text(comparison: Comparison) -> str:
    """How many pairs differ, by which test, then every pair."""
    return "\n".join([*comparison_lines(comparison), "", aligned(comparison_table(comparison))])


def ordering_lines(ordering: Ordering) -> list[str]:
    """The order, and what overrules the preference."""
    best = "" if ordering.method in GROUPS else f" finds {ordering.best or 'no'} best; order"
    lines = [f"{ordering.method}{best}: {', '.join(ordering.order)}."]
    if ordering.groups:
        groups = "; ".join(", ".join(group) for group in ordering.groups)
        lines.append(f"No difference is shown ({ordering.groups_by}) within: {groups}.")
    by = "ranked below it" if ordering.ranks is not None else "placed below it by the tests"
    lines += [f"- {worse} is preferred to {better} and {by}." for worse, better in ordering.edges]
    return lines


def ordering_text(ordering: Ordering) -> str:
    """The order and the edges or groups that it rests on."""
    return "\n".join(ordering_lines(ordering))


def _wrapped(text: str, width: int, start: str = "") -> list[str]:
    lines = in_columns(text, width - len(start))
    return [(" " * len(start) if i else start) + line for i, line in enumerate(lines)]


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
