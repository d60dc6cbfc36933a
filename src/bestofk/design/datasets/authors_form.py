"""A data set as the papers' authors used it: their rows, types and order of classes (docs/datasets.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.design.datasets.columns import text_of
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.entries import AuthorsForm


def as_authors_used(dataset: Dataset, form: AuthorsForm) -> Dataset:
    """Return the first rows, with the authors' types; categories in order of first occurrence, classes in theirs."""
    where = f"data set {dataset.name}, {dataset.source}, the authors' form"
    if len(form.types) != len(dataset.features) or form.rows > dataset.rows:
        raise InputError(
            f"the data have {dataset.rows} rows and {len(dataset.features)} columns, the authors' form {form.rows} "
            f"rows and {len(form.types)} columns.",
            where,
            "give the file that index.json describes.",
        )
    features = tuple(
        _retyped(feature, kind == "c", form.rows, where)
        for feature, kind in zip(dataset.features, form.types, strict=True)
        if feature.name not in form.left_out
    )
    y, classes = _reordered(dataset.y[: form.rows], dataset.classes, form.classes, where)
    return replace(dataset, features=features, y=y, classes=classes)


def in_order_of_occurrence(texts: Iterable[str | None]) -> tuple[Array, tuple[str, ...]]:
    """Return codes (NaN where missing) and categories in the order in which they first occur."""
    cells = list(texts)
    categories = tuple(dict.fromkeys(text for text in cells if text is not None))
    code_of: dict[str | None, float] = {text: float(code) for code, text in enumerate(categories)}
    return np.array([code_of.get(text, np.nan) for text in cells], dtype=np.float64), categories


def _retyped(feature: Feature, nominal: bool, rows: int, where: str) -> Feature:
    values = feature.values[:rows]
    if nominal:
        return Feature(feature.name, *in_order_of_occurrence(_texts(feature, values)))
    if not feature.nominal:
        return Feature(feature.name, values)
    try:
        sizes = np.array([*map(float, feature.categories), np.nan])
    except ValueError:
        raise InputError(
            f"column {feature.name} holds {feature.categories[0]!r} and the authors' form calls it numeric.",
            where,
            "give the file that index.json describes.",
        ) from None
    return Feature(feature.name, sizes[np.nan_to_num(values, nan=-1.0).astype(np.intp)])


def _texts(feature: Feature, values: Array) -> list[str | None]:
    if not feature.nominal:
        return [text_of(value) for value in values]
    known = (*feature.categories, None)
    return [known[code] for code in np.nan_to_num(values, nan=-1.0).astype(np.intp)]


def _reordered(
    y: Array, classes: tuple[str, ...], wanted: Mapping[str, int], where: str
) -> tuple[Array, tuple[str, ...]]:
    counts = np.bincount(y.astype(np.intp), minlength=len(classes))
    order = _matched(dict(zip(classes, counts.tolist(), strict=True)), _occurring(y, classes), wanted)
    if order is None:
        found = ", ".join(f"{name} {count}" for name, count in zip(classes, counts, strict=True))
        expected = ", ".join(f"{name} {count}" for name, count in wanted.items())
        raise InputError(
            f"the classes are {found}, and the authors' {expected}.", where, "give the file that index.json describes."
        )
    place = np.array([order.index(name) for name in classes], dtype=np.float64)
    return place[y.astype(np.intp)], order


def _occurring(y: Array, classes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(classes[int(code)] for code in dict.fromkeys(y.tolist()))


def _matched(counts: dict[str, int], occurring: tuple[str, ...], wanted: Mapping[str, int]) -> tuple[str, ...] | None:
    """Our names of the authors' classes in their order: alike but for case, else (+ for pos, 4 for 1) by occurrence."""
    by_case = {name.casefold(): name for name in counts}
    alike = tuple(by_case.get(name.casefold(), "") for name in wanted)
    for order in (alike, occurring):
        if set(order) == set(counts) and [counts[name] for name in order] == list(wanted.values()):
            return order
    return None
