"""Would the paper's conclusions still stand, with today's tests and with today's learners?"""

from __future__ import annotations

from collections.abc import Mapping

from bestofk.core.arrays import Array
from bestofk.core.phrases import counted, listed
from bestofk.replications.multitest.choices import TODAY, choices_of
from bestofk.replications.multitest.claims import Conclusion, conclusions, published_conclusions
from bestofk.replications.multitest.experiment import FoldErrors
from bestofk.replications.multitest.published import LEARNERS
from bestofk.replications.multitest.table2 import Choices, ours
from bestofk.reporting.blocks import Section, Sentences, TableBlock
from bestofk.reporting.tables import PlainTable

FEWER = (
    "Not all of the paper's thirty data sets are here, and its conclusions are drawn over all: what follows tells of "
    "these data sets, and neither confirms nor refutes a conclusion on totals."
)
Settings = dict[str, tuple[Conclusion, ...]]


def today_section(made: Mapping[str, FoldErrors], of_today: Mapping[str, Array], seed: int) -> Section:
    """The paper's learners and tests, its learners with today's tests, today's learners with both."""
    then = {name: choices_of(name, each.errors, seed) for name, each in made.items()}
    new_tests = {name: choices_of(name, each.errors, seed, TODAY) for name, each in made.items()}
    new_learners = {name: choices_of(name, errors, seed) for name, errors in of_today.items()}
    both = {name: choices_of(name, errors, seed, TODAY) for name, errors in of_today.items()}
    settings: Settings = {
        "published": published_conclusions(tuple(made)),
        "its learners, its tests": conclusions(then),
        "its learners, today's tests": conclusions(new_tests),
        "today's learners, its tests": conclusions(new_learners),
        "today's learners and tests": conclusions(both),
    }
    runs = next(iter(of_today.values())).shape[1]
    blocks = (_said(settings, then, new_tests, both, runs), _claims(settings), _errors(made, of_today))
    return Section("today", "Would the conclusions still stand?", blocks)


def _said(settings: Settings, then: Choices, new_tests: Choices, both: Choices, runs: int) -> Sentences:
    last = settings["today's learners and tests"]
    fallen = [each.claim for each in last if not each.stands]
    verdict = f"All {len(last)} conclusions stand" if not fallen else f"{len(last) - len(fallen)} of {len(last)} stand"
    what = f". Those that do not: {'; '.join(fallen)}." if fallen else "."
    fewer = () if all(each.stands is not None for each in settings["published"]) else (FEWER,)
    return Sentences(
        (
            *fewer,
            "Today's learners are bestofk's max, nmc, lgc (regularised logistic regression), c45 (Quinlan's) and nn "
            f"on stratified halves, {counted(runs, 'run')} each; today's tests are the corrected t with Holm.",
            f"With today's learners and tests{' on these data sets' if fewer else ''}: {verdict}{what}",
            f"Today's tests alone change the learner that MultiTest selects most often on {_changed(then, new_tests)}, "
            f"today's learners and tests on {_changed(then, both)}.",
        )
    )


def _changed(then: Choices, now: Choices) -> str:
    other = [name for name in then if ours(then[name]["MultiTest"])[0][0] != ours(now[name]["MultiTest"])[0][0]]
    return f"{len(other)} of {counted(len(then), 'data set')}" + (f" ({listed(other)})" if other else "")


def _claims(settings: Settings) -> TableBlock:
    rows = tuple(
        (lines[0].claim, *(f"{line.figure}{': no' if line.stands is False else ''}" for line in lines))
        for lines in zip(*settings.values(), strict=True)
    )
    caption = "The paper's conclusions and the figure behind each; 'no' where it does not stand."
    if any(line.stands is None for line in settings["published"]):
        caption += (
            " The paper draws them over thirty data sets: on fewer, shares of runs are not comparable with its totals."
        )
    table = PlainTable(("conclusion", *settings), rows, frozenset())
    return TableBlock("conclusions", caption, table, frozenset(table.columns))


def _errors(made: Mapping[str, FoldErrors], of_today: Mapping[str, Array]) -> TableBlock:
    columns = ("data set", *(f"{name}, {whose}" for name in LEARNERS for whose in ("its form", "today")))
    rows = tuple(
        (
            name,
            *(
                f"{100 * float(errors.mean()):.2f}"
                for place in range(len(LEARNERS))
                for errors in (made[name].errors[place], now[place])
            ),
        )
        for name, now in of_today.items()
    )
    caption = "Mean error in percent of the paper's form of each learner and of today's learner in its place."
    return TableBlock("errors-today", caption, PlainTable(columns, rows, frozenset(columns[1:])))
