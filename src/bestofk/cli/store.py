"""``bestofk store``: what is in a store, a table of it, several in one, and whether all is sound."""

from __future__ import annotations

import shlex
from contextlib import ExitStack, closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from bestofk.cli.options import AS_JSON, Output, Verbs
from bestofk.cli.printing import as_argument, say, show_json
from bestofk.core.errors import InputError
from bestofk.core.passwords import shown_address
from bestofk.core.phrases import counted, listed

if TYPE_CHECKING:
    from bestofk.stores.store import Finished, Store

_TABLES = (".csv", ".tsv", ".gz", ".parquet", ".pq")


@click.group(cls=Verbs)
def store() -> None:
    """Look after stores of results: an SQLite file, or postgresql://user@host/database."""


@store.command()
@click.argument("name", metavar="STORE", type=click.Path())
@AS_JSON
def info(name: str, as_json: bool) -> None:
    """Say what is in STORE: plans, learners, data sets, cells, folds that failed."""
    with _opened(name) as opened:
        answer = _summary_of(opened)
    if as_json:
        show_json(answer)
        return
    for word in ("plans", "learners", "datasets", "cells", "replications", "failed"):
        say(f"{word}: {_shown(answer[word])}")
    for line in answer["standings"]:
        say(line["text"])
    for each in answer["series"]:
        kept = f", with {listed(each['measures'].split(','))}" if each["measures"] else ""  # beside the counts
        say(
            f"{each['id']}  {each['learner']} on {each['dataset']}, {each['folds']}, seed {each['seed']}{kept}: "
            f"{counted(each['replications'], 'replication')}, {counted(each['failed'], 'failed fold')}"
        )
    for each in (*answer["shared"], *answer["troubles"]):
        say(each)


@store.command()
@click.argument("name", metavar="STORE", type=click.Path())
@click.argument("table", metavar="FILE", type=Output())
@click.option("--folds", help="Only results of this way of dividing, such as 5x2.")
@click.option("--seed", type=int, help="Only results of this seed.")
@click.option("--series", multiple=True, help="Only series whose id starts so; may be given several times.")
@click.option("--plan", help="Only results of the plan whose fingerprint starts so.")
@click.option("--complete", is_flag=True, help="Add what is needed to merge the table back as the same cells.")
@AS_JSON
def export(name: str, table: str, complete: bool, as_json: bool, **wanted: Any) -> None:
    """Write STORE as a table, one row per fold: FILE ends in .csv, .tsv, .csv.gz or .parquet."""
    from bestofk.stores.evidence import lost_in_tables
    from bestofk.stores.exchange.table_export import export_store

    with _opened(name) as opened:
        chosen = _chosen(opened, **wanted)
        answer = export_store(opened, table, series=chosen, complete=complete)
        lost = lost_in_tables(opened, chosen)
    if as_json:
        show_json(asdict(answer))
        return
    say(f"{counted(answer.rows, 'row')} in {answer.path}")
    if answer.prior is not None and not complete:  # a complete table brings the plan along
        prior = answer.prior if isinstance(answer.prior, str) else ",".join(answer.prior)
        told = shlex.join(["bestofk", "judge", as_argument(answer.path), "--prior", prior])
        say(f"a table has no place for the plan's preference; to judge with it: {told}", err=True)
    for folds in lost:
        told = shlex.join(["bestofk", "judge", as_argument(name)])
        say(f"a table has no place for how {folds} divides rows; judge the store itself: {told}", err=True)
    if answer.left_out:
        say(f"left out, since a row is a fold: {', '.join(answer.left_out)}", err=True)


@store.command()
@click.argument("into", metavar="INTO", type=click.Path())
@click.argument("sources", metavar="FROM...", type=click.Path(), nargs=-1, required=True)
@click.option("--keep-target", is_flag=True, help="Where results contradict each other, keep those of INTO.")
@click.option("--rescue", is_flag=True, help="Take what can be read of FROM, SQLite stores that are damaged.")
@AS_JSON
def merge(into: str, sources: tuple[str, ...], keep_target: bool, rescue: bool, as_json: bool) -> None:
    """Add the results of other stores, or of exported tables, to the store INTO; what both have is kept once."""
    from bestofk.stores.address import open_store
    from bestofk.stores.exchange.merge import merge_stores

    answers: dict[str, Any] = {}
    with ExitStack() as opened:
        # Before INTO is opened: a FROM that cannot be read leaves no new file behind.
        found = {name: opened.enter_context(_source(name, rescue)) for name in sources}
        target = opened.enter_context(closing(open_store(into)))
        for name, source in found.items():
            answers[shown_address(name)] = asdict(merge_stores(source, target, keep_target=keep_target))
    if as_json:
        show_json(answers)
        return
    for name, answer in answers.items():
        say(
            f"{name}: {counted(answer['cells'], 'cell')} with {counted(answer['folds'], 'fold')} added, "
            f"{counted(answer['known'], 'replication')} known already, {counted(answer['plans'], 'plan')} added"
        )
        if answer["imported"]:
            say(
                f"  {name} is a plain table: its results are a plan of their own, which judge knows and collect does "
                "not; to go on collecting, export with --complete and merge that.",
                err=True,
            )
        for each in answer["contradictions"]:
            say(f"  kept as it was in {shown_address(into)}: {each}", err=True)


@store.command()
@click.argument("name", metavar="STORE", type=click.Path())
@AS_JSON
@click.pass_context
def verify(context: click.Context, name: str, as_json: bool) -> None:
    """Check all of STORE: its file, every cell, and that all learners have the same folds.

    Ends with 0 when everything is sound, 1 when something is not, 2 when there is no such store.
    """
    from bestofk.stores.exchange.recovery import Verification, verify_store
    from bestofk.stores.sqlite.schema import Damaged

    try:
        with _opened(name) as opened:
            answer = verify_store(opened)
    except Damaged as error:  # so damaged that it cannot even be opened
        answer = Verification(0, 0, 0, (error.wrong, error.fix))
    if as_json:
        show_json({**asdict(answer), "sound": answer.sound})
    else:
        say(f"{counted(answer.cells, 'cell')}, {counted(answer.folds, 'fold')}, {answer.failed:,} failed")
        say("all sound" if answer.sound else "\n".join(answer.problems))
    context.exit(0 if answer.sound else 1)


@store.command()
@click.argument("name", metavar="STORE", type=click.Path())
@click.option("--plan", required=True, help="The plan whose fingerprint starts so.")
@AS_JSON
def drop(name: str, plan: str, as_json: bool) -> None:
    """Take a plan out of STORE with its results; those that another plan uses stay."""
    from bestofk.stores.plans import drop_plan

    with _opened(name) as opened:
        answer = drop_plan(opened, plan)
    if as_json:
        show_json(asdict(answer))
        return
    kept = f"; {counted(answer.kept, 'cell')} that other plans use stay" if answer.kept else ""
    gone = f"{counted(answer.cells, 'cell')} with {counted(answer.replications, 'replication')}"
    say(f"dropped plan {answer.fingerprint[:12]} of {answer.created} and {gone}{kept}")


def _opened(name: str) -> closing[Store]:
    from bestofk.stores.address import open_store

    return closing(open_store(name, create=False))


def _source(name: str, rescue: bool) -> closing[Store]:
    """A store, what can be read of a damaged one, or a table as one."""
    if rescue:
        from bestofk.stores.exchange.recovery import rescued

        return closing(rescued(name))
    if "://" in name or not name.lower().endswith(_TABLES):
        return _opened(name)
    from bestofk.stores.exchange.table_import import store_from_table

    return closing(store_from_table(name))


def _chosen(
    opened: Store, *, folds: str | None, seed: int | None, series: tuple[str, ...], plan: str | None
) -> list[str] | None:
    """Series that fit all that is asked for; None for all. A plan is named by the beginning of its fingerprint."""
    from bestofk.stores.plans import chosen_plan, series_of_record

    if folds is None and seed is None and plan is None and not series:
        return None
    planned = None if plan is None else frozenset(series_of_record(chosen_plan(opened, plan)) or ())
    keys = {each.key.series: each.key for each in opened.finished()}
    found = [
        id
        for id, key in keys.items()
        if folds in (None, key.folds)
        and seed in (None, key.seed)
        and (not series or id.startswith(series))
        and (planned is None or id in planned)
    ]
    if not found:
        raise InputError("no result fits what is asked for.", opened.url, "see bestofk store info for what there is.")
    return found


def _summary_of(opened: Store) -> dict[str, Any]:
    """Plans, learners, data sets, cells and how far each plan is, as plain values."""
    from bestofk.stores.plans import plan_statuses
    from bestofk.stores.store import by_series

    cells = opened.finished()
    return {
        "store": opened.url,
        "plans": [asdict(plan) for plan in opened.plans()],
        "learners": sorted({each.key.learner for each in cells}),
        "datasets": sorted({each.key.dataset for each in cells}),
        "cells": len(cells),
        "replications": sum(each.key.stop - each.key.start for each in cells),
        "failed": sum(each.failed for each in cells),
        "series": [_one_series(id, found) for id, found in by_series(cells).items()],
        "standings": [{**asdict(each), "text": str(each)} for each in plan_statuses(opened)],
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


def _told_by_cells(opened: Store) -> dict[str, list[str]]:
    """What folds shared and what went wrong, a line each; cells that cannot be read are for verify to tell."""
    from bestofk.collecting.run.report import troubles_of
    from bestofk.stores.notes import SharedCells

    shared = SharedCells()
    try:
        found = troubles_of(shared.through(opened.read()))
    except InputError as error:
        return {"shared": [], "troubles": [error.wrong]}
    mixed = (f"several versions were at work: {each}" for each in found.mixed)
    troubles = [*map(str, (*found.failures, *found.unscored, *found.warnings)), *mixed]
    return {"shared": [str(each) for each in shared.works()], "troubles": troubles}


def _shown(value: Any) -> str:
    """A number, or how many names there are and which."""
    if isinstance(value, list):
        return f"{len(value)}" + (f" ({', '.join(value)})" if value and isinstance(value[0], str) else "")
    return f"{value:,}"
