"""Results as the Experimenter of Weka writes them: Key_Dataset, Key_Run, Key_Fold, Key_Scheme, Percent_correct …"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.names import plain
from bestofk.evidence.layouts.grid import Key, joined, key_of
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.long_scores import long_scores
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.scores import Scores
from bestofk.tables.table import Column, Table, Text

KEYS = {"key_dataset": "dataset", "key_run": "replication", "key_fold": "fold"}
SCHEME = ("key_scheme", "key_scheme_options")
UNUSED = ("key_scheme_version_id", "date_time")


def is_weka(names: Sequence[str]) -> bool:
    """Whether the columns are those of Weka's Experimenter."""
    return {"key_scheme", "key_dataset"} <= {plain(name) for name in names}


def weka_scores(table: Table, request: Request) -> Scores:
    """Read the Experimenter's table: schemes are learners, Percent_correct the measure unless another is asked for."""
    columns: dict[str, Column] = {"learner": _schemes(table)}
    for name, column in table.columns.items():
        if plain(name) not in (*SCHEME, *UNUSED):
            columns[KEYS.get(plain(name), name)] = column
    named = replace(table, columns=columns)
    roles = Roles(
        {role: role for role in ("learner", *KEYS.values()) if role in columns},
        [name for name in columns if name not in ("learner", *KEYS.values())],
        ["the table was read as results of Weka's Experimenter: Key_Scheme is the learner"],
    )
    asked = request.measure
    if asked is None and not request.on:
        asked = next((name for name in table.names if plain(name) == "percent_correct"), None)
    return long_scores(named, roles, replace(request, measure=asked))


def _schemes(table: Table) -> Text:
    """Name every scheme by the last part of its class, with its options where that does not tell schemes apart."""
    columns = [name for key in SCHEME for name in table.names if plain(name) == key]
    scheme = key_of(table, "learner", columns[0])
    keys = [scheme, *(_options(table, name) for name in columns[1:])]
    both = joined("learner", keys)
    parts = list(zip(*(both.names_in(key) for key in keys), strict=True))
    return Text(both.codes.astype(np.int32), scheme_names(parts))


def _options(table: Table, name: str) -> Key:
    words = table.text(name)
    return Key("options", np.where(words.codes < 0, len(words.categories), words.codes), (*words.categories, ""))


def scheme_names(parts: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the shortest names that tell schemes (class, options) apart.

    Examples
    --------
    >>> scheme_names([("weka.classifiers.trees.J48", "'-C 0.25'"), ("weka.classifiers.trees.J48", "'-C 0.5'"),
    ...               ("weka.classifiers.rules.ZeroR", "''")])
    ('J48 -C 0.25', 'J48 -C 0.5', 'ZeroR')
    """
    short = [part[0].rsplit(".", 1)[-1] for part in parts]
    options = [part[1].strip("'\" ") if len(part) > 1 else "" for part in parts]
    long = [f"{name} {option}".strip() for name, option in zip(short, options, strict=True)]
    whole = [f"{part[0]} {option}".strip() for part, option in zip(parts, options, strict=True)]
    return tuple(
        name if short.count(name) == 1 else (longer if long.count(longer) == 1 else full)
        for name, longer, full in zip(short, long, whole, strict=True)
    )


WEKA = Layout(is_weka, weka_scores, keys=frozenset({*KEYS, *SCHEME}))
