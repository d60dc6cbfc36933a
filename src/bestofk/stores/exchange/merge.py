"""One store into another: what both have is kept once, what contradicts is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.design.plan.cell import CellResult
from bestofk.stores.cells import difference, lacking, place_of
from bestofk.stores.memory import MemoryStore
from bestofk.stores.plans import series_of_record
from bestofk.stores.store import Store

_SHOWN = 3


@frozen
class Merged:
    """What a merge did: cells and folds that were new, replications that were there already, plans that were new.

    ``replaced`` counts cells that had failed in the target and not in the source. ``imported`` says that the source
    is a plain table: its results are a plan of their own, which nobody can collect more of.
    """

    cells: int
    folds: int
    known: int
    replaced: int
    plans: int
    contradictions: tuple[str, ...] = ()
    imported: bool = False


@frozen
class _Step:
    """What is to be done about one cell of the source."""

    new: tuple[CellResult, ...]
    known: int
    replaced: bool = False
    contradiction: str | None = None


def merge_stores(source: Store, target: Store, *, keep_target: bool = False) -> Merged:
    """Add to the target what the source has more; replications count, however they are cut into cells.

    Results that contradict those of the target are an error that names them, and nothing is written; with
    ``keep_target`` the target's stay and the answer names them. A cell that failed in the target and did not in the
    source is replaced. A plan's lock comes along only where the target had no result of that plan; results that are not
    under a lock are refused by a target whose lock would then vouch for them.
    """
    _refuse_damaged_plans(source, target)
    _refuse_unlocked(source, target)
    contradictions = tuple(step.contradiction for step in _steps(source, target) if step.contradiction)
    if contradictions and not keep_target:
        raise _contradicting(contradictions, source, target)
    begun = _begun_plans(source, target)  # asked before the source's own results are written
    cells = folds = known = replaced = 0
    for step in _steps(source, target):
        if step.new:
            target.write(step.new)
        cells += len(step.new)
        folds += sum(cell.fit_seconds.size for cell in step.new)
        known += step.known
        replaced += step.replaced
    plans, imported = _merge_plans(source, target, begun), isinstance(source, MemoryStore) and source.imported
    return Merged(cells, folds, known, replaced, plans, contradictions, imported)


def _steps(source: Store, target: Store) -> Iterator[_Step]:
    """Series by series, so that memory holds one at a time."""
    for series in sorted({each.key.series for each in source.finished()}):
        there = {
            replication: cell for cell in target.read([series]) for replication in range(cell.key.start, cell.key.stop)
        }
        for cell in list(source.read([series])):
            yield _step(cell, there)


def _step(cell: CellResult, there: dict[int, CellResult]) -> _Step:
    known = [replication for replication in range(cell.key.start, cell.key.stop) if replication in there]
    if not known:
        return _Step((cell,), 0)
    same_cell = there[known[0]]
    if same_cell.key.id == cell.key.id and same_cell.failed and not cell.failed:
        return _Step((cell,), 0, replaced=True)
    for replication in known:
        what = difference(cell, there[replication], replication)
        if what is not None:
            return _Step(lacking(cell, there), len(known), contradiction=f"{what} of {place_of(cell.key)}")
    return _Step(lacking(cell, there), len(known))


def _merge_plans(source: Store, target: Store, begun: set[str]) -> int:
    there = {plan.fingerprint for plan in target.plans()}
    for plan in source.plans():
        target.record_plan(replace(plan, locked=None) if plan.fingerprint in begun else plan)
    return sum(plan.fingerprint not in there for plan in source.plans())


def _refuse_damaged_plans(source: Store, target: Store) -> None:
    for plan in source.plans():
        if not plan.whole:
            raise InputError(
                f"the plan {plan.fingerprint[:12]} is damaged: its text is not the one that was kept.",
                f"merging {source.url} into {target.url}",
                "leave it behind: bestofk store merge … --rescue takes what is sound.",
            )


def _begun_plans(source: Store, target: Store) -> set[str]:
    """Fingerprints of the source's locked plans of which the target has results, which may be older than the lock."""
    locked = [plan for plan in source.plans() if plan.locked is not None]
    return {plan.fingerprint for plan in locked if target.finished(series_of_record(plan))}


def _refuse_unlocked(source: Store, target: Store) -> None:
    """The target's lock says that no result was there before it: of the source's results nothing says so."""
    locked = {plan.fingerprint for plan in source.plans() if plan.locked is not None}
    for plan in target.plans():
        series = series_of_record(plan) if plan.locked is not None and plan.fingerprint not in locked else None
        if series and source.finished(series):
            raise InputError(
                f"the plan {plan.fingerprint[:12]} was locked at {plan.locked}, before any result, and the results to "
                "be added are under no lock.",
                f"merging {source.url} into {target.url}",
                f"give up the lock: merge both into a new store, {source.url} first.",
            )


def _contradicting(contradictions: tuple[str, ...], source: Store, target: Store) -> InputError:
    more = f", and {len(contradictions) - _SHOWN} more" if len(contradictions) > _SHOWN else ""
    return InputError(
        f"the two stores tell {len(contradictions)} cells differently: {'; '.join(contradictions[:_SHOWN])}{more}.",
        f"merging {source.url} into {target.url}",
        "nothing was written; find out which is right, or keep those of the target: --keep-target.",
    )
