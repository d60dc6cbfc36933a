"""What a layout is: how a program writes its results as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bestofk.core.frozen import frozen
from bestofk.evidence import Results
from bestofk.evidence.layouts.request import Request
from bestofk.tables.table import Table

#: A table in columns that every reader knows (learner, dataset, fold, step …), what is asked of it, and notes about
#: the reading.
Read = tuple[Table, Request, list[str]]


@frozen
class Layout:
    """The table that a program writes, known by the names of its columns.

    Parameters
    ----------
    recognises : callable
        From the names of the columns, as written, to whether the table is of this program.
    read : callable
        From the table and what is asked of it to a table in common columns, with what is then asked and notes; or to
        the evidence itself. A table that is known in order to be refused raises ``InputError``.
    keys : frozenset of str
        Names of columns that name things, in small letters with underscores (``core.names.plain``). Their cells stay
        text, in every table, so they should be the program's own: data sets ``01`` and ``1e0`` are two. The usual names
        (model, dataset, fold …) need not be among them.
    """

    recognises: Callable[[Sequence[str]], bool]
    read: Callable[[Table, Request], Read | Results]
    keys: frozenset[str] = frozenset()
