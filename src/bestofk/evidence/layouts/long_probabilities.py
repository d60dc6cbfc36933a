"""Probabilities in a long table: a column per class, named as the truth names it, or one of the second of two."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bestofk.evidence.columns import plain
from bestofk.evidence.layouts.cells import Codes, Key, spread
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.predicted import same_words
from bestofk.evidence.layouts.probabilities import checked_probabilities, most_probable
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.table import Numbers, Table
from bestofk.stats.arrays import Array

#: Names of a single column: the probability of the second of two classes, which is the positive one.
POSITIVE = frozenset({"probability", "proba", "prob", "y_prob", "y_proba", "y_score", "score_positive"})
_MADE = "predicted class"


@dataclass(frozen=True, eq=False)
class LongProbabilities:
    """Probabilities of every row, (rows, classes)."""

    classes: tuple[str, ...]
    values: Array

    def by_learner(self, learner: Key, flat: Codes, shape: tuple[int, ...]) -> dict[str, Array]:
        """(items, classes) of every learner; NaN where a learner has no such item."""
        grid = np.stack([spread(column, flat, shape) for column in self.values.T], axis=-1)
        return dict(zip(learner.names, grid, strict=True))


def long_probabilities(table: Table, roles: Roles) -> tuple[Table, LongProbabilities | None]:
    """Take probabilities out of the columns without a role; without predictions the most probable class is one."""
    if "truth" not in roles:
        return table, None
    words = same_words(table, roles.column["truth"])
    classes = tuple(sorted({words.categories[code] for code in np.unique(words.codes[words.codes >= 0])}))
    made, table = _columns(table, roles, classes)
    if not made:
        return table, None
    values = checked_probabilities(table, "a row", made)
    if "prediction" not in roles:
        said = most_probable(values, "every learner", made, roles)
        table = replace(table, columns={**table.columns, _MADE: said})
        roles.column["prediction"] = _MADE
    return table, LongProbabilities(classes, values)


def _columns(table: Table, roles: Roles, classes: tuple[str, ...]) -> tuple[dict[str, str], Table]:
    """The column of every class; empty where there are none."""
    if len(classes) > 1 and set(classes) <= set(roles.rest) and all(table.is_numeric(name) for name in classes):
        roles.rest = [name for name in roles.rest if name not in classes]
        return {name: name for name in classes}, table
    alone = [name for name in roles.rest if plain(name) in POSITIVE and table.is_numeric(name)]
    if len(classes) != 2 or len(alone) != 1:
        return {}, table
    roles.rest.remove(alone[0])
    roles.notes.append(f"column {alone[0]!r} was read as the probability of class {classes[1]}")
    other = f"1 − {alone[0]}"
    values = Numbers(1.0 - finite_numbers(table, alone[0]))
    return {classes[0]: other, classes[1]: alone[0]}, replace(table, columns={**table.columns, other: values})
