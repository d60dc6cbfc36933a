"""The plan: what will be compared, on which data, how it is divided and measured, fixed before anything runs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError, UnknownName, glimpse, message_of
from bestofk.core.names import nearest, refuse_unprintable, unknown
from bestofk.core.options import count_of, flag_of, refuse_duplicates
from bestofk.core.phrases import counted
from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds import Folds, folds_of
from bestofk.design.learners import learner_of, refuse_wrong_task
from bestofk.design.learners.learner import Learner
from bestofk.measures.checks import measure_of, refuse_unfit

#: A cost that the run itself measures can be the preference as well as a list of learners.
MEASURED_COSTS = ("fit-time", "predict-time", "size")
#: The papers' prior order: simple learners before complex ones.
SIMPLE_FIRST = "complexity"
#: Keys of a data set as a table of settings, in TOML and in Python: where its data come from, and what they are.
SOURCES = ("dataset", "file", "openml")
OPTIONS = ("target", "groups", "ordered", "nominal", "drop", "task")
#: Places that say less than that of the entry.
_NOWHERE = ("plan, learners", "name of a data set")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Plan:
    """Learners × data sets × folds, with a seed; what is made of it depends on nothing else.

    Parameters
    ----------
    learners : dict of name → learner, or list
        Registered names (``bestofk list learners``), scikit-learn estimators or pipelines.
    datasets : dict of name → data set, or list
        Registered names, ``(X, y)``, data frames with a target, paths of files, ``openml:ID``, or settings as in
        TOML: ``dict(data=frame, target="y", groups="patient", nominal=["colour"])``.
    folds : str or splitter
        ``5x2``, ``10-fold``, ``10x10``, ``bootstrap-100``, … or a scikit-learn splitter.
    seed : int
        Everything random follows from it.
    measures : sequence of str
        Kept beside the confusion counts: those that need probabilities, or a regression loss.
    prior : sequence of str, or str, optional
        Learners, most preferred first, or ``fit-time``, ``predict-time``, ``size``.
    keep_predictions : bool
        Whether every prediction is kept as well.

    Examples
    --------
    >>> Plan(["nmc", "nn"], ["iris"], folds="5x2", seed=1).folds.spec
    '5x2'
    """

    learners: tuple[Learner, ...]
    datasets: tuple[Dataset, ...]
    folds: Folds
    seed: int
    measures: tuple[str, ...]
    prior: str | tuple[str, ...] | None
    keep_predictions: bool

    def __init__(
        self,
        learners: Mapping[str, Any] | Sequence[Any],
        datasets: Mapping[str, Any] | Sequence[Any],
        *,
        folds: Any = "5x2",
        seed: int = 0,
        measures: Sequence[str] = (),
        prior: str | Sequence[str] | None = None,
        keep_predictions: bool = False,
    ) -> None:
        fields = settled(folds=folds, seed=seed, measures=measures, prior=prior, keep_predictions=keep_predictions)
        fields["learners"] = tuple(_learner(each, name) for name, each in _named(learners, "learners"))
        fields["datasets"] = tuple(_dataset(each, name) for name, each in _named(datasets, "datasets"))
        if fields["prior"] == SIMPLE_FIRST:
            fields["prior"] = _simple_first(fields["learners"])
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self._refuse_what_cannot_run()

    def _refuse_what_cannot_run(self) -> None:
        refuse_unprintable((each.name for each in self.learners), what="learner", where="plan, learners")
        refuse_unprintable((each.name for each in self.datasets), what="data set", where="plan, datasets")
        refuse_duplicates((each.name for each in self.learners), what="learner", where="plan, learners")
        refuse_duplicates((each.name for each in self.datasets), what="data set", where="plan, datasets")
        if len(self.learners) < 2:
            known = counted(len(self.learners), "learner")
            raise InputError(f"the plan has {known}.", "plan", "name at least two learners.")
        if not self.datasets:
            raise InputError("the plan has no data set.", "plan", "name at least one data set.")
        if len({each.task for each in self.datasets}) > 1:
            raise InputError("the plan mixes classification and regression.", "plan", "make one plan for each.")
        for dataset in self.datasets:
            for name in self.measures:
                refuse_unfit(measure_of(name), dataset.name, dataset.task, len(dataset.classes))
            for learner in self.learners:
                refuse_wrong_task(learner, dataset)
        _refuse_wrong_prior(self.prior, [each.name for each in self.learners])

    def to_dict(self) -> dict[str, Any]:
        """Everything that decides the results, as plain values."""
        return {
            "learners": [{"name": each.name, "fingerprint": each.fingerprint} for each in self.learners],
            "datasets": [{"name": each.name, "fingerprint": each.fingerprint} for each in self.datasets],
            "folds": self.folds.spec,
            "replications": self.folds.replications,
            "folds_per_replication": self.folds.folds,
            "seed": self.seed,
            "measures": list(self.measures),  # the first is the one to judge numbers by
            "prior": list(self.prior) if isinstance(self.prior, tuple) else self.prior,
            "keep_predictions": self.keep_predictions,
        }

    def to_text(self) -> str:
        """The canonical form that is kept in a store and fingerprinted."""
        return json.dumps(self.to_dict(), sort_keys=True, indent=1, ensure_ascii=False)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical form."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def __repr__(self) -> str:
        folds = self.folds.replications * self.folds.folds
        cells = len(self.learners) * len(self.datasets)
        datasets = counted(len(self.datasets), "data set")
        return (
            f"plan {self.fingerprint[:12]}: {len(self.learners)} learners on {datasets}, "
            f"{self.folds.spec} ({counted(cells * folds, 'fold')}), seed {self.seed}"
        )


def settled(
    *, folds: Any = "5x2", seed: Any = 0, measures: Any = (), prior: Any = None, keep_predictions: Any = False
) -> dict[str, Any]:
    """The settings of a plan; a wrong one is refused before any data set is opened, which may be a download."""
    return {
        "folds": folds_of(folds),
        "seed": count_of(seed, name="seed", where="plan", at_least=0),
        "measures": _names(measures, "measures"),
        "prior": prior if prior is None or isinstance(prior, str) else _names(prior, "prior"),
        "keep_predictions": flag_of(keep_predictions, name="keep_predictions", where="plan"),
    }


def _named(entries: Mapping[str, Any] | Sequence[Any], what: str) -> list[tuple[str | None, Any]]:
    if isinstance(entries, Mapping):
        return list(entries.items())
    if isinstance(entries, str) or not isinstance(entries, Sequence):
        raise InputError(f"{what} is {glimpse(entries)}.", f"plan, {what}", "give a list, or a dict of names.")
    # Arrays have no name of their own: their place in the list gives one that no file is likely to have.
    return [(f"arrays-{place}" if isinstance(each, tuple) else None, each) for place, each in enumerate(entries, 1)]


def _names(names: Any, what: str) -> tuple[str, ...]:
    found = tuple(names) if isinstance(names, Iterable) and not isinstance(names, str | Mapping) else (None,)
    if not all(isinstance(name, str) for name in found):
        raise InputError(f"{what} is {glimpse(names)}.", f"plan, {what}", "give a list of names.")
    return found


def _learner(entry: Any, name: str | None) -> Learner:
    return entry if isinstance(entry, Learner) else learner_of(entry, name=name)


def _dataset(entry: Any, name: str | None) -> Dataset:
    if isinstance(entry, Mapping):
        return dataset_of_entry(entry, name, where=f"plan, datasets {name or ''}".strip())
    return entry if isinstance(entry, Dataset) else dataset_of(entry, name=name)


def _refuse_wrong_prior(prior: str | tuple[str, ...] | None, names: list[str]) -> None:
    where = "plan, prior"
    if prior is None:
        return
    if isinstance(prior, str):
        if prior not in MEASURED_COSTS:
            raise unknown(prior, (*MEASURED_COSTS, SIMPLE_FIRST), what="preference", where=where)
        return
    refuse_duplicates(prior, what="learner", where=where)
    for name in prior:
        if name not in names:
            raise unknown(name, names, what="learner", where=where)
    missing = [name for name in names if name not in prior]
    if missing:
        raise InputError(f"prior does not name {', '.join(missing)}.", where, "name every learner once.")


def dataset_of_entry(entry: Mapping[str, Any], name: str | None, *, where: str, folder: Path | None = None) -> Dataset:
    """Return the data set of ``dict(data=frame, target="y")`` and its like; files are named from ``folder``."""
    # Arrays and data frames are for Python alone.
    sources = SOURCES if folder is not None else ("data", *SOURCES)
    refuse_unknown(entry, (*sources, *OPTIONS), where)
    given = [key for key in sources if key in entry]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are given.", where, "keep one of them.")
    options = {key: entry[key] for key in OPTIONS if key in entry}
    if "file" in entry:
        return dataset_of(_file(entry["file"], folder, where), name=name, **options)
    if "openml" in entry:
        return dataset_of(f"openml:{entry['openml']}", name=name, **options)
    return _of_source(entry, name, where, options)


def _of_source(entry: Mapping[str, Any], name: str | None, where: str, options: dict[str, Any]) -> Dataset:
    source = entry["data"] if "data" in entry else entry.get("dataset", name)
    if source is None:
        raise InputError("the data set has no data.", where, "give data=, dataset=, file= or openml=.")
    with naming_place(where):
        return dataset_of(source, name=name, **options)


@contextmanager
def naming_place(where: str) -> Iterator[None]:
    """Let the error of an unknown name say in which file and table of it the name stands."""
    try:
        yield
    except UnknownName as error:
        place = where if error.where in _NOWHERE else f"{where}, {error.where}"
        raise UnknownName(error.wrong, place, error.fix) from None


def refuse_unknown(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    """Refuse a key that is not known, with a near name."""
    for key in table:
        if key not in known:
            raise unknown(key, known, what="key", where=f"{where}, key {key}")


def _file(given: Any, folder: Path | None, where: str) -> Path:
    path = Path(os.path.expanduser(str(given)))
    if folder is None:
        return path
    if not (folder / path).exists():
        names = [each.name for each in folder.glob("*")] if folder.is_dir() else []
        near = nearest(path.name, names)
        hint = f"did you mean {near!r}? " if near else ""
        raise InputError(
            f"there is no file {path}.", where, f"{hint}paths count from the folder of the plan, {folder.resolve()}."
        )
    return folder / path


def _simple_first(learners: Sequence[Learner]) -> tuple[str, ...]:
    """Names from simple to complex; a learner whose complexity nobody has said is refused."""
    unsaid = [learner.name for learner in learners if learner.complexity is None]
    if unsaid:
        raise InputError(
            f"nothing says how complex {', '.join(unsaid)} is.",
            "plan, prior",
            "give the learners' names, most preferred first.",
        )
    return tuple(learner.name for learner in sorted(learners, key=lambda each: (each.complexity or 0.0, each.name)))


def check_plan(plan: Plan) -> None:
    """Refuse a plan whose data sets cannot be divided as it says, or whose learners cannot be trained on such folds."""
    for learner in plan.learners:
        _check_parameters(learner)
    for dataset in plan.datasets:
        folds = plan.folds.split(dataset, 0, plan.seed)
        smallest = min(len(fold.train) for fold in folds)
        for learner in plan.learners:
            _check_neighbours(learner, dataset, smallest, plan.folds.spec)


def _check_parameters(learner: Learner) -> None:
    """Let scikit-learn's estimators look at their own parameters, as they do when they are trained."""
    for part in _parts(learner.make()):
        check = getattr(part, "_validate_params", None)
        if callable(check) and hasattr(part, "_parameter_constraints"):  # others are checked when they are trained
            try:
                check()
            except (ValueError, TypeError) as error:
                said = " ".join(message_of(error).split()).rstrip(".")
                raise InputError(f"{said}.", f"learner {learner.name}", "mend its params.") from None


def _check_neighbours(learner: Learner, dataset: Dataset, rows: int, spec: str) -> None:
    for part in _parts(learner.make()):
        wanted = getattr(part, "n_neighbors", None)
        if isinstance(wanted, int) and hasattr(part, "predict") and wanted > rows:
            raise InputError(
                f"{learner.name} wants {wanted} neighbours, and the smallest training set has {rows} rows.",
                f"learner {learner.name}, data set {dataset.name}, folds {spec}",
                f"ask for at most {rows} neighbours, or use folds with more training rows.",
            )


def _parts(estimator: Any) -> Iterator[Any]:
    """The estimator and those inside it."""
    yield estimator
    params = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    yield from (part for part in params.values() if hasattr(part, "get_params") and not isinstance(part, type))
