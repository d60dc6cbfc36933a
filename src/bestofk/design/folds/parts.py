"""Rows into K parts of nearly equal size: at random, whole groups together, or every class in proportion."""

from __future__ import annotations

from heapq import heapify, heapreplace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Rows
from bestofk.design.folds.checks import refuse_groups


def random_parts(dataset: Dataset, parts: int, rng: np.random.Generator) -> list[Rows]:
    """Divide at random; sizes differ by one at most, or by what whole groups need. Rows stay in file order."""
    if dataset.groups is not None:
        return _parts_of_groups(dataset.groups, parts, rng)
    part_of = rng.permutation(dataset.rows) % parts
    return [np.flatnonzero(part_of == part) for part in range(parts)]


def stratified_parts(dataset: Dataset, parts: int, rng: np.random.Generator, *, spec: str) -> list[Rows]:
    """Divide so that every class is spread evenly; sizes differ by one at most, of each class and in all."""
    refuse_unstratifiable(dataset, parts, spec=spec)
    shuffled = rng.permutation(dataset.rows)
    by_class = shuffled[np.argsort(dataset.y[shuffled], kind="stable")]
    # Dealt like cards, one class after the other: no part is ahead of another by more than one card.
    return [np.sort(by_class[part::parts]) for part in range(parts)]


def refuse_unstratifiable(dataset: Dataset, least: int, *, spec: str) -> None:
    """Refuse to stratify numbers or groups, and classes with fewer members than parts."""
    where = f"data set {dataset.name}, folds {spec}"
    if dataset.task == "regression":
        raise InputError(
            f"{spec} needs classes, and the target of {dataset.name} holds numbers.",
            where,
            f"use folds = {spec.removesuffix('-stratified')!r}.",
        )
    refuse_groups(dataset, spec=spec, fix="leave -stratified out, or give scikit-learn's StratifiedGroupKFold.")
    fewer = "leave -stratified out, or merge or drop rare classes."
    counts = np.bincount(dataset.y.astype(np.intp), minlength=len(dataset.classes))
    rare = int(counts.argmin())
    if counts[rare] < least:
        raise InputError(
            f"{spec} needs at least {least} rows of each class; class {dataset.classes[rare]} has {counts[rare]}.",
            where,
            f"ask for at most {counts[rare]} folds, {fewer}" if counts[rare] > 1 else fewer,
        )


def _parts_of_groups(groups: np.typing.NDArray[np.int64], parts: int, rng: np.random.Generator) -> list[Rows]:
    names, members = np.unique(groups, return_inverse=True)
    sizes = np.bincount(members)
    shuffled = rng.permutation(len(names))
    part_of = np.empty(len(names), dtype=np.intp)
    smallest = [(0, part) for part in range(parts)]
    heapify(smallest)
    # Largest group first, each into the smallest part so far: as even as whole groups allow.
    for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:
        rows, part = smallest[0]
        part_of[group] = part
        heapreplace(smallest, (rows + int(sizes[group]), part))
    return [np.flatnonzero(part_of[members] == part) for part in range(parts)]
