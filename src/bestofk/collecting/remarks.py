"""What a cell has to say beside its results, gathered while it runs."""

from __future__ import annotations

import platform
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bestofk.collecting.failures import portable, shortened
from bestofk.stores.notes import Notes, few

#: Packages whose version may change a result.
PACKAGES = ("bestofk", "numpy", "scipy", "scikit-learn")
#: Meant for authors of packages, as Python's own filters have it.
FOR_AUTHORS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


class Remarks:
    """Counts warnings of a learner, and reasons why measures could not be taken."""

    def __init__(self) -> None:
        self.warnings: Counter[str] = Counter()
        self.unscored: dict[str, Counter[str]] = {}

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count warnings instead of showing them: there would be one per fold."""
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            for kind in FOR_AUTHORS:
                warnings.simplefilter("ignore", kind)
            warnings.showwarning = self._hear
            yield

    def _hear(self, message: Any, category: type[Warning], *place: Any, **rest: Any) -> None:
        first = next(iter(str(message).strip().splitlines()), "")
        self.warnings[shortened(portable(f"{category.__name__}: {first}"))] += 1

    def missing(self, reasons: Mapping[str, str]) -> None:
        """Count measures of one fold that could not be taken, by name."""
        for name, reason in reasons.items():
            self.unscored.setdefault(name, Counter())[reason] += 1

    def notes(self) -> Notes:
        """All of it, few of a kind."""
        return Notes(versions(), few(self.warnings), {name: few(each) for name, each in self.unscored.items()})


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
