"""The answer in words: the first screen, and comparisons and orders as text. Words read fields and never compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import expm1, isinf
from pathlib import Path

from bestofk.advice import Advice, title_of
from bestofk.comparing import Comparison
from bestofk.core.escapes import without_escapes
from bestofk.core.phrases import counted, listed, p_words, plural
from bestofk.evidence import Items
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict
from bestofk.judging.good_enough import units_there
from bestofk.ordering import Ordering
from bestofk.ordering.methods import GROUPS, means_first
from bestofk.reporting.first_screen import (
    MOST_LEARNERS,
    ahead,
    by_preference,
    difference_text,
    first_table,
    listed_by,
    passed_alone,
)
from bestofk.reporting.method_names import called
from bestofk.reporting.tables import (
    aligned,
    comparison_table,
    fitted,
    in_columns,
    interval_words,
    is_ratio,
    ordering_table,
)
from bestofk.stats.pairwise.student import FEWEST_DF, FEWEST_RUNS

#: What a claim is about: who is compared, and on what.
SCOPES = {
    "models": ("these trained models", "on {units} like these"),
    "these groups": ("these trained models", "on items of these {groups}"),
    "runs": ("these learners", "on this test set, whatever the seed"),
    "learner": ("these learners", "on data like this"),
    "these data sets": ("these learners", "on these {datasets} data sets"),
    "data sets": ("these learners", "on data sets like these"),
    "battles": ("these models", "on prompts and votes like these"),
}
#: So many names stand in a sentence.
MOST_NAMES = 6
#: So many times the units there are is no plan.
VERY_MANY = 1_000
#: Of two numbers so many times apart the smaller says nothing.
VAGUE = 100
WIDTH = 80
#: The first screen has so many lines for eight learners.
_LINES = 15
#: Where the other cautions are, for who typed a command and for who has the verdict in Python; and the other rows.
OPTION, FIELD, REPORT = "--full", "verdict.advice", "verdict.report"
#: Beside so few learners a caution may have two lines.
_FEW = 6


def title(verdict: Verdict) -> str:
    """The verdict in a few words; of curves it begins with what of them was compared."""
    said, quantity = _title(verdict), verdict.comparison.quantity
    if not quantity or not verdict.decidable:
        return said
    said = said if verdict.status == "decided" else f"{said[:1].lower()}{said[1:]}"
    return f"{quantity[:1].upper()}{quantity[1:]}, {said}"


def _title(verdict: Verdict) -> str:
    if verdict.status == "decided":
        return f"{verdict.best} is best"
    lowest = _lowest_cost(verdict)
    if verdict.status == "preferred":
        named = verdict.prior is not None and not verdict.ordering.prior_from and _plainly(verdict)
        first = lowest or ("most preferred" if named and len(verdict.names) < 2 else "")
        return f"Take {verdict.best}{f': {first} of those not shown to be worse' if first else _by(verdict)}"
    if verdict.status == "within":
        return f"Take {verdict.best}{f': {lowest} of those shown ' if lowest else ', '}{within_words(verdict)}"
    if verdict.status == "tied":
        return "No single best" if verdict.control is None else _better_than_control(verdict, verdict.control)
    return "Undecided" if verdict.decidable else "Not enough data to decide"


def _lowest_cost(verdict: Verdict) -> str:
    """That the choice has the lowest cost of those that might be chosen; nothing of names, or where ranks overrule."""
    cost, might = verdict.ordering.prior_from, verdict.best_set
    if verdict.status == "within" and verdict.within is not None:
        might = verdict.within.learners
    return f"lowest {cost}" if cost and _plainly(verdict) and verdict.best in might and len(might) > 1 else ""


def _plainly(verdict: Verdict) -> bool:
    """Whether the choice follows from all pairs and the preference alone."""
    return verdict.control is None and verdict.ordering.method == "multitest" and verdict.comparison.sides == "two"


def _by(verdict: Verdict) -> str:
    if verdict.status == "preferred" and not by_preference(verdict):
        return f", by {called(verdict.ordering.method)}"
    return f", by {verdict.ordering.prior_from or 'preference'}" if verdict.prior else ""


def _better_than_control(verdict: Verdict, control: str) -> str:
    """How many learners are better than the control: no other pairs were tested."""
    others = len(verdict.order) - 1
    better = sum(verdict.comparison.shows(name, control) for name in verdict.order if name != control)
    number = "No learner" if not better else f"All {others} others" if better == others > 1 else f"{better} of {others}"
    return f"{number} {'is' if better < 2 else 'are'} {'' if better else 'shown to be '}better than {control}"


def scope_words(comparison: Comparison) -> str:
    """What a claim is about, as the end of a sentence: on what."""
    sample = comparison.sample
    units, groups = plural(sample.unit), plural(sample.group_name)
    return SCOPES[comparison.scope][1].format(datasets=sample.datasets or sample.units, units=units, groups=groups)


def headline(verdict: Verdict, *, brief: bool = False) -> str:
    """The verdict in a sentence; a ``brief`` one leaves to the table who has the best mean."""
    return f"{title(verdict)}{_after_title(verdict, brief=brief)}."


def below_title(verdict: Verdict) -> str:
    """What the headline says after its title, as a sentence of its own."""
    said = _after_title(verdict).lstrip(" ,:")
    return f"{said[:1].upper()}{said[1:]}."


def _after_title(verdict: Verdict, *, brief: bool = False) -> str:
    about, at_end = scope_words(verdict.comparison), _at_end(verdict)
    if verdict.status == "preferred":
        leader = "" if brief else _leader(verdict)
        return "; ".join(each for each in (f", {about}", _not_better(verdict), leader, at_end) if each)
    if verdict.status == "within":
        by = "" if _lowest_cost(verdict) else _by(verdict)
        by = ", the only one shown" if verdict.within is not None and len(verdict.within.learners) == 1 else by
        return "; ".join(each for each in (f"{by}, {about}", at_end) if each)
    if verdict.status == "undecided":
        return f": {_why_undecided(verdict)}"
    if verdict.status == "tied" and verdict.control is not None:
        return "; ".join(each for each in (f", {about}", at_end) if each)
    decided = verdict.status == "decided"
    sure = in_brackets(sureness(verdict)) if decided else ""
    several = ", better in every measure" if decided and len(verdict.names) > 1 else ""
    said = f" of {SCOPES[verdict.comparison.scope][0]}, {about}{sure}{several}"
    return f"{said}; {at_end}" if at_end else said


def _why_undecided(verdict: Verdict) -> str:
    """Why nobody is best."""
    units = units_short(verdict.comparison)
    if verdict.comparison.sample.too_few_groups:
        return f"{counted(verdict.comparison.sample.groups, verdict.comparison.sample.unit)} are too few"
    if not verdict.decidable:
        cannot = f"cannot separate {counted(len(verdict.comparison.pairs), 'pair')}"
        return f"{units} {'are too few to be tested' if verdict.comparison.degenerate.all() else cannot}"
    if verdict.within is not None and not verdict.within.learners:
        within = verdict.within
        needed = needed_words(within.more, within.more_between, verdict.comparison, "show one")
        return f"no learner is shown to be {within_words(verdict)}{f'; {needed}' if needed else ''}"
    if verdict.prior is not None and verdict.ordering.best is None:
        return f"{verdict.ordering.method} finds no best"
    few = [] if verdict.comparison.sample.battles is None else verdict.comparison.sample.battles.rarely_met
    if few:
        return f"{some(few)} {'has' if len(few) == 1 else 'have'} too few battles to be tested"
    return _why_untested(verdict, units) or _why_no_winner(verdict)


def _why_untested(verdict: Verdict, units: str) -> str:
    """Which pair of the set of the best, or of its only member, could not be tested, and why."""
    comparison, among = verdict.comparison, set(verdict.best_set)
    untested = (
        pair
        for pair, untested in zip(comparison.pairs, comparison.degenerate.tolist(), strict=True)
        if untested and (among < set(pair) if len(among) == 1 else among.issuperset(pair))
    )
    pair = next(untested, None)
    if pair is None:
        return ""
    one, other = pair
    runs = dict(zip(comparison.learners, comparison.sample.runs, strict=True)) if comparison.sample.runs else {}
    few = [name for name in (one, other) if name in runs and len(runs[name]) < FEWEST_RUNS]
    if few:
        return f"{listed(few)} {'has' if len(few) == 1 else 'have'} fewer than {FEWEST_RUNS:g} runs"
    if isinf(comparison.pair(one, other).statistic):
        return f"{one} and {other} always differ by the same, and {units} are too few to trust that"
    return f"{units} leave {one} and {other} fewer than {FEWEST_DF:g} degrees of freedom"


def _why_no_winner(verdict: Verdict) -> str:
    """Whom the only member of the set of the best is not shown to be better than."""
    comparison, (alone,) = verdict.comparison, verdict.best_set
    found = verdict.ordering.best
    if found not in (None, alone):
        return f"{verdict.ordering.method} finds {found}, and another is shown to be better"
    other = next(name for name in verdict.order if name != alone and not comparison.wins(alone, name))
    if not comparison.compared(alone, other):
        return f"{alone} was not compared with {other}"
    if comparison.end_pvalue(other, alone) is not None:
        return _at_end(verdict) or f"{other} is better than {alone} at the last step"
    return f"{alone} is not shown to be better than {other}"


def within_words(verdict: Verdict) -> str:
    """The margin in words."""
    assert verdict.within is not None
    return f"within {margin_words(verdict.within.margin, verdict.within.relative)} of the best"


def margin_words(margin: float, relative: bool) -> str:
    """A margin in units of the measure, or in per cent."""
    return f"{100 * margin:g} %" if relative else f"{margin:g}"


def needed_words(more: int | None, between: tuple[int, int] | None, comparison: Comparison, what: str) -> str:
    """How many more units would probably do something, in two digits; where one number is known, how many in all."""
    if between is None:
        return ""
    units = "runs of each" if comparison.sample.runs else plural(comparison.sample.unit)
    low, high = (f"{int(float(f'{each:.1e}')):,}" for each in between)
    if between[1] >= VERY_MANY * units_there(comparison.sample):
        least = f" ({low} or more)" if between[0] >= units_there(comparison.sample) else ""
        return f"how many more {units} would {what} cannot be told yet{least}"
    if between[1] > VAGUE * between[0]:
        return f"up to {high} more {units} may be needed to {what}"
    if more is None:
        return f"{low} to {high} more {units} would probably {what}"
    enough = int(float(f"{units_there(comparison.sample) + more:.1e}"))
    return f"about {enough:,} {units} in all ({low} to {high} more) would probably {what}"


def _at_end(verdict: Verdict) -> str:
    """Who is better than the first at the last step of whole curves."""
    if verdict.ahead_at_end is None:
        return ""
    name, pvalue = verdict.ahead_at_end
    return f"at step {verdict.comparison.sample.steps[-1]:g} alone {name} is better ({p_words(pvalue)})"


def _not_better(verdict: Verdict) -> str:
    """Who is shown to be better than the choice, or that nobody is; the set of the best says the rest."""
    if verdict.beaten_by:
        return f"{some(verdict.beaten_by)} {'is' if len(verdict.beaten_by) == 1 else 'are'} shown to be better"
    return "" if verdict.rivals else "every other learner is shown to be worse"


def _leader(verdict: Verdict) -> str:
    """How far the learner that would be listed first is ahead of the choice, if it is."""
    comparison = verdict.comparison
    leader, first = means_first(comparison)[0], verdict.order[0]
    if not ahead(verdict, leader, first) or comparison.several is not None or not comparison.compared(first, leader):
        return ""
    pair = comparison.pair(leader, first)
    agrees = pair.difference is not None and (pair.difference > 0) == comparison.larger_is_better
    if not comparison.sized or not agrees:  # what a test of ranks is about may point elsewhere
        return f"{leader} has the best {listed_by(comparison)}"
    difference = difference_text(verdict, leader, first)
    size = "ratio" if is_ratio(comparison) else "difference"
    return f"{leader} has the best {listed_by(comparison)} ({size} {difference})"


def best_set_sentence(verdict: Verdict, most: int = MOST_NAMES) -> str:
    """Among whom the best is, or who is close enough to it; nothing where nothing could be shown.

    Of a single best: above whom its rank does not place it. Of many learners ``most`` are named.
    """
    if verdict.status == "undecided" and (verdict.control is None or not verdict.decidable):
        return ""
    if verdict.status == "decided":
        alike, pairs = [name for name in verdict.order if passed_alone(verdict, name)], len(verdict.comparison.pairs)
        more = "" if most < MOST_NAMES else ", which takes more"
        harder = f"Ranks hold for all {pairs} pairs at once{more}: there it is not shown above"
        return f"{harder} {some(alike, most)}." if alike else ""
    sure = in_brackets(sureness(verdict))
    if verdict.control is not None:
        return _beside_control(verdict, verdict.control, sure, most)
    within = verdict.within.learners if verdict.status == "within" and verdict.within is not None else ()
    if len(verdict.names) > 1 and len(verdict.best_set) == len(verdict.order):
        return f"None is shown to be better{_in_every(verdict)}{sure}."
    if not within and len(verdict.best_set) == 1:
        return f"Only {verdict.best_set[0]} is not shown to be worse than another{sure}."
    return f"{best_set_label(verdict)} {some(within or verdict.best_set, most)}{sure}."


def _beside_control(verdict: Verdict, control: str, sure: str, most: int) -> str:
    """Who is better and who is worse than the control."""
    words = {"worse": "worse", "better": "better", "differs": "different", "trade-off": "different"}
    found: dict[str, list[str]] = {"better": [], "worse": [], "different": []}
    for name in verdict.order:
        if name != control and verdict.against(control, name) in words:
            found[words[verdict.against(control, name)]].append(name)
    groups = [(word, names) for word, names in found.items() if names]
    if not groups:
        return f"No difference from {control} is shown."
    than = f" {'from' if groups[0][0] == 'different' else 'than'} {control}"
    said = [f"{word}{'' if i else than}: {some(names, most)}" for i, (word, names) in enumerate(groups)]
    return f"Shown {'; '.join(said)}{sure}."


def best_set_label(verdict: Verdict) -> str:
    """What stands before the names of the set of the best, or of those that are good enough."""
    if verdict.status == "within":
        return f"Shown {within_words(verdict)}:"
    return f"The best{_in_every(verdict)} is among"


def _in_every(verdict: Verdict) -> str:
    """In every one of several measures: who is worse in one may be the best all the same."""
    names = verdict.names
    return f" in both {listed(names)}" if len(names) == 2 else f" in all {len(names)} measures" if names[2:] else ""


def sureness(verdict: Verdict) -> str:
    """How sure the best is in the set of the best; empty where no such chance is held.

    That of a single best is held whatever the adjustment: it is better than each other at alpha. A test that the
    design does not allow holds none.
    """
    comparison = verdict.comparison
    if comparison.ignores_overlap or comparison.choice.forced:
        return ""
    about = "about " if comparison.sample.approximate(verdict.test) else ""
    held = verdict.status == "decided" or comparison.holds_family
    return f"{about}{100 * (1 - verdict.alpha):g} %" if held else ""


def in_brackets(sure: str) -> str:
    """How sure it is, after what is said; nothing where no chance is held."""
    return f" ({sure})" if sure else ""


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
    if sample.curves:
        return f"curves of {sample.units_text}" if sample.folds else sample.units_text
    if sample.groups and isinstance(verdict.evidence, Items):
        return f"{counted(len(verdict.evidence.items), 'item')} in {counted(sample.groups, sample.unit)}"
    return units_short(verdict.comparison)


def units_short(comparison: Comparison) -> str:
    """The units in a few words."""
    sample = comparison.sample
    replications, folds = sample.replications_and_folds
    if sample.kind == "folds" and not sample.divided:
        if sample.test_fraction is not None:
            return counted(replications * folds, "random split")
        return f"{replications} × {folds} folds" if replications > 1 else counted(folds, "fold")
    if sample.curves:
        return f"curves of {sample.datasets} data sets" if sample.datasets > 1 else "whole curves"
    return sample.units_text


def tested(comparison: Comparison) -> str:
    """What was tested, by which test, at which level."""
    several = f", {listed(comparison.names)} together" if len(comparison.names) > 1 else ""
    return f"{comparison.sample.units_text}{several}, {by_which_test(comparison)}"


def tested_by(verdict: Verdict) -> str:
    """By which test, or which test there is too little for."""
    comparison = verdict.comparison
    test = "Tested by" if comparison.tested else "No pair was tested; the test would be"
    return f"{test} {by_which_test(comparison)}"


def by_which_test(comparison: Comparison, *, brief: bool = False) -> str:
    """The test, its adjustment and its level; unless ``brief``, for how many pairs it is adjusted."""
    family = counted(len(comparison.pairs), "pair") + (", with steps" if comparison.alpha_share < 1.0 else "")
    own = comparison.adjust == comparison.test  # it adjusts its p values itself
    over = "" if brief or comparison.adjust == "none" else f" over {family}"
    adjust = "" if own else ", not adjusted" if comparison.adjust == "none" else f", {comparison.adjust}"
    control = f" with {comparison.control}" if comparison.control else ""
    sides = ", one-sided" if comparison.sides == "one" else ""
    test = f"{comparison.test}{' (Bonferroni–Dunn)' if own and control else ''}"
    several = len(comparison.pairs) > 1 or comparison.alpha_share < 1.0
    how = f"{adjust}{over}{control}" if several else control
    size = "ratios" if is_ratio(comparison) else "differences"
    about = "" if comparison.about == "mean" else f" ({comparison.about} {size})"
    return f"{test}{about}{sides}{how}, alpha {comparison.alpha:g}"


def some(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Names in a sentence; of many the first few and how many more.

    Examples
    --------
    >>> some(("lda", "svm")), some(tuple("abcdefgh"))
    ('lda and svm', 'a, b, c, d, e, f and 2 others')
    """
    if len(names) <= most + 1:
        return listed(names)
    return listed((*names[:most], f"{len(names) - most} others"))


def verdict_lines(
    verdict: Verdict, *, width: int = WIDTH, then: str = "", styled: Callable[[str, str], str] | None = None
) -> list[str]:
    """The first screen in lines; ``then`` is the next command, ``styled`` sets a row of the table by its state."""
    table = fitted(first_table(verdict), width)
    head, *rows = aligned(table).split("\n")
    if len(verdict.order) > MOST_LEARNERS:  # the last row counts the others
        told = f"{rows[-1]}: {OPTION if then else REPORT}"
        rows[-1] = told if len(told) <= width else rows[-1]
    # the next command is in one piece: the terminal may break it, and it is copied whole
    following = f"Next     {without_escapes(then)}" if then else ""
    least = len(rows) + 1 - (len(following) // -width)
    for brief in (False, True):
        above = [*wrapped(headline(verdict, brief=brief), width), *_best_set_lines(verdict, width, brief=brief)]
        below = notes(verdict, width, OPTION if then else FIELD, brief=brief)
        room = _LINES - len(above) - len(below) - least
        if room > 0:
            break
    if following and room >= 0:
        below.append(following)
    elif following:
        room -= len(following) // -width
    lines = [*above, *([""] if room else []), head, *(rows if styled is None else map(styled, rows, table.states))]
    return [*lines, *([""] if room > 1 else []), *below]


def _best_set_lines(verdict: Verdict, width: int, *, brief: bool) -> list[str]:
    """The set of the best in lines, or with as many names as one line has."""
    ways = [wrapped(best_set_sentence(verdict, most), width) for most in range(MOST_NAMES, 0, -1)]
    return next((lines for lines in ways if len(lines) <= 1 or not brief), ways[-1])


def notes(verdict: Verdict, width: int = WIDTH, rest: str = FIELD, *, brief: bool = False) -> list[str]:
    """What stands under the table: one caution, how many others ``rest`` has, the test, and the positive class."""
    comparison, lines = verdict.comparison, []
    if verdict.advice:
        room = 2 if len(verdict.order) <= _FEW else 1
        lines += _caution(verdict.advice, width, room, rest, remedy=verdict.status == "undecided")
    said = tested(comparison)
    if len(said) > width - 9:
        said = f"{units_short(comparison)}, {by_which_test(comparison, brief=brief)}"
    positive = positive_class(verdict)
    if verdict.filled_in is not None:
        lines += wrapped(repr(verdict.filled_in), width, "Filled   ")
    return [
        *lines,
        *wrapped(said, width, "Tested   " if comparison.tested else "Test     "),
        *([] if positive is None else wrapped(positive, width, "Positive ")),
    ]


def positive_class(verdict: Verdict) -> str | None:
    """The class that rates are of, where it is known by name."""
    return verdict.evidence.counted_class if isinstance(verdict.evidence, Vectors) else None


def _caution(advice: Sequence[Advice], width: int, room: int, rest: str, *, remedy: bool) -> list[str]:
    """The first advice with its code, in so many lines or in a few words; in one line more with its ``remedy``."""
    first, *others = advice
    tail = f" ({first.code}){f'; {len(others)} more: {rest}' if others else ''}"
    short: tuple[str, ...] = (first.seen, title_of(first.code))  # those of other packages may have no title
    if remedy:
        short, room = (*(f"{text}; {first.do}" for text in short if text), *short), room + 1
    ways = [wrapped(text + tail, width, "Careful  ") for text in short if text]
    return next((lines for lines in ways if len(lines) <= room), ways[-1])


def verdict_text(verdict: Verdict) -> str:
    """The first screen as text."""
    return "\n".join(verdict_lines(verdict))


def comparison_lines(comparison: Comparison, *, intervals: bool = True) -> list[str]:
    """How many pairs differ, and by which test; and what ``intervals`` are, where the table has them."""
    differ, number = int(comparison.significant.sum()), len(comparison.pairs)
    verb = "differs" if 1 in (differ, number) else "differ"
    lines = [f"{differ} of {counted(number, 'pair')} {verb} significantly."]
    if not comparison.tested:
        lines = [f"No pair could be tested: {comparison.sample.units_text} are too few for {comparison.test}."]
    if comparison.margin is not None and comparison.equivalent is not None:
        share = comparison.sample.scale == "log-ratio"
        margin = margin_words(expm1(comparison.margin) if share else comparison.margin, share)
        lines[0] += f" Equivalent within {margin}: {counted(int(comparison.equivalent.sum()), 'pair')}."
    lines += wrapped(tested(comparison), WIDTH, "Tested   " if comparison.tested else "Test     ")
    if comparison.sized and comparison.bounded and comparison.tested:
        what = "ratio of first and second" if comparison.sample.scale == "log-ratio" else "first minus second"
        bounds = f", with {interval_words(comparison)}" if intervals else ""
        lines += wrapped(f"{what} in {comparison.measure}{bounds}", WIDTH, "Shown    ")
    return lines


def comparison_text(comparison: Comparison) -> str:
    """How many pairs differ, by which test, then every pair."""
    return "\n".join([*comparison_lines(comparison), "", aligned(comparison_table(comparison))])


def ordering_lines(ordering: Ordering, width: int = WIDTH) -> list[str]:
    """What the method finds, and what overrules the preference."""
    groups = ordering.groups or ()
    found = counted(len(groups), "group") if ordering.method in GROUPS else f"{ordering.best or 'no'} best"
    lines = wrapped(f"{ordering.method} finds {found}.", width)
    if groups:
        told = "; ".join(", ".join(group) for group in groups)
        lines += wrapped(f"No difference is shown ({ordering.groups_by}) within: {told}.", width)
    by = "ranked below it" if ordering.ranks is not None else "placed below it by the tests"
    for worse, better in ordering.edges:
        lines += wrapped(f"{worse} is preferred to {better} and {by}.", width, "- ")
    return lines


def ordering_text(ordering: Ordering) -> str:
    """The edges or groups that the order rests on, and the order."""
    return "\n".join([*ordering_lines(ordering), "", aligned(ordering_table(ordering))])


def wrapped(text: str, width: int, start: str = "") -> list[str]:
    """The text in lines, the first after ``start``."""
    lines = in_columns(text, width - len(start))
    return [(" " * len(start) if i else start) + line for i, line in enumerate(lines)]
