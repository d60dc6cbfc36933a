"""Where the results of a plan go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bestofk.collecting.engines import Engine
from bestofk.design.folds.checks import refuse_undividable
from bestofk.stores.opening import is_store, open_store
from bestofk.stores.store import Store

if TYPE_CHECKING:
    from bestofk.design.plan.plan import Plan


def store_for(plan: Plan, url: str | Path, engine: Engine | None = None) -> Store:
    """Open the store that a plan goes into; no new file is left by a plan that cannot run or an engine not there."""
    if not is_store(url):
        refuse_undividable(plan.folds, plan.datasets, plan.seed)
        look = getattr(engine, "look", None)
        if look is not None:
            look()
    return open_store(url)
