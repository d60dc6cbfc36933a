"""The learners of one contest: their losses in order of preference, by mean, and a one-sided test between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import ROUNDING, Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.options import refuse_duplicates
from bestofk.stats.learners import Names, named_table
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.ranks import ascending
from bestofk.stats.shapes import wrong_shape


@frozen(eq=False)
class Contest:
    """K learners, most preferred first: ``losses`` is (..., K, design), ``labels`` the names as they were given."""

    labels: tuple[Any, ...]
    preferred: tuple[Any, ...]
    losses: Array
    axes: int

    @property
    def batch(self) -> tuple[int, ...]:
        """Shape of the batch; empty for one contest."""
        return self.losses.shape[: -self.axes - 1]

    @property
    def means(self) -> Array:
        """Mean loss of every learner, most preferred first."""
        return np.asarray(self.losses.mean(axis=tuple(range(-self.axes, 0))))

    def by_mean(self) -> npt.NDArray[np.intp]:
        """Places of the preference by mean loss, smallest first; means equal up to rounding by preference."""
        scale = np.abs(self.losses).max(axis=tuple(range(-self.axes - 1, 0)))
        return ascending(self.means, ROUNDING * scale[..., None])

    def of(self, learners: Any) -> Array:
        """Losses of the learners at these places of the preference."""
        return np.asarray(np.take(self.losses, learners, axis=-self.axes - 1))

    def named(self, places: npt.NDArray[np.intp]) -> Any:
        """Places of the preference as names, for a batch as positions in the order given; −1 is nobody."""
        if places.ndim == 0:
            return None if places < 0 else self.preferred[int(places)]
        positions = np.array([self.labels.index(name) for name in self.preferred])
        return np.where(places < 0, -1, positions[places])


def contest(losses: Any, prior: Sequence[Any] | None, *, axes: int, where: str) -> Contest:
    """Take losses (..., K, design) or a dict of name → design, and the learners in order of preference."""
    names, table = _table(losses, axes, where)
    labels: tuple[Any, ...] = names if names is not None else tuple(range(table.shape[-axes - 1]))
    preferred = preferred_of(prior, labels, where)
    arranged = np.take(table, [labels.index(name) for name in preferred], axis=-axes - 1)
    return Contest(labels, preferred, arranged, axes)


def one_sided_test(name: str, *, where: str) -> Callable[..., Any]:
    """Load a pairwise test by name and make sure that it can be one-sided."""
    run: Callable[..., Any] = PAIRWISE[name]
    if not method_of(run).one_sided:
        raise InputError(
            f"{name} cannot be one-sided, so it cannot order learners.",
            f"{where}, argument test",
            "use 5x2cv-t, paired-t, corrected-t or another one-sided test: bestofk list pairwise.",
        )
    return run


def _table(losses: Any, axes: int, where: str) -> tuple[Names, Array]:
    names, table = named_table(losses, axis=-axes - 1, where=where)
    if table.ndim < axes + 1 or table.shape[-axes - 1] < 2 or table.size == 0:
        raise wrong_shape(
            table,
            "losses",
            where,
            f"give at least two learners, each with {axes} ax{'is' if axes == 1 else 'es'} of folds.",
        )
    return names, table


def preferred_of(prior: Sequence[Any] | None, labels: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    """Take learners in order of preference; the order given where there is none."""
    if prior is None:
        return labels
    place = f"{where}, argument prior"
    if isinstance(prior, str) or not isinstance(prior, Iterable):
        raise InputError(f"prior is {prior!r}.", place, "give a list of learners, most preferred first.")
    return complete_prior(tuple(prior), labels, place)


def complete_prior(given: tuple[Any, ...], labels: tuple[Any, ...], place: str) -> tuple[Any, ...]:
    """Take a preference that names every learner once."""
    refuse_duplicates(given, what="learner", where=place)
    for name in given:
        if name not in labels:
            raise _stranger(name, labels, place)
    missing = [str(label) for label in labels if label not in given]
    if missing:
        raise InputError(f"prior does not name {', '.join(missing)}.", place, "name every learner once.")
    return given


def _stranger(name: Any, labels: tuple[Any, ...], place: str) -> InputError:
    if labels == tuple(range(len(labels))):
        return InputError(f"prior has {name!r}.", place, f"arrays have no names: use positions 0 to {len(labels) - 1}.")
    return unknown(name, [str(label) for label in labels], what="learner", where=place)


def smallest_first(means: Array) -> npt.NDArray[np.intp]:
    """Return places (..., K) from the smallest mean up; means that are equal up to rounding stay in the order given.

    Examples
    --------
    >>> smallest_first(np.array([0.1 + 0.2, 0.3, 0.1])).tolist()
    [2, 0, 1]
    """
    ordered = np.abs(np.sort(means, axis=-1))
    return ascending(means, ROUNDING * np.maximum(ordered[..., 1:], ordered[..., :-1]))


def is_smaller(one: float, other: float) -> bool:
    """Whether one mean is smaller than another by more than rounding.

    Examples
    --------
    >>> is_smaller(0.3, 0.1 + 0.2), is_smaller(0.2, 0.3)
    (False, True)
    """
    return other - one > ROUNDING * max(abs(one), abs(other))
