"""``bestofk plan``: look at a plan before it runs, and fix it before any result exists."""

from __future__ import annotations

from typing import Any

import click

from bestofk.cli.options import AS_JSON, DATA, Verbs
from bestofk.cli.printing import say, show_json
from bestofk.core.phrases import counted

_CODE = click.option("--allow-code", is_flag=True, help="Let learners come from module:factory in the plan.")


@click.group(cls=Verbs)
def plan() -> None:
    """Check, show or lock the plan of an experiment (a TOML file)."""


def _read(file: str, allow_code: bool, folder: str | None) -> Any:
    from bestofk.collecting.engines.process import printing_to_stderr
    from bestofk.design.datasets.files import looking_in
    from bestofk.design.plan.file import read_plan

    with looking_in(folder), printing_to_stderr():
        return read_plan(file, allow_code=allow_code)


@plan.command()
@click.argument("file", type=click.Path())
@_CODE
@DATA
@AS_JSON
def check(file: str, allow_code: bool, folder: str | None, as_json: bool) -> None:
    """Say whether FILE can run: names, files, targets, folds, parameters, and its lock if there is one."""
    from bestofk.collecting.engines.process import printing_to_stderr
    from bestofk.design.folds.checks import notes_on_folds
    from bestofk.design.plan.lock import kept_lock
    from bestofk.design.plan.plan import check_plan

    with printing_to_stderr():
        found = _read(file, allow_code, folder)
        check_plan(found)
        lock = kept_lock(file, found)
        notes = notes_on_folds(found.folds, found.datasets, found.seed)
    if as_json:
        locked = lock and lock.locked
        show_json({"fingerprint": found.fingerprint, "plan": repr(found), "locked": locked, "notes": notes})
        return
    say(f"{found!r}: ready to run.")
    for note in notes:
        say(f"note: {note}", err=True)


@plan.command()
@click.argument("file", type=click.Path())
@_CODE
@DATA
@AS_JSON
def show(file: str, allow_code: bool, folder: str | None, as_json: bool) -> None:
    """Show what FILE will run."""
    found = _read(file, allow_code, folder)
    if as_json:
        show_json({"fingerprint": found.fingerprint, **found.to_dict(), "parameters": _parameters(found)})
        return
    say(repr(found))
    for learner in found.learners:
        say(f"  learner {learner.name}: {learner.settings}")
    for name, counts in _parameters(found).items():
        told = ", ".join(f"{count:,} on {dataset}" for dataset, count in counts.items())
        say(f"  free parameters of {name}: {told or 'not known before training'}")
    for dataset in found.datasets:
        target = f"{len(dataset.classes)} classes" if dataset.classes else "a target of numbers"
        kinds = f"{counted(dataset.rows, 'row')}, {counted(len(dataset.features), 'feature')}, {target}"
        say(f"  data set {dataset.name}: {kinds}")


def _parameters(found: Any) -> dict[str, dict[str, int]]:
    """Free parameters by learner and data set (trained on all rows), where the form of the learner fixes them."""
    from bestofk.design.learners.shelf import shape_of

    return {
        learner.name: {
            dataset.name: learner.parameters(shape_of(dataset, learner.encoding))
            for dataset in (found.datasets if learner.parameters else ())
        }
        for learner in found.learners
    }


@plan.command()
@click.argument("file", type=click.Path())
@_CODE
@DATA
@AS_JSON
def lock(file: str, allow_code: bool, folder: str | None, as_json: bool) -> None:
    """Write FILE.lock with the plan's fingerprint and the time, before any result exists."""
    from bestofk.design.plan.lock import write_lock

    written = write_lock(file, _read(file, allow_code, folder))
    if as_json:
        show_json(written.to_dict())
    else:
        say(f"locked {written.fingerprint[:12]} at {written.locked}: {written.path}")
