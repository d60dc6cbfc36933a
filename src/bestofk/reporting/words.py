"""Every sentence in one place. Words read fields and never compute."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bestofk.comparing import Comparison
from bestofk.core.phrases import counted, listed
from bestofk.judging import Verdict
from bestofk.judging.methods import means_first
from bestofk.ordering import Ordering
from bestofk.reporting.at_the_top import from_whom
from bestofk.reporting.by_ranks import by_ranks, overruling, separating, showing
from bestofk.reporting.curve_words import curve_lines
from bestofk.reporting.dataset_words import dataset_lines
from bestofk.reporting.level_words import adjusted_words
from bestofk.reporting.order_words import order_sentence
from bestofk.reporting.reason_words import reason_words
from bestofk.reporting.tables import aligned, comparison_table, verdict_table

#: What a claim is about.
SCOPES = {
    "models": "of these trained models, on items like these",
    "runs": "of these learners, whatever the run",
    "learner": "of these learners, on data like this",
    "data sets": "of these learners, on data sets like these",
}

#: So many neighbours are explained in the text; JSON has every pair.
MOST_REASONS = 20


def verdict_text(verdict: Verdict) -> str:
    """The verdict first, then why, then the numbers."""
    return "\n".join([*verdict_words(verdict), "", aligned(verdict_table(verdict))])


def verdict_words(verdict: Verdict) -> list[str]:
    """The verdict and why, without the table."""
    return [headline(verdict), "", *_why(verdict)]


def comparison_text(comparison: Comparison) -> str:
    """How many pairs differ, by which test, then every pair."""
    return "\n".join([*comparison_words(comparison), "", aligned(comparison_table(comparison))])


def comparison_words(comparison: Comparison) -> list[str]:
    """What was compared and found, without the table."""
    return [
        _how_many_differ(comparison),
        "",
        *grounds(comparison),
        f"Difference: mean {comparison.measure} of the first minus that of the second{_interval(comparison)}. "
        "Effects are positive, and A12 above 0.5, where the first is better.",
    ]


def _how_many_differ(comparison: Comparison) -> str:
    differ, number = int((comparison.adjusted <= comparison.alpha).sum()), len(comparison.pairs)
    against = f" with {comparison.control}" if comparison.control else ""
    verb = "differs" if 1 in (differ, number) else "differ"
    return f"{differ} of {counted(number, 'pair')}{against} {verb} significantly."


def ordering_text(ordering: Ordering) -> str:
    """The order and the edges or groups that it rests on."""
    return "\n".join(ordering_words(ordering))


def ordering_words(ordering: Ordering) -> list[str]:
    """The order, and what overrides the preference."""
    lines = [f"{ordering.method}: {order_sentence(ordering.order, ordering.prior, ordering.method)}"]
    if ordering.best is None:
        lines = [f"{ordering.method} finds no best. By mean alone: {', '.join(ordering.order)}."]
    if ordering.groups:
        by = f" ({ordering.groups_by})" if ordering.groups_by else ""
        lines.append(f"Not told apart{by}: " + "; ".join(" ".join(group) for group in ordering.groups) + ".")
    lines += [f"- {worse} is preferred to {better} and shown to be worse." for worse, better in ordering.edges]
    return lines


def headline(verdict: Verdict) -> str:
    """The verdict in a sentence or two, with the order."""
    order = order_sentence(verdict.order, verdict.prior, verdict.ordering.method)
    by_mean = f"By mean {verdict.measure} alone, best first: {', '.join(means_first(verdict.comparison))}."
    if verdict.status == "undecided":
        return f"{undecided_because(verdict)} {by_mean}"
    if verdict.status == "decided":
        others = "the other learner is" if len(verdict.order) == 2 else "every other learner is"
        return f"{verdict.best} is best {SCOPES[verdict.scope]}: {others} significantly worse. {order}"
    if verdict.status == "preferred":
        return f"{verdict.best} is the choice: {doubt(verdict, 'it')}, and {preferred_because(verdict)}. {order}"
    return f"No single best: {doubt(verdict, verdict.order[0])}, and no preference was given. {by_mean}"


def undecided_because(verdict: Verdict) -> str:
    """Why there is no verdict: nothing could have been shown, or the method finds no best."""
    if verdict.comparison.decidable:
        return f"No best is found by {verdict.ordering.method}."
    return f"Undecided: with {verdict.comparison.design} no difference could have been shown, however large (K102)."


def doubt(verdict: Verdict, first: str) -> str:
    """Why the first is not simply the best."""
    parts = []
    asked = tuple(name for name in verdict.rivals if name not in verdict.not_compared)
    if asked:
        parts.append(f"{separating(verdict)} not separate {first} from {from_whom(asked, verdict)}")
    if verdict.not_compared:
        control, others = verdict.control, listed(verdict.not_compared)
        verb = "was" if len(verdict.not_compared) == 1 else "were"
        parts.append(f"{others} {verb}, like {first}, compared with {control} only, which does not stand between")
    if verdict.beaten_by:
        parts.append(f"{showing(verdict)} {listed(verdict.beaten_by)} to be better than {first}")
    return "; ".join(parts) or "every other learner is shown to be worse"  # Multi²Test by itself decides nothing


def preferred_because(verdict: Verdict) -> str:
    """What names the best where the data do not."""
    if verdict.ordering.method not in ("multitest", "multi2test"):
        return f"{verdict.ordering.method} names it"
    if verdict.ordering.prior_from:
        cost = verdict.ordering.prior_from
        return f"it has the smallest {cost} of the learners that {overruling(verdict)} not overrule"
    return f"it is the most preferred learner that {overruling(verdict)} not overrule"


def _why(verdict: Verdict) -> list[str]:
    neighbours = [verdict.reason(better, worse) for better, worse in pairwise(verdict.order)]
    lines = [
        *grounds(verdict.comparison),
        *rule(verdict),
        *notes(verdict),
        *(f"- {overruled(name, by, verdict)}" for name, by in verdict.overtaken),
        *(f"- {reason_words(reason, verdict)}" for reason in neighbours[:MOST_REASONS]),
    ]
    if len(neighbours) > MOST_REASONS:
        more = counted(len(neighbours) - MOST_REASONS, "more neighbour")
        lines.append(f"- {more} in the order: see --json, reasons.")
    if verdict.possible_best is not None:
        lines.append(possible_words(verdict))
    return [*lines, *dataset_lines(verdict), *(repr(advice) for advice in verdict.advice)]


def grounds(comparison: Comparison) -> list[str]:
    """What was compared, by which test, at which level, and what the test over all learners says."""
    lines = [
        f"Evidence: {comparison.evidence}.",
        f"Test: {comparison.test}, because {comparison.why_test}. Alpha {comparison.alpha:g}{_family(comparison)}.",
    ]
    omnibus = comparison.omnibus
    if omnibus is not None:
        after = " Pairs are shown all the same." if omnibus.accepts else ""
        caution = f" ({omnibus.caution})" if omnibus.caution else ""
        lines.append(f"Over all learners: {omnibus!r}{caution}.{after}")
    return [*lines, *curve_lines(comparison)]


def _family(comparison: Comparison) -> str:
    """What alpha is shared by, and how."""
    pairs = "the pair" if len(comparison.pairs) == 1 else "all pairs"
    scope = pairs if comparison.control is None else f"{pairs} with the control {comparison.control}"
    return f" for {scope}{adjusted_words(len(comparison.pairs), comparison.adjust)}"


#: Methods other than MultiTest, whose order or best rests on tests of their own.
_RULES = {
    "multi2test": "Multi²Test, {0.graph.within} within each data set, {0.graph.across} across them",
    "test-first": "test-first, each one-sided test at alpha over the number of pairs; the others follow by mean",
    "anova-best": "anova-best: the most preferred learner if ANOVA finds no difference; the others follow by mean",
    "newman-keuls-best": "newman-keuls-best, by the ranges of Newman and Keuls; the others follow by mean",
}


def rule(verdict: Verdict) -> list[str]:
    """How the order was made, where it rests on tests of its own."""
    own = _RULES.get(verdict.ordering.method)
    return [] if own is None or verdict.prior is None else [f"Order: {own.format(verdict.ordering)}."]


def notes(verdict: Verdict) -> list[str]:
    """How the input was read, and where the preference comes from."""
    lines = [f"Read: {note}." for note in verdict.provenance.notes]
    if verdict.ordering.prior_from:
        lines.append(f"Preference: by {verdict.ordering.prior_from}, smaller first: {', '.join(verdict.prior or ())}.")
    return lines


def overruled(name: str, by: Sequence[str], verdict: Verdict) -> str:
    """A learner that is preferred to the best, and who beats it."""
    if by_ranks(verdict):
        return f"{name} is preferred to {verdict.order[0]} but overruled: Multi²Test ranks {listed(by)} above it."
    shown = "is" if len(by) == 1 else "are"
    return f"{name} is preferred to {verdict.order[0]} but overruled: {listed(by)} {shown} shown to beat it."


def possible_words(verdict: Verdict) -> str:
    """Which learners could be best under another preference."""
    possible = verdict.possible_best or ()
    if len(possible) == 1:
        return f"{possible[0]} comes first under every preference."
    return f"First under some preference: {listed(possible)}."


def _interval(comparison: Comparison) -> str:
    if not comparison.interval_from:
        return ""
    return f", with its {100 * comparison.level:g} % interval by {comparison.interval_from}, each pair by itself"
