"""Names of data sets inside a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from bestofk.core.phrases import listed


def listed_datasets(names: Sequence[str]) -> str:
    """Names as a sentence lists them; a bare number is said to be a data set.

    Examples
    --------
    >>> listed_datasets(("iris", "wine")), listed_datasets(["5", "6"])
    ('iris and wine', 'data set 5 and data set 6')
    """
    return listed([f"data set {name}" if _number(name) else name for name in names])


def _number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True
