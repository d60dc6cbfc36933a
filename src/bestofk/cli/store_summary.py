"""What ``bestofk store info`` says."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bestofk.core.phrases import listed

if TYPE_CHECKING:
    from bestofk.stores.store import Finished, Store


def _told_by_cells(opened: Store) -> dict[str, list[str]]:
    """What folds shared and what went wrong, a line each; cells that cannot be read are for verify to tell."""
    from bestofk.collecting.run.report import troubles_of
    from bestofk.core.errors import InputError
    from bestofk.stores.sharing import SharedCells

    shared = SharedCells()
    try:
        found = troubles_of(shared.through(opened.read()))
    except InputError as error:
        return {"shared": [], "troubles": [error.wrong]}
    mixed = (f"several versions were at work: {each}" for each in found.mixed)
    troubles = [*map(str, (*found.failures, *found.unscored, *found.warnings)), *mixed]
    return {"shared": [str(each) for each in shared.works()], "troubles": troubles}


def summary_of(opened: Store) -> dict[str, Any]:
    """Plans, learners, data sets, cells and how far each plan is, as plain values."""
    from bestofk.stores.standing import standings

    cells = opened.finished()
    series: dict[str, list[Finished]] = {}
    for each in cells:
        series.setdefault(each.key.series, []).append(each)
    return {
        "store": opened.url,
        "plans": [asdict(plan) for plan in opened.plans()],
        "learners": sorted({each.key.learner for each in cells}),
        "datasets": sorted({each.key.dataset for each in cells}),
        "cells": len(cells),
        "replications": sum(each.key.stop - each.key.start for each in cells),
        "failed": sum(each.failed for each in cells),
        "series": [_one_series(id, found) for id, found in series.items()],
        "standings": [{**asdict(each), "text": str(each)} for each in standings(opened)],
        **_told_by_cells(opened),
    }


def _one_series(id: str, cells: list[Finished]) -> dict[str, Any]:
    key = cells[0].key
    return {
        "id": id,
        **{name: getattr(key, name) for name in ("learner", "dataset", "folds", "seed", "measures")},
        "replications": sum(each.key.stop - each.key.start for each in cells),
        "failed": sum(each.failed for each in cells),
    }


def kept_in_words(measures: str) -> str:
    """What cells keep beside the counts, as a part of a line: series that keep other things are others."""
    return f", with {listed(measures.split(','))}" if measures else ""


def shown(value: Any) -> str:
    """A number, or how many names there are and which."""
    if isinstance(value, list):
        return f"{len(value)}" + (f" ({', '.join(value)})" if value and isinstance(value[0], str) else "")
    return f"{value:,}"
