"""The papers' data sets: what they must look like wherever they come from, and the form in which the authors used them.

Only sets whose copy at OpenML has the papers' rows and columns have a number. Left out for that reason: monks (training
and test rows together), horse (22 of 26 inputs), cylinder, musk2, satellite47 (all classes), bupa (another target).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.design.datasets.columns import text_of
from bestofk.design.datasets.dataset import Dataset, Feature


@frozen
class PaperSet:
    """Rows, inputs and classes that a set must have, and its number at OpenML."""

    rows: int
    inputs: int
    classes: int
    openml: int


@frozen
class AuthorsForm:
    """How the papers' authors used a set: its first ``rows``, a type per column, classes in their order with counts.

    ``left_out`` are columns of the file that they most likely did not use.
    """

    rows: int
    types: str
    classes: Mapping[str, int]
    left_out: tuple[str, ...] = ()

    @property
    def columns(self) -> int:
        """Number of inputs that are used."""
        return len(self.types) - len(self.left_out)


PAPER_SETS = {
    "australian": PaperSet(690, 14, 2, 40981),
    "balance": PaperSet(625, 4, 3, 11),
    "breast": PaperSet(699, 9, 2, 15),
    "car": PaperSet(1728, 6, 4, 40975),
    "cmc": PaperSet(1473, 9, 3, 23),
    "credit": PaperSet(690, 15, 2, 29),
    "dermatology": PaperSet(366, 34, 6, 35),
    "ecoli": PaperSet(336, 7, 8, 39),
    "german_nominal": PaperSet(1000, 20, 2, 31),
    "glass": PaperSet(214, 9, 6, 41),
    "haberman": PaperSet(306, 3, 2, 43),
    "heart": PaperSet(270, 13, 2, 53),
    "hepatitis": PaperSet(155, 19, 2, 55),
    "iris": PaperSet(150, 4, 3, 61),
    "ironosphere": PaperSet(351, 34, 2, 59),
    "krkopt": PaperSet(28056, 6, 18, 184),
    "krusk": PaperSet(3196, 36, 2, 3),
    "magic": PaperSet(19020, 10, 2, 1120),
    "mushroom": PaperSet(8124, 22, 2, 24),
    "nursery": PaperSet(12960, 8, 5, 26),
    "optdigits": PaperSet(5620, 64, 10, 28),
    "parkinsons": PaperSet(195, 22, 2, 1488),
    "pendigits": PaperSet(10992, 16, 10, 32),
    "pima": PaperSet(768, 8, 2, 37),
    "ringnorm": PaperSet(7400, 20, 2, 1496),
    "segment": PaperSet(2310, 19, 7, 36),
    "spambase": PaperSet(4601, 57, 2, 44),
    "tictactoe": PaperSet(958, 9, 2, 50),
    "titanic": PaperSet(2201, 3, 2, 40704),
    "transfusion": PaperSet(748, 4, 2, 1464),
    "twonorm": PaperSet(7400, 20, 2, 1507),
    "vote": PaperSet(435, 16, 2, 56),
    "wine": PaperSet(178, 13, 3, 187),
    "yeast": PaperSet(1484, 8, 10, 181),
    "zoo": PaperSet(101, 16, 7, 62),
}
#: Other names of the papers' sets.
ALIASES = {
    "monks": "monks1",
    "chess": "krkopt",
    "krvskp": "krusk",
    "kr-vs-kp": "krusk",
    "ionosphere": "ironosphere",
    "wisconsin": "breast",
}
_DEPTHS = (
    *(("draw", 2796), ("one", 78), ("two", 246), ("three", 81), ("four", 198), ("five", 471), ("six", 592)),
    *(("seven", 683), ("eight", 1433), ("nine", 1712), ("ten", 1985), ("eleven", 2854), ("twelve", 3597)),
    *(("thirteen", 4194), ("fourteen", 4553), ("fifteen", 2166), ("sixteen", 390), ("zero", 27)),
)
#: The authors' forms of the sets that a rule gives, so that they need no folder.
AUTHORS_FORMS = {
    "balance": AuthorsForm(625, "cccc", {"B": 49, "R": 288, "L": 288}),
    "car": AuthorsForm(1728, "cccccc", {"unacc": 1210, "acc": 384, "vgood": 65, "good": 69}),
    "krkopt": AuthorsForm(28056, "cncncn", dict(_DEPTHS)),
    "monks1": AuthorsForm(432, "nnnnnn", {"1": 216, "0": 216}),
    "nursery": AuthorsForm(
        12960,
        "cccccccc",
        {"recommend": 2, "priority": 4266, "not_recom": 4320, "very_recom": 328, "spec_prior": 4044},
    ),
    "tictactoe": AuthorsForm(958, "ccccccccc", {"positive": 626, "negative": 332}),
    "titanic": AuthorsForm(2201, "ccc", {"0": 1490, "1": 711}),
}


def as_authors_used(dataset: Dataset, form: AuthorsForm) -> Dataset:
    """Return the first rows, with the authors' types; categories in order of first occurrence, classes in theirs."""
    where = f"data set {dataset.name}, {dataset.source}, the authors' form"
    if len(form.types) != len(dataset.features) or form.rows > dataset.rows:
        ours = f"{dataset.rows} rows and {len(dataset.features)} columns"
        raise _another(f"the data have {ours}, the authors' form {form.rows} rows and {len(form.types)} columns", where)
    features = tuple(
        _retyped(feature, kind == "c", form.rows, where)
        for feature, kind in zip(dataset.features, form.types, strict=True)
        if feature.name not in form.left_out
    )
    y, classes = _reordered(dataset.y[: form.rows], dataset.classes, form.classes, where)
    return replace(dataset, features=features, y=y, classes=classes)


def _another(wrong: str, where: str) -> InputError:
    return InputError(f"{wrong}.", where, "give the file that index.json describes.")


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
        wrong = f"column {feature.name} holds {feature.categories[0]!r} and the authors' form calls it numeric"
        raise _another(wrong, where) from None
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
        raise _another(f"the classes are {found}, and the authors' {expected}", where)
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
