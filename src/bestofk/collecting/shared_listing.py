"""Which learners share work on which data sets, and why the others do not: a line each, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator

from bestofk.collecting.job import Setting
from bestofk.collecting.measuring import measures_to_take
from bestofk.collecting.shared_reasons import why_of_plan
from bestofk.collecting.shared_ways import Found, way_or_why
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Learner


def sharing_lines(setting: Setting) -> Iterator[str]:
    """Say for every learner on every data set of a plan whether its folds share work."""
    for learner in setting.learners:
        for dataset in setting.datasets:
            found = _found(setting, learner, dataset)
            how = f"shared ({found.way.name})" if found.way is not None else f"fold by fold ({found.why})"
            yield f"{learner.name} on {dataset.name}: {how}"


def _found(setting: Setting, learner: Learner, dataset: Dataset) -> Found:
    if setting.timeout is not None or setting.memory is not None:
        return Found(None, "a cell has limits of time or memory, which are for single folds")
    taken = measures_to_take(setting.measures, dataset)
    why = why_of_plan(setting.sharing, dataset, learner, setting.folds, taken, setting.keep_predictions)
    return Found(None, why) if why else way_or_why(learner, dataset)
