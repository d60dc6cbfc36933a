"""What is peculiar to files of evaluation harnesses: several filters per item, and one file per model."""

from __future__ import annotations

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.cells import Key, joined
from bestofk.evidence.layouts.measured import split_columns
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.measures.catalogue import is_larger_better
from bestofk.tables.table import Table

#: Columns in which a harness keeps what the model said.
ANSWERS = frozenset({"resps", "filtered_resps"})


def refuse_several_filters(table: Table, roles: Roles, item: Key) -> None:
    """Refuse items with outcomes of several filters: how answers were taken from the model's words must be chosen."""
    if "filter" not in roles:
        return
    words = table.text(roles.column["filter"])
    used = np.unique(words.codes)
    chosen = Key("filter", words.codes + 1, ("", *words.categories))
    if len(used) > 1 and len(joined("item", [item, chosen]).names) > len(item.names):
        names = [chosen.names[code + 1] or "(empty)" for code in used]
        raise InputError(
            f"the items have outcomes of {len(names)} filters: {listed(names)}.",
            table.where(row=int(np.argmax(words.codes != words.codes[0])), column=roles.column["filter"]),
            f"keep the rows of one filter, such as {names[-1]}, in the files of all models.",
        )


def refuse_one_model(table: Table, roles: Roles, request: Request) -> None:
    """Refuse the file of one model by itself: items with their hashes or texts, and nothing that names the model."""
    details = [name for name in (*table.names, *table.left_out) if _is_detail(name)]
    if request.learners is None and "item" in roles and details and _has_one_score(table, roles):
        raise InputError(
            f"this looks like the results of one model: {roles.column['item']} names the item, "
            f"beside {listed(details[:3])}, and no column names the model.",
            table.source,
            "give the files of all models, one each: a list, {model: path}, a folder, or several on the command line.",
        )


def _is_detail(name: str) -> bool:
    return plain(name) in ANSWERS or plain(name).endswith("_hash")


def _has_one_score(table: Table, roles: Roles) -> bool:
    scores, _, _ = split_columns(table, roles.rest)
    return len(scores) < 2 or any(is_larger_better(name) is not None for name in scores)
