"""Optional packages: present, or a clear sentence on how to get them."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from bestofk.core.errors import MissingExtra

# package → the extra of bestofk that brings it
EXTRA_OF = {
    "numba": "fast",
    "matplotlib": "plots",
    "pandas": "tables",
    "pyarrow": "tables",
    "openpyxl": "tables",
    "psycopg": "postgresql",
    "distributed": "dask",
    "ray": "ray",
}
if sys.version_info < (3, 14):  # which unpacks Zstandard itself
    EXTRA_OF["zstandard"] = "inspect"


@cache
def available(package: str) -> bool:
    """Say whether an optional package can be imported, without importing it."""
    return find_spec(package) is not None


def need(package: str, *, purpose: str) -> ModuleType:
    """Import an optional package or say which extra brings it.

    Examples
    --------
    >>> need("numpy", purpose="arrays").__name__
    'numpy'
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] != package.split(".")[0]:
            raise  # the package is there but broken: its own message is the better one
        extra = EXTRA_OF.get(package.split(".")[0])
        how = f'pip install "bestofk[{extra}]"' if extra else f"pip install {package}"
        raise MissingExtra(f"{purpose} needs the package {package}, which is not installed.", purpose, how) from None
