"""The same experiment with today's learners and tests: would the paper's conclusions still stand?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed
from bestofk.core.record import Record
from bestofk.design.datasets.dataset import Dataset
from bestofk.evidence import Scores
from bestofk.replications.multitest.choices import (
    METHODS,
    NOT_FOUND,
    TODAY,
    Choices,
    Shares,
    choices_of,
    ours,
    published_choices,
    published_shares,
    shares,
)
from bestofk.replications.multitest.experiment import FoldErrors
from bestofk.replications.multitest.published import LEARNERS, dataset_names
from bestofk.reporting.blocks import Section, Sentences, TableBlock
from bestofk.reporting.tables import PlainTable

#: Registered learners in the places of the paper's five.
LEARNERS_TODAY = ("max", "nmc", "lgc", "c45", "nn")
#: Runs on each data set at most: the question is what would change, not by how many hundredths.
RUNS_TODAY = 3


def errors_today(
    sets: Mapping[str, Dataset], runs: int, seed: int, *, into: str | Path | None, workers: int
) -> dict[str, Array]:
    """Errors (learners, runs, 5, 2) on stratified halves; they are kept in a store beside ``into``."""
    from bestofk.collecting.run.collect import collect_plan
    from bestofk.design.plan.plan import Plan
    from bestofk.stores.address import open_store
    from bestofk.stores.evidence import evidence_from_store

    runs = min(runs, RUNS_TODAY)
    named = [replace(dataset, name=name) for name, dataset in sets.items()]
    plan = Plan(list(LEARNERS_TODAY), named, folds=f"{5 * runs}x2-stratified", seed=seed)
    with closing(open_store("memory:" if into is None else store_beside(into))) as store:
        engine = "serial" if workers == 1 else "local"
        report = collect_plan(plan, store, engine=engine, workers=None if workers == 1 else workers, progress=False)
        if report.failed_in_store:
            raise InputError(
                f"{report.failed_in_store} folds of today's learners failed: {'; '.join(report.lines())}.",
                "replicate multitest, today's learners",
                "run it again; what is done is kept with --into FILE.",
            )
        scores = evidence_from_store(store, plan=plan.fingerprint, measure="error", larger_is_better=None)
    assert isinstance(scores, Scores)  # folds were collected
    losses = scores.losses()
    places = [scores.learners.index(name) for name in LEARNERS_TODAY]
    shape = (len(LEARNERS_TODAY), runs, 5, 2)
    return {name: np.asarray(losses[places, scores.datasets.index(name)]).reshape(shape) for name in sets}


def store_beside(into: str | Path) -> Path:
    """Where today's results are kept: parts.db has parts-today.db beside it.

    Examples
    --------
    >>> store_beside("runs/parts.db").as_posix()
    'runs/parts-today.db'
    """
    path = Path(into)
    return path.with_name(f"{path.stem}-today{path.suffix}")


# What the paper concludes, as figures.


SIMPLE = LEARNERS[:2]


class Conclusion(Record):
    """A conclusion of the paper in one setting: the figure behind it, and whether it stands there.

    ``stands`` is None where it cannot be told: totals are printed over all thirty data sets only.
    """

    claim: str
    figure: str
    stands: bool | None


def conclusions(choices: Choices) -> tuple[Conclusion, ...]:
    """Every conclusion, held against what the methods select."""
    apart = sum(ours(each["Newman-Keuls"])[0][0] != ours(each["MultiTest"])[0][0] for each in choices.values())
    return _concluded({method: shares(choices, method) for method in METHODS}, apart, len(choices))


def published_conclusions(names: Sequence[str] = ()) -> tuple[Conclusion, ...]:
    """The same from the published Tables 2 and 3, on these data sets; all thirty when none is named.

    Of fewer only what Table 2 tells set by set can be had: Table 3 has totals over all.
    """
    names, table = names or dataset_names(), published_choices()
    apart = sum(table[name, "Newman-Keuls"][0][0] != table[name, "MultiTest"][0][0] for name in names)
    *totals, by_set = _concluded(published_shares(), apart, len(names))
    every = len(dataset_names())
    if len(names) < every:
        totals = [Conclusion(each.claim, f"not printed ({each.figure} on all {every})", None) for each in totals]
    return (*totals, by_set)


def _concluded(selected: Mapping[str, Shares], apart: int, sets: int) -> tuple[Conclusion, ...]:
    """From the percentages of what each method selects, and on how many of the data sets two of them differ."""
    missed = {method: selected[method][NOT_FOUND] for method in METHODS}
    simple, other = (sum(selected[method][name] for name in SIMPLE) for method in ("MultiTest", "Newman-Keuls"))
    first, second = (max(LEARNERS, key=selected[method].__getitem__) for method in ("MultiTest", "Newman-Keuls"))
    found = (
        (
            "Anova hardly ever names a best (none in more than 90 % of the runs)",
            f"{missed['Anova']:.1f} %",
            missed["Anova"] > 90,
        ),
        ("TestFirst names none in most runs", f"{missed['TestFirst']:.1f} %", missed["TestFirst"] > 50),
        (
            "Newman–Keuls sometimes names none, MultiTest always one",
            f"{missed['Newman-Keuls']:.2f} %",
            missed["Newman-Keuls"] > 0,
        ),
        (
            "MultiTest selects MAX or NMC more often than Newman–Keuls",
            f"{simple:.1f} % against {other:.1f} %",
            simple > other,
        ),
        (
            "Over all data sets MultiTest selects NMC most often and Newman–Keuls LGC",
            f"{first} and {second}",
            (first, second) == ("NMC", "LGC"),
        ),
        (
            "On half of the data sets or more the two select different learners most often",
            f"{apart} of {sets}",
            2 * apart >= sets,
        ),
    )
    return tuple(Conclusion(*each) for each in found)


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
