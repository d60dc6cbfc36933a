"""Missing results filled in: by those of a baseline learner, or by the worst."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.evidence import Evidence, Items, Runs, Scores
from bestofk.evidence.vectors import Vectors

WORST, BASELINE = "worst", "baseline:"
#: Before the name of the one learner whose missing results count as the worst: what another one lacks is left out.
WORST_OF = "worst:"
WHERE = "argument missing"


def fills(missing: str) -> bool:
    """Whether missing results are filled in."""
    return missing == WORST or missing.startswith((BASELINE, WORST_OF))


def filled(evidence: Evidence, missing: str) -> tuple[Evidence, dict[str, int]]:
    """Return evidence without gaps, and how many results of which learner are not its own.

    ``baseline:NAME`` takes the result of that learner in the same place, ``worst`` the worst that there can be, as of a
    rate or an answer that is right or wrong; where nothing bounds it the worst one of any learner there.
    """
    baseline = _baseline(evidence, missing)
    if not evidence.missing():
        return evidence, {}
    if isinstance(evidence, Vectors) or not isinstance(evidence, Scores | Items | Runs):
        raise InputError(
            f"missing is {missing!r}, and {evidence!r} are not filled in.",
            WHERE,
            "one result per place can be: of curves say --curve final; or leave out what lacks results: drop-learners.",
        )
    if isinstance(evidence, Runs):
        return _filled_runs(evidence, baseline)
    gaps = evidence.gaps
    values = np.where(gaps, _instead(evidence, baseline), evidence.values)
    whole = replace(evidence, values=values)
    if whole.missing():
        first = np.argwhere(whole.gaps)[0]
        place = (
            f"item {whole.items[first[1]]}" if isinstance(whole, Items) else whole.place_text(*whole.cell_at(first)[1:])
        )
        lacks = f"no learner has {place}" if baseline is None else whole.missing()[0]
        raise _nothing_there(evidence, lacks, baseline)
    number = gaps.reshape(len(gaps), -1).sum(axis=1).tolist()
    return whole, {name: count for name, count in zip(evidence.learners, number, strict=True) if count}


def _baseline(evidence: Evidence, missing: str) -> str | None:
    """The baseline by name; None for the worst."""
    if missing == WORST:
        return None
    name = missing.removeprefix(BASELINE)
    if name not in evidence.learners:
        raise unknown(name, evidence.learners, what="learner", where=f"{WHERE}, {evidence.origin.source}")
    return name


def _instead(evidence: Scores | Items, baseline: str | None) -> Array:
    """What stands in the place of a missing result, for all places."""
    if baseline is not None:
        return np.asarray(evidence.values[evidence.learners.index(baseline)])
    if isinstance(evidence, Items) and (evidence.worst is not None or evidence.gap_means):
        return _worst_items(evidence)
    losses = evidence.sign * evidence.values
    worst = np.max(losses, axis=0, initial=-np.inf, where=~np.isnan(losses))
    known = evidence.sign * worst if evidence.worst is None else evidence.worst
    return np.where(np.isinf(worst), np.nan, known)


def _worst_items(items: Items) -> Array:
    """The worst that an outcome can be, counted for the repeats of an item that failed and not for the others."""
    worst = np.full(items.values.shape, np.nan if items.worst is None else items.worst)
    places = [{name: at for at, name in enumerate(names)} for names in (items.learners, items.items)]
    for (learner, item), mean in items.gap_means.items():
        if learner in places[0] and item in places[1]:
            worst[places[0][learner], places[1][item]] = mean
    return worst


def _nothing_there(evidence: Scores | Items | Runs, lacks: str, baseline: str | None) -> InputError:
    said = f"{lacks}: there is nothing to fill in." if baseline is None else f"the baseline lacks a result: {lacks}."
    several = not isinstance(evidence, Items) and (isinstance(evidence, Runs) or len(evidence.datasets) > 1)
    drop = "drop-items" if isinstance(evidence, Items) else "drop-datasets" if several and evidence.datasets else ""
    ways = ["add it", "name another baseline" if baseline else "", f"leave out what lacks results: {drop}" * bool(drop)]
    return InputError(said, WHERE, f"{', or '.join(filter(None, ways))}.")


#: A run: its task, its name and its value.
Run = tuple[str, str, float]


def _filled_runs(runs: Runs, baseline: str | None) -> tuple[Runs, dict[str, int]]:
    """Runs in place of those without a value, task by task, and of tasks without any run."""
    told = zip(runs.learners, runs.names_of_sets, runs.runs, runs.values, strict=True)
    known: dict[str, list[Run]] = {
        name: list(zip(own, names, each[:, 0].tolist(), strict=True)) for name, own, names, each in told
    }
    there = {name: [run for run in each if not np.isnan(run[2])] for name, each in known.items()}
    number: Counter[str] = Counter()
    for name, each in known.items():
        for i, (task, run, value) in enumerate(each):
            if np.isnan(value):
                each[i] = (task, run, _instead_of_run(there, task, run, baseline, runs))
                number[name] += 1
    for name, task in runs.lacking_datasets():
        taken, own = _instead_of_task(there, task, baseline, runs), {run for _, run, _ in known[name]}
        known[name] += [(task, f"{task}/{run}" if run in own else run, value) for _, run, value in taken]
        number[name] += len(taken)
    parts = [tuple(zip(*known[name], strict=True)) for name in runs.learners]
    whole = replace(
        runs,
        values=tuple(np.array(values) for _, _, values in parts),
        runs=tuple(names for _, names, _ in parts),
        datasets=tuple(own for own, _, _ in parts) if runs.datasets else (),
    )
    return whole, dict(number)


def _instead_of_run(there: Mapping[str, Sequence[Run]], task: str, run: str, baseline: str | None, runs: Runs) -> float:
    """The baseline's run of the same name, or the worst that there can be, or that there is in the task."""
    if baseline is None and runs.worst is not None:
        return runs.worst
    every = [own for each in there.values() for own in each] if baseline is None else there[baseline]
    found = [value for own, name, value in every if own == task and (baseline is None or name == run)]
    if not found:
        place = f"run {run}{f' of task {task}' if runs.datasets else ''}"
        raise _nothing_there(runs, f"{baseline or 'no learner'} has {'no ' if baseline else ''}{place}", baseline)
    return max(found, key=lambda value: runs.sign * value)


def _instead_of_task(there: Mapping[str, Sequence[Run]], task: str, baseline: str | None, runs: Runs) -> list[Run]:
    """The baseline's runs of a task, or those of the learner with the worst mean, as bad as can be."""
    every = {name: [run for run in each if run[0] == task] for name, each in there.items()}
    found = [each for name, each in every.items() if each and baseline in (None, name)]
    if not found:
        lacks = f"{baseline or 'no learner'} has {'no' if baseline else 'a'} run of task {task}"
        raise _nothing_there(runs, lacks, baseline)
    taken = max(found, key=lambda each: runs.sign * float(np.mean([run[2] for run in each])))
    worst = runs.worst if baseline is None else None
    return taken if worst is None else [(task, run, worst) for _, run, _ in taken]
