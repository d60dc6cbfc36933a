"""Tables with one row per run, as trackers of experiments export them: MLflow's search_runs, the runs page of W&B."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.columns import has_role, roles_of_name
from bestofk.evidence.evidence import SETTINGS_AS_RUNS
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.programs.training import RUN_NAME, learners_and_runs, with_names
from bestofk.measures.catalogue import cost_of_name, is_larger_better, is_of_training, spoken
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table, Text

#: Names of settings that say the learner where no column is called model, algorithm or method.
LEARNERS = ("arch", "architecture", "network", "backbone", "agent")
#: Roles of settings that are kept.
ROLES = frozenset({"dataset", "replication", "fold"})
#: What is often searched for, as people call it.
HYPERPARAMETERS = frozenset(
    {
        *("lr", "learning_rate", "batch_size", "weight_decay", "wd", "dropout", "momentum", "depth", "width", "gamma"),
        *("hidden_size", "hidden_dim", "n_layers", "num_layers", "warmup", "warmup_steps", "temperature"),
        *("n_estimators", "max_depth", "l1", "l2", "alpha", "beta", "epsilon", "clip", "label_smoothing"),
    }
)
#: How far training had come when it ended: no setting, unless the tracker says so.
REACHED = frozenset({"step", "epoch", "iteration", "iter", "global_step"})
#: How columns of settings and of metrics begin, where a tracker says which they are.
SETTINGS, METRICS = ("params.", "tags.", "config."), ("metrics.", "summary.")
#: How trackers call the end of a run that has its results, and all states of a run.
FINISHED = frozenset({"finished"})
STATES = FINISHED | {"failed", "crashed", "killed", "running", "scheduled", "pending", "preempting", "preempted"}


@frozen
class _Parts:
    """Columns of a table of runs: settings, metrics and costs as written, what names the run, and what its state is."""

    settings: tuple[str, ...]
    metrics: tuple[str, ...]
    costs: tuple[str, ...]
    name: str | None
    run_id: str | None
    state: str | None
    shown: Mapping[str, str]  # settings and metrics without the prefix of the tracker


def _bare(name: str) -> str:
    """A column's name without the prefix of the tracker."""
    return name.split(".", 1)[-1] if name.startswith(SETTINGS + METRICS) else name


def is_mlflow_runs(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``mlflow.search_runs``."""
    return "run_id" in names and any(name.startswith("metrics.") for name in names)


def _from_mlflow(table: Table, request: Request) -> Read:
    named = set(request.told.values())
    told = [name for name in table.names if name in named or name.startswith(("params.", "tags."))]
    settings = tuple(name for name in told if not name.startswith("tags.mlflow."))
    metrics = tuple(name for name in table.names if name.startswith("metrics."))
    name = next((each for each in ("tags.mlflow.runName", "run_name") if each in table.names), None)
    shown = {each: _bare(each) for each in (*settings, *metrics)}
    costs = tuple(each for each in metrics if cost_of_name(shown[each]) is not None)
    parts = _Parts(settings, metrics, costs, name, "run_id", "status" if "status" in table.names else None, shown)
    return _runs(table, request, parts, "MLflow's table of runs")


#: What the page of W&B tells of every run beside its settings and its summary.
FACTS = frozenset(
    {
        *("name", "state", "notes", "user", "tags", "created", "runtime", "sweep", "id", "group", "job_type", "host"),
        *("commit", "description", "updated", "end_time", "start_time", "hostname", "username", "display_name"),
        *("github", "gpu_count", "gpu_type", "use_cpu", "run_time", "heartbeat_at", "created_at"),
    }
)
_PROOF = frozenset({"created", "runtime", "user", "sweep", "notes", "tags", "_runtime", "_timestamp", "created_at"})


def is_wandb_runs(names: Sequence[str]) -> bool:
    """Whether the columns are those of the runs page of Weights & Biases: Name, State, and when or by whom it ran.

    Columns ``config.…`` are those of its programming interface; with ``_step`` they are a history.
    """
    if "_step" not in names and any(name.startswith("config.") for name in names):
        return True
    known = {name if name.startswith("_") else plain(name) for name in names}
    least = 1 if "name" in known else 2  # the name may be said to be the learner, and is called so then
    return "state" in known and bool(known & {"name", "learner"}) and len(known & _PROOF) >= least


def _from_wandb(table: Table, request: Request) -> Read:
    names = {plain(name): name for name in table.names if not _bare(name).startswith("_")}
    shown = {name: _bare(name) for key, name in names.items() if key not in FACTS}
    told = [name for name in shown if roles_of_name(shown[name]) or not table.is_mostly_numeric(name)]
    by_content = [name for name in told if _bare(name) == name and plain(name) not in REACHED]
    settings = tuple(name for name in shown if name.startswith(SETTINGS) or name in by_content)
    rest = [name for name in shown if name not in settings and name not in told]
    metrics = tuple(name for name in rest if not table.is_blank(name))
    took = [name for key, name in names.items() if key == "runtime" and table.is_numeric(name)]
    costs = (*took, *(name for name in metrics if cost_of_name(shown[name]) is not None))
    shown |= {name: name for name in took}
    parts = _Parts(settings, metrics, costs, names.get("name"), names.get("id"), names.get("state"), shown)
    return _runs(table, request, parts, "the table of runs of Weights & Biases")


def _runs(table: Table, request: Request, parts: _Parts, what: str) -> Read:
    """A table with learner, run and measure, and whatever else of the settings has a role."""
    metric = _metric(table, request, parts)
    measure = spoken(parts.shown[metric])
    learner = _learner(table, parts)
    kept, request = _roles(request, parts)
    searched = [name for name in _told_settings(parts) if name not in kept]
    mixed = (
        [] if learner is None else _mixed_settings(_judged(table, request, parts, metric, learner), learner, searched)
    )
    costs = _costs(table, request, parts, [] if learner is None else [name for name in searched if name not in mixed])
    kept |= {name: parts.shown[name] for name in parts.metrics} if request.on else costs
    kept |= {metric: measure}
    told = [name for name in costs.values() if cost_of_name(name) is None]
    request = replace(request, measure=measure, costs=(*(request.costs or ()), *told))
    notes = [f"the table was read as {what}"]
    if learner is None:  # names of runs say the seed as well
        kept = {old: new for old, new in kept.items() if "replication" not in roles_of_name(new)}
        long = _without_unfinished(table.only(kept | {str(parts.name): RUN_NAME}), table, parts, measure)
        return with_names(long, request, notes, name=RUN_NAME)
    own = next((name for name in (parts.run_id, parts.name) if name not in (None, learner)), None)
    if own and not has_role(kept.values(), "replication", "fold"):
        kept[own] = "run"
    kept[learner] = "learner"
    if learner != "learner":
        notes.append(f"column {learner!r} was read as learner")
    if mixed:
        request = replace(request, assumed=(*request.assumed, SETTINGS_AS_RUNS))
        notes.append(f"runs of one learner differ in {listed(mixed)}")
    return _without_unfinished(table.only(kept), table, parts, measure), request, notes


def _roles(request: Request, parts: _Parts) -> tuple[dict[str, str], Request]:
    """Settings with a role, none beside one that is said to have it; a replication without folds is a run."""
    told = dict(request.told)
    roles = {name: set(roles_of_name(parts.shown[name])) & ROLES for name in parts.settings}
    kept = {n: parts.shown[n] for n, own in roles.items() if own and (n in told.values() or not own & set(told))}
    if told.get("replication") in kept and not has_role(kept.values(), "fold"):
        kept[told["replication"]] = "run"
        told["replication"] = "run"
    return kept, replace(request, told=told)


def _costs(table: Table, request: Request, parts: _Parts, fixed: list[str]) -> dict[str, str]:
    """Columns that may be costs, and what they are called: metrics, settings in which learners differ, those asked for.

    ``fixed`` are settings that all runs of a learner share. A column that is asked for by its whole name keeps it.
    """
    asked = {plain(name) for name in request.costs or ()}
    numeric = {name for name in parts.shown if table.is_numeric(name) and not table.is_blank(name)}
    wanted = [name for name in parts.shown if {plain(name), plain(parts.shown[name])} & asked]
    told = [name for name in parts.metrics if name not in _told_settings(parts)]
    told += [name for name in fixed if len(table.text(name).used) > 1]
    every = [*parts.costs, *wanted, *(name for name in told if name in numeric)]
    called: dict[str, str] = {}
    for name in dict.fromkeys(every):
        shown = name if plain(name) in asked else parts.shown[name]
        if not roles_of_name(parts.shown[name]) and plain(shown) not in map(plain, called.values()):
            called[name] = shown
    return called


def _told_settings(parts: _Parts) -> list[str]:
    """Settings of training, no tags or seeds; where metrics and settings are not told apart, those by known names."""
    known = [name for name in parts.metrics if plain(parts.shown[name]) in HYPERPARAMETERS]
    told = [name for name in parts.settings if not name.startswith("tags.")]
    return [name for name in (*told, *known) if not plain(parts.shown[name]).endswith("seed")]


def _judged(table: Table, request: Request, parts: _Parts, metric: str, learner: str) -> Table:
    """The runs with a result, of the learners asked for: what broke off may have logged no settings, or other ones."""
    chosen = ~table.column(metric).empty & _finished(table, parts.state)
    if request.learners is not None:
        words = table.text(learner)
        chosen &= np.array([*(word in request.learners for word in words.categories), False])[words.codes]
    return table.rows(np.flatnonzero(chosen))


def _mixed_settings(table: Table, learner: str, settings: list[str]) -> list[str]:
    """Settings that are not the same for all runs of a learner: numbers, or words that several runs share.

    A word of its own for every run, such as the name of a folder, is none.
    """
    own = table.text(learner)
    found = []
    for name in settings:
        numbers = np.unique(np.stack([own.codes, table.text(name).codes]), axis=1, return_counts=True)[1]
        if len(numbers) > len(own.used) and (table.is_numeric(name) or numbers.max() > 1):
            found.append(name)
    return found


def _metric(table: Table, request: Request, parts: _Parts) -> str:
    """The metric asked for, or the only one, or the only one whose direction is known."""
    by_name = {parts.shown[name]: name for name in parts.metrics}
    known = [name for name in by_name if is_larger_better(spoken(name)) is not None and cost_of_name(name) is None]
    known = [name for name in known if not is_of_training(name)] or known
    if request.measure is None and len(known) == 1:
        return by_name[known[0]]
    asked = request if request.measure is None else replace(request, measure=_bare(request.measure))
    return by_name[chosen_metric(known if request.measure is None and known else list(by_name), asked, table.source)]


def _learner(table: Table, parts: _Parts) -> str | None:
    """The setting that names the learner; None where the names of runs say learner and run."""
    several = [name for name in parts.settings if len(table.text(name).used) > 1]
    named = [name for name in several if roles_of_name(parts.shown[name]) == ("learner",)]
    other = [name for name in parts.settings if plain(parts.shown[name]) in LEARNERS and _divides(table, name)]
    found = named or other
    if len(found) == 1 or "learner" in found:
        return "learner" if "learner" in found else found[0]
    runs = None if parts.name is None else learners_and_runs(table.text(parts.name).used)
    if not found and runs is not None and len({learner for learner, _ in runs}) > 1:
        return None
    others = [name for name in several if not set(roles_of_name(parts.shown[name])) - {"learner"}]
    candidates = found or [name for name in others if _divides(table, name)] or others
    unclear = "which learner each run is of" if not found else f"which of {listed(found)} is the learner"
    raise InputError(
        f"nothing says {unclear}.",
        table.source,
        f"say which column does: --learner {' or '.join(candidates[:4]) or 'COLUMN'}; or name the runs after learner "
        "and seed (ppo-seed1, ppo-seed2 …).",
    )


def _divides(table: Table, name: str) -> bool:
    """Whether a setting has several values, each of several runs."""
    if set(roles_of_name(_bare(name))) - {"learner"}:
        return False
    codes = table.text(name).codes
    numbers = np.bincount(codes[codes >= 0])
    return len(numbers) > 1 and int(numbers[numbers > 0].min()) > 1


def _without_unfinished(long: Table, table: Table, parts: _Parts, measure: str) -> Table:
    """A run that has not finished has no result, whatever it had logged; its state is the reason."""
    done = _finished(table, parts.state)
    return long if parts.state is None or done.all() else _only_where(done, long, [measure], table.text(parts.state))


def with_finished_runs(table: Table, told: Collection[str]) -> Table:
    """Any table with a row per run and its state: runs that have not finished have no results.

    Columns of numbers are results, unless they are costs, have a role by their names or are ``told`` to have one.
    """
    rest = [name for name in table.names if name not in told and not roles_of_name(name) and cost_of_name(name) is None]
    named = (name for name in rest if plain(name) in ("status", "state"))
    state = next((name for name in named if {word.lower() for word in table.text(name).used} <= STATES), None)
    done = _finished(table, state)
    of_runs = has_role(table.names, "learner") and not has_role(table.names, "item", "step", "truth", "prediction")
    if state is None or done.all() or not of_runs:
        return table
    ended = table.rows(np.flatnonzero(done)) if done.any() else table
    results = [name for name in rest if ended.is_numeric(name)]
    return _only_where(done, table, results, table.text(state)).without([state])


def _only_where(done: Flags, table: Table, names: Sequence[str], states: Text) -> Table:
    """Columns of results, empty elsewhere; the state is the reason of the failure."""
    columns: dict[str, Column] = {}
    for name in names:
        values = np.full(len(table), np.nan)
        values[done] = table.rows(np.flatnonzero(done)).numbers(name)  # whatever others have logged last
        columns[name] = Numbers(values)
    told = table.text("failure").words if "failure" in table.names else [""] * len(table)
    reasons = [own or ("" if fine else word) for own, fine, word in zip(told, done, states.words, strict=True)]
    return table.with_columns({**columns, "failure": Words().column(reasons)})


def _finished(table: Table, state: str | None) -> Flags:
    """Which runs came to their end, as far as the column of states says."""
    if state is None:
        return np.ones(len(table), dtype=bool)
    words = table.text(state)
    return np.array([*(word.lower() in FINISHED for word in words.categories), True])[words.codes]


MLFLOW_RUNS = Layout(is_mlflow_runs, _from_mlflow)
WANDB_RUNS = Layout(is_wandb_runs, _from_wandb)
