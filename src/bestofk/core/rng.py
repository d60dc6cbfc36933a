"""Seeded generators: the same seed gives the same answer, whatever ran before."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from bestofk.core.errors import InputError

Seed: TypeAlias = "int | np.integer[np.typing.NBitBase] | np.random.Generator | np.random.SeedSequence | None"


def generator(rng: Seed, *, where: str, name: str = "rng") -> np.random.Generator:
    """Turn a seed into a generator; a generator is passed through and advances; None draws a fresh seed.

    ``name`` is what the argument is called there.

    Examples
    --------
    >>> generator(1, where="example").random() == generator(1, where="example").random()
    True
    """
    refuse_wrong_seed(rng, where=where, name=name)
    return np.random.default_rng(rng)


def refuse_wrong_seed(rng: Seed, *, where: str, name: str) -> None:
    """Refuse what gives no generator, without making one: numpy loads its generators when first asked for."""
    whole = isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0
    if not whole and rng is not None and not isinstance(rng, np.random.Generator | np.random.SeedSequence):
        raise InputError(
            f"{name} is {rng!r}.",
            f"{where}, argument {name}",
            "give a seed (an integer from 0 up), a numpy.random.Generator, or None for a fresh one.",
        )
