"""Words for the first screen: which learner is best, why, and how sure one may be."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.advice import Advice
from bestofk.core.phrases import counted, listed
from bestofk.judging import Verdict
from bestofk.judging.measures_verdict import MeasuresVerdict
from bestofk.reporting.at_the_top import from_whom, tied_words
from bestofk.reporting.by_ranks import by_ranks, separating, showing
from bestofk.reporting.firmness import shaky_first_place
from bestofk.reporting.known_names import advice_titles
from bestofk.reporting.level_words import level_words
from bestofk.reporting.means import better_mean
from bestofk.reporting.tables import mean_text
from bestofk.reporting.words import SCOPES, doubt, preferred_because, undecided_because

#: So many names stand in a sentence of the first screen; the order below it has all of them.
MOST_NAMES = 6

STATUS_MEANS = {
    "decided": "decided by the data: every other learner is significantly worse",
    "preferred": "chosen by preference: the data leave more than one learner in question",
    "tied": "tied: the data do not single out one learner, and no preference was given",
    "undecided": "undecided: no difference could have been shown, or the chosen method finds no best",
}


def status_means(verdict: Verdict) -> str:
    """The status in plain words."""
    return STATUS_MEANS[verdict.status]


@dataclass(frozen=True)
class Answer:
    """A question that every reader has, and its answer in a sentence or two; ``codes`` are those of advice in it."""

    question: str
    sentence: str
    codes: tuple[str, ...] = ()


def title(verdict: Verdict) -> str:
    """The verdict in a few words."""
    if verdict.status == "decided":
        return f"{verdict.best} is best"
    if verdict.status == "preferred":
        return f"{verdict.best} is the choice"
    return "No single best" if verdict.status == "tied" else "Undecided"


def answers(verdict: Verdict) -> tuple[Answer, ...]:
    """Best, why and how sure, for somebody who reads nothing else."""
    return (
        Answer("Which learner is best?", _which(verdict)),
        Answer("Why?", _why(verdict), () if verdict.comparison.decidable else ("K102",)),
        Answer("How sure is that?", _how_sure(verdict)),
    )


def caution(verdict: Verdict) -> tuple[Answer, ...]:
    """The first advice in a sentence and the others in a few words; empty when there is none."""
    return careful(verdict.advice)


def careful(advice: tuple[Advice, ...]) -> tuple[Answer, ...]:
    """See ``caution``."""
    if not advice:
        return ()
    first, *others = advice
    codes = tuple(each.code for each in others)
    titles = advice_titles(codes)
    named = [f"{code} ({titles[code]})" if code in titles else code for code in dict.fromkeys(codes)]
    more = f" More advice below: {listed(named)}." if others else " See the advice below."
    return (Answer("What to be careful about?", f"{first.code}: {first.seen}.{more}", (first.code, *codes)),)


def some(names: tuple[str, ...]) -> str:
    """Names in a sentence; of many the first few and how many more.

    Examples
    --------
    >>> some(("lda", "svm")), some(tuple("abcdefgh"))
    ('lda and svm', 'a, b, c, d, e, f and 2 others')
    """
    if len(names) <= MOST_NAMES + 1:
        return listed(names)
    return listed((*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} others"))


def _which(verdict: Verdict) -> str:
    first = verdict.order[0]
    mean = f"mean {verdict.measure} {mean_text(verdict.means[first])}"
    if verdict.status == "decided":
        return f"{first} ({mean}), {SCOPES[verdict.scope]}."
    if verdict.status == "preferred":
        return f"{first} is the one to take by preference ({mean}), not a proven winner over every other."
    if verdict.status == "tied":
        return tied_words(verdict, some)
    return f"Nobody: {first} stands first by its mean alone ({mean})."


def _why(verdict: Verdict) -> str:
    first = verdict.order[0]
    if verdict.status == "decided":
        others = "The other learner is" if len(verdict.order) == 2 else f"All {len(verdict.order) - 1} others are"
        sentence = f"{others} shown by the tests to be significantly worse than {first}."
        return " ".join(part for part in (sentence, _preference(verdict)) if part)
    if verdict.status == "undecided":
        return undecided_because(verdict)
    ground = "no preference was given" if verdict.status == "tied" else preferred_because(verdict)
    doubts = _short_doubt(verdict, first)
    named = 0 < len(verdict.rivals) == len(verdict.not_compared)  # names stay as they are
    sentence = f"{doubts if named else _capital(doubts)}, and {ground}."
    return " ".join(part for part in (sentence, _ahead_by_mean(verdict), _preference(verdict)) if part)


def _ahead_by_mean(verdict: Verdict) -> str:
    """Learners whose mean is better than that of the first: the reader sees it in the list."""
    ahead = tuple(name for name in verdict.order[1:] if better_mean(name, verdict.order[0], verdict))
    if not ahead:
        return ""
    has, which = "has" if len(ahead) == 1 else "have", "larger" if verdict.comparison.larger_is_better else "smaller"
    return f"{some(ahead)} {has} a {which} mean {verdict.measure}{_shown_ahead(verdict, ahead)}."


def _shown_ahead(verdict: Verdict, ahead: tuple[str, ...]) -> str:
    """Which of them the test of pairs shows to be better, though the order's own test puts them behind."""
    first, comparison = verdict.order[0], verdict.comparison
    asked = [name for name in ahead if comparison.compared(first, name)]
    shown = tuple(name for name in asked if comparison.pair(first, name).significant)
    if shown:
        return f", and {comparison.test} over all pairs shows {some(shown)} to be better"
    return f", but {'is' if len(ahead) == 1 else 'are'} not shown to be better" if len(asked) == len(ahead) else ""


def _preference(verdict: Verdict) -> str:
    """The preference, and those of it that the tests overrule; two learners of whom one is best need none."""
    if not verdict.prior or (verdict.status == "decided" and len(verdict.order) == 2):
        return ""
    return f"{preference_words(verdict)}{_overruled(verdict)}."


def preference_words(verdict: Verdict | MeasuresVerdict) -> str:
    """The preference and whose choice it is."""
    prior = verdict.prior or ()
    shown = ", ".join(prior if len(prior) <= MOST_NAMES + 1 else prior[:3])
    more = f" and {len(prior) - 3} more" if len(prior) > MOST_NAMES + 1 else ""
    return f"Preference ({_source(verdict)}, not a finding), most preferred first: {shown}{more}"


def _source(verdict: Verdict | MeasuresVerdict) -> str:
    """That of the plan, or of whoever asked; by a cost, or learner by learner."""
    asked = verdict.provenance.settings.get("prior") is not None
    whose = "the choice of whoever judged" if asked else "the plan's prior, its author's choice"
    return f"by {verdict.ordering.prior_from}, smaller first; {whose}" if verdict.ordering.prior_from else whose


def _overruled(verdict: Verdict) -> str:
    gone = verdict.overtaken
    if len(gone) > 1:
        by = "Multi²Test" if by_ranks(verdict) else "the tests"
        return f"; overruled by {by}: {some(tuple(name for name, _ in gone))}"
    if by_ranks(verdict):
        return "".join(f"; overruled: {name}, which Multi²Test ranks below {some(by)}" for name, by in gone)
    return "".join(f"; overruled: {name}, which {some(by)} {_is(by)} shown to beat" for name, by in gone)


def _short_doubt(verdict: Verdict, first: str) -> str:
    """The doubt of the headline, with fewer names where they are many."""
    if len(verdict.rivals) <= MOST_NAMES + 1 or verdict.not_compared:
        return doubt(verdict, first)
    parts = [f"{separating(verdict)} not separate {first} from {from_whom(verdict.rivals, verdict, some)}"]
    if verdict.beaten_by:
        parts.append(f"{showing(verdict)} {some(verdict.beaten_by)} to be better than {first}")
    return ", ".join(parts)


def _how_sure(verdict: Verdict) -> str:
    """What is shown about the first, what is not, how firm first place is, and what the level means."""
    every = (_shown(verdict), _not_shown(verdict), shaky_first_place(verdict), _level(verdict))
    return " ".join(part for part in every if part)


def _shown(verdict: Verdict) -> str:
    worse = {row["learner"]: row["p against first"] for row in verdict.rows() if row["against first"] == "worse"}
    first = verdict.order[0]
    if not worse:
        return f"{first} is not shown to be better than any other learner."
    share = "" if verdict.status == "decided" else f" for {len(worse)} of {counted(len(verdict.order) - 1, 'other')}"
    found = f"{first} is better than {some(tuple(worse))} ({_largest(worse)}{_adjusted(verdict)})"
    return f"Shown{share}: {found}."


def _adjusted(verdict: Verdict) -> str:
    """One pair, and pairs that nothing was adjusted for, have p values as they are."""
    comparison = verdict.comparison
    return ", adjusted" if len(comparison.pairs) > 1 and comparison.adjust != "none" else ""


def _largest(worse: dict[str, float]) -> str:
    return f"p = {max(worse.values()):.2g}" if len(worse) == 1 else f"each p ≤ {_rounded_up(max(worse.values()))}"


def _rounded_up(p: float) -> str:
    """Two digits that are not below the value: "p ≤" must stay true."""
    text = f"{p:.2g}"
    return text if float(text) >= p else f"{p * 1.05:.2g}"


def _not_shown(verdict: Verdict) -> str:
    open_ones = {row["learner"]: row["p against first"] for row in verdict.rows() if row["learner"] in verdict.rivals}
    parts = []
    asked = {name: p for name, p in open_ones.items() if p is not None and name not in verdict.not_compared}
    if asked:
        p = f"p = {min(asked.values()):.2g}" if len(asked) == 1 else f"smallest p = {min(asked.values()):.2g}"
        parts.append(f"Not shown: any difference from {some(tuple(asked))} ({p}).")
    if verdict.not_compared:
        parts.append(f"Not compared with it: {some(verdict.not_compared)}.")
    if verdict.behind_control:
        parts.append(f"Shown to be worse than the control {verdict.control}: {some(verdict.behind_control)}.")
    if verdict.beaten_by:
        parts.append(f"Shown against it: {some(verdict.beaten_by)} {_is(verdict.beaten_by)} better.")
    return " ".join(parts)


def _level(verdict: Verdict) -> str:
    comparison = verdict.comparison
    return level_words(len(comparison.pairs), comparison.adjust, comparison.alpha)


def _is(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
