"""What the logs of all programs share: the metric asked for, and names of runs that say the learner and the run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.layout import Read
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import is_larger_better
from bestofk.tables.table import Table

RUN_NAME = "run_name"
#: How TensorBoard calls the file of a run and a metric.
TAGGED = re.compile(r"(?:run-)?(?P<run>.*)-tag-(?P<tag>.+)", re.IGNORECASE)


def with_names(
    table: Table,
    request: Request,
    notes: list[str],
    *,
    name: str | None = None,
    run_id: str | None = None,
    files: bool = True,
) -> Read:
    """Take the column ``name``, or ``run``, for learner and run, or for the run where another names the learner.

    Where names do not say which run they are of, each is a learner; a column of identifiers then tells its runs apart.
    Without such a column the names of ``files``, which are in the column learner, may say both.
    """
    learner = learner_column(table)
    name = name or runs_say_learners(table)
    if name is None or (learner is not None and has_run(table)):
        return _divided(table, request, notes, "file") if files else (table, request, notes)
    said = f"run names such as {table.text(name).categories[0]!r} were read as"
    if learner is not None:
        return table.renamed({name: "run"}), request, [*notes, f"{said} runs"]
    if learners_and_runs(table.text(name).categories) is None:
        return table.renamed({name: "learner"}), request, [*notes, f"{said} learners"]
    without = table if run_id in (None, name) else table.without([str(run_id)])
    return _divided(without.renamed({name: "learner"}), request, notes, "run")


def _divided(table: Table, request: Request, notes: list[str], what: str) -> Read:
    """Divide the names in the column learner into learner and run, where they say both."""
    learner = learner_column(table)
    words = None if learner is None or has_run(table) else table.text(learner)
    parts = None if words is None else learners_and_runs(words.categories)
    if learner is None or words is None or parts is None:
        return table, request, notes
    columns = {name: words.renamed(part[at] for part in parts) for at, name in enumerate(("learner", "run"))}
    first = f"the {what} name {words.categories[0]!r} was read as learner {parts[0][0]!r}, run {parts[0][1]!r}"
    return table.without([learner]).with_columns(columns, first=True), request, [*notes, first]


def runs_say_learners(table: Table) -> str | None:
    """The column ``run`` of a table without learners, where the runs' names are of several: ppo-seed1, dqn-seed1."""
    name = next((each for each in table.names if plain(each) == "run" and not table.is_numeric(each)), None)
    if name is None or learner_column(table) is not None:
        return None
    parts = learners_and_runs(table.text(name).categories)
    return name if parts is not None and len({learner for learner, _ in parts}) > 1 else None


def refuse_nameless(table: Table, run_id: str) -> InputError:
    """The error for runs that have identifiers and no names."""
    return InputError(
        f"{run_id} names the runs, and nothing says which learner each is of.",
        table.source,
        "add a column learner or run_name (ppo-seed1, ppo-seed2 …), or give one file per learner: {learner: path}.",
    )


_SAID = re.compile(r"(.+?)[\s._/-]+(?:random_?)?(?:seed|run|fold|rep|repeat|trial|version|split)[\s._=-]*(\d+)", re.I)
_NUMBERED = re.compile(r"(.+?)[\s._/-]+(\d+)")
#: What loggers put after the name of a run: which of its data a curve is on.
_PART = re.compile(r"(.+?)[\s._/-]+(train|validation|valid|val|eval|evaluation|test)", re.I)


def learners_and_runs(names: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
    """Split names into learner and run, or return None where each name is a learner of its own.

    A word says so (ppo-seed3, lda_fold_2); mere numbers do when every learner has the same ones, at least two. An end
    that all names share (ppo_seed3_validation) is passed over.

    Examples
    --------
    >>> learners_and_runs(["ppo_1", "ppo_2", "dqn_1", "dqn_2"])
    (('ppo', '1'), ('ppo', '2'), ('dqn', '1'), ('dqn', '2'))
    >>> learners_and_runs(["resnet-18", "resnet-50"])
    """
    names = _without_part(names)
    said = [_SAID.fullmatch(name) for name in names]
    if all(said):
        return _parts(said)
    numbered = _parts([_NUMBERED.fullmatch(name) for name in names])
    if numbered is None:
        return None
    runs: dict[str, set[str]] = {}
    for learner, run in numbered:
        runs.setdefault(learner, set()).add(run)
    same = len({frozenset(each) for each in runs.values()}) == 1
    return numbered if same and len(runs) > 1 and min(map(len, runs.values())) > 1 else None


def _without_part(names: Sequence[str]) -> list[str]:
    matches = [_PART.fullmatch(name) for name in names]
    found = [match for match in matches if match is not None]
    same = len(found) == len(names) and len({match[2].lower() for match in found}) == 1
    return [match[1] for match in found] if same else list(names)


def _parts(matches: Sequence[re.Match[str] | None]) -> tuple[tuple[str, str], ...] | None:
    parts = tuple((match[1], match[2]) for match in matches if match is not None)
    return parts if len(parts) == len(matches) and len(set(parts)) == len(parts) else None


def refuse_empty_runs(runs: Sequence[str], metric: str, table: Table) -> None:
    """A run that logged nothing has crashed or diverged: leaving it out unsaid would flatter its learner."""
    if runs:
        others = f" and {len(runs) - 1} more" if len(runs) > 1 else ""
        raise InputError(
            f"run {runs[0]!r}{others} has no value of {metric}.",
            table.source,
            "take it out of the export, and say so where you report, or log its values.",
        )


def spoken(metric: str) -> str:
    """A metric without the slash that loggers put after its group, so that its direction is known where it can be.

    Examples
    --------
    >>> spoken("val/loss"), spoken("train/loss"), spoken("charts/tastiness"), spoken("f1")
    ('val_loss', 'train_loss', 'charts_tastiness', 'f1')
    """
    if "/" not in metric:
        return metric
    ways = (metric.replace("/", "_"), metric.rsplit("/", 1)[-1])
    return next((name for name in ways if is_larger_better(name) is not None), ways[0])


def learner_column(table: Table) -> str | None:
    """The column that names the learner and nothing else."""
    return next((name for name in table.names if roles_of_name(name) == ("learner",)), None)


def has_run(table: Table) -> bool:
    """Whether a column tells the runs of a learner apart."""
    return any(set(roles_of_name(name)) & {"replication", "fold"} for name in table.names)


def has_step(table: Table) -> bool:
    """Whether a column has the steps of training."""
    return any("step" in roles_of_name(name) for name in table.names)
