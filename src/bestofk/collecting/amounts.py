"""Amounts as people write them: ``500MB``, ``10m``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from bestofk.core.errors import InputError

#: Beyond it clocks and system calls have no number: a petabyte, thirty million years.
MOST = 1e15
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)\s*", re.IGNORECASE)
_BYTES = {"": 1, "b": 1, **{f"{p}b": 1000**n for n, p in enumerate("kmgt", 1)}}
_BYTES |= {f"{p}ib": 1024**n for n, p in enumerate("kmgt", 1)} | {p: 1000**n for n, p in enumerate("kmgt", 1)}
_SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def bytes_of(amount: float | str | None, *, name: str, where: str) -> int | None:
    """Return bytes: a number of them, or text such as ``500MB``, ``1.5GB``, ``2GiB``.

    Examples
    --------
    >>> bytes_of("1.5GB", name="cell_memory", where="collect")
    1500000000
    """
    found = _amount(amount, _BYTES, f'give bytes above 0, or text such as "500MB": {name} = "1GB".', name, where)
    return None if found is None else max(1, int(found))


def seconds_of(amount: float | str | None, *, name: str, where: str) -> float | None:
    """Return seconds: a number of them, or text such as ``90s``, ``10m``, ``2h``.

    Examples
    --------
    >>> seconds_of("10m", name="cell_timeout", where="collect")
    600.0
    """
    return _amount(
        amount, _SECONDS, f'give seconds above 0, or text such as "90s", "10m", "2h": {name} = "10m".', name, where
    )


def _amount(amount: float | str | None, units: Mapping[str, float], fix: str, name: str, where: str) -> float | None:
    if amount is None:
        return None
    if isinstance(amount, bool):
        raise InputError(f"{name} is {amount!r}.", where, fix)
    found = _AMOUNT.fullmatch(amount) if isinstance(amount, str) else None
    unit = units.get(found[2].lower()) if found else 1
    number = float(found[1]) if found else amount if isinstance(amount, int | float) else math.nan
    if unit is None or not number > 0 or not number * unit <= MOST:
        raise InputError(f"{name} is {amount!r}.", where, fix)
    return number * unit
