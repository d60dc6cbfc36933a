"""Where the results of a plan go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bestofk.design.folds.dividable import refuse_undividable
from bestofk.stores.opening import is_store, open_store
from bestofk.stores.store import Store

if TYPE_CHECKING:
    from bestofk.design.plan import Plan


def store_for(plan: Plan, url: str | Path) -> Store:
    """Open the store that a plan goes into; no new file is left behind by a plan that cannot run."""
    if not is_store(url):
        refuse_undividable(plan.folds, plan.datasets, plan.seed)
    return open_store(url)
