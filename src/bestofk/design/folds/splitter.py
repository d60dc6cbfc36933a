"""Any splitter of scikit-learn as folds of a plan."""

from __future__ import annotations

import copy
import hashlib
import re
import warnings
from functools import lru_cache
from typing import Any

import numpy as np

from bestofk.core.errors import InputError, message_of
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, generator_for
from bestofk.design.folds.checks import refusal, refuse_leaks, within
from bestofk.design.learners.own_code import code_of


@frozen(eq=False)
class SplitterFolds:
    """A splitter object; its repr is the spec, so every setting that it shows is part of the fingerprint.

    ``RepeatedKFold`` and its kin have replications; the splits of ``ShuffleSplit`` are replications of one fold each;
    all others divide once. A ``random_state`` of None is set from the plan's seed and the data.
    """

    splitter: Any
    spec: str
    replications: int
    folds: int

    @property
    def in_order(self) -> bool:
        """Whether the order of the rows is taken for time."""
        return type(self.splitter).__name__ == "TimeSeriesSplit"

    @classmethod
    def of(cls, splitter: Any) -> SplitterFolds:
        """Take a splitter, or refuse one whose folds could not be made again."""
        spec = _spec_of(splitter)
        where = f"plan, folds {type(splitter).__name__}"
        _refuse_unrepeatable(splitter, spec, where)
        total = within(_count(splitter, where), 1, what="splits", spec=spec)
        if _is_shuffle_split(splitter):
            return cls(splitter, spec, total, 1)
        repeats = getattr(splitter, "n_repeats", 1)
        return cls(splitter, spec, repeats, total // repeats)

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        """Return the folds of one replication."""
        start = replication * self.folds
        return list(_all_folds(self, dataset, seed)[start : start + self.folds])


@lru_cache(maxsize=2)  # a splitter makes all its replications in one go
def _all_folds(ways: SplitterFolds, dataset: Dataset, seed: int) -> tuple[Fold, ...]:
    folds = _made(ways, dataset, seed)
    if len(folds) != ways.replications * ways.folds:
        announced = ways.replications * ways.folds
        wrong = f"the splitter makes {counted(len(folds), 'fold')}, not the {announced} it announced."
        raise refusal(wrong, dataset, ways.spec, "give a splitter whose get_n_splits() is right.")
    refuse_leaks(dataset, folds, spec=ways.spec)
    if not type(ways.splitter).__module__.startswith("sklearn."):
        _refuse_chance(ways, dataset, folds, seed)
    return tuple(folds)


def _made(ways: SplitterFolds, dataset: Dataset, seed: int) -> list[Fold]:
    splitter = copy.deepcopy(ways.splitter)  # its state must not run on from one call to the next
    if getattr(splitter, "random_state", 0) is None and getattr(splitter, "shuffle", True):
        splitter.random_state = int(generator_for(dataset, 0, seed).integers(2**31))
    try:
        pairs = _pairs(splitter, dataset)
    except (ValueError, TypeError, UserWarning) as error:
        fix = "use other folds, or give the data set what the splitter needs (groups, more rows of each class)."
        wrong = f"the splitter refuses the data: {message_of(error).strip().rstrip('.')}."
        raise refusal(wrong, dataset, ways.spec, fix) from None
    return [Fold(np.asarray(train, dtype=np.intp), np.asarray(test, dtype=np.intp)) for train, test in pairs]


def _pairs(splitter: Any, dataset: Dataset) -> list[tuple[Any, Any]]:
    y = dataset.y.astype(np.int64) if dataset.classes else dataset.y
    X = np.zeros((dataset.rows, 1)) if dataset.raw is None else dataset.raw
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # of classes with fewer members than folds
        warnings.filterwarnings("ignore", "The groups parameter is ignored")  # torn groups are refused later
        return list(splitter.split(X, y, dataset.groups))


def _refuse_chance(ways: SplitterFolds, dataset: Dataset, folds: list[Fold], seed: int) -> None:
    again = _made(ways, dataset, seed)
    if [fold.fingerprint for fold in folds] != [fold.fingerprint for fold in again]:
        wrong = "the splitter makes other folds each time it is asked."
        raise refusal(wrong, dataset, ways.spec, "give it a seed of its own (an attribute random_state that it uses).")


def _spec_of(splitter: Any) -> str:
    """The repr, with a hash of the splitter's arrays, which a repr cuts short, and of the user's own code."""
    text = " ".join([re.sub(r"\s+", " ", repr(splitter)), *code_of(type(splitter)).values()])
    arrays = [value for _, value in sorted(vars(splitter).items()) if isinstance(value, list | tuple | np.ndarray)]
    if not arrays:
        return text
    digest = hashlib.sha256()
    for array in arrays:
        plain = isinstance(array, np.ndarray) and array.dtype != object
        digest.update(np.ascontiguousarray(array).tobytes() if plain else repr(array).encode())
    return f"{text} {digest.hexdigest()[:16]}"


def _refuse_unrepeatable(splitter: Any, spec: str, where: str) -> None:
    state = getattr(splitter, "random_state", None)
    if state is not None and not isinstance(state, int | np.integer):
        raise InputError(
            f"random_state is a {type(state).__name__}, whose numbers depend on what ran before.",
            where,
            "give a seed (an integer), or None to take the plan's.",
        )
    if re.search(r" at 0x[0-9a-fA-F]+", spec):
        raise InputError(
            f"the splitter does not say what it is: {spec}.",
            where,
            "give its class a __repr__ with all settings, or use a splitter of scikit-learn.",
        )


def _count(splitter: Any, where: str) -> int:
    try:
        return int(splitter.get_n_splits())
    except (TypeError, ValueError):
        raise InputError(
            f"the number of folds of {type(splitter).__name__} depends on the data.",
            where,
            'use folds with a fixed number, such as "10-fold".',
        ) from None


def _is_shuffle_split(splitter: Any) -> bool:
    from sklearn.model_selection import BaseShuffleSplit

    return isinstance(splitter, BaseShuffleSplit)
