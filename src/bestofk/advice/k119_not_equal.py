"""K119: not significant is not equal."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.advice.rope import inside, rope_of, rope_of_comparison
from bestofk.advice.seeing import Seeing, beside_others, seeing

WANTED = 0.8
#: Where the scale of the measure is not known: half a standard deviation of the differences is worth having.
WORTH = 0.5


def advise(case: Case) -> Advice | None:
    """Fire when a pair is not significantly different and a difference worth having would have been missed."""
    pairs = [case.comparison.pair(*names) for names in case.comparison.pairs]
    if all(pair.significant for pair in pairs):
        return None
    found = seeing(case.comparison.sample, case.comparison)
    if found is None:
        return None
    # A rope of 0 says that every difference matters, not how large one is worth planning for.
    rope, smallest = rope_of(case) or rope_of_comparison(case.comparison), found.smallest(WANTED)
    worth = WORTH * found.spread if rope is None else np.full(len(pairs), rope)
    open_ = [
        i
        for i, pair in enumerate(pairs)
        if not pair.significant and smallest[i] > worth[i] > 0 and not inside(pair.low, pair.high, worth[i])
    ]
    if not open_:
        return None
    # The order in which learners were given means nothing: not in the choice of the pair, not in its names.
    i = max(open_, key=lambda place: (smallest[place], sorted((pairs[place].first, pairs[place].second))))
    one, other = sorted((pairs[i].first, pairs[i].second))
    seen, power = float(smallest[i]), found.power(float(worth[i]), i)
    if np.isinf(seen):
        missed = _never_seen(found, case)
    else:
        missed = (
            f"a difference of {worth[i]:.2g} would have been seen with power {power:.2g}, "
            f"only differences of {seen:.2g} or more with power {WANTED:g}"
        )
    return Advice(
        "K119",
        f"{one} and {other} are not significantly different, and that is no sign that they are equal: {missed}",
        "report the interval, or plan more results: bestofk power",
    )


def _never_seen(found: Seeing, case: Case) -> str:
    """Said of a pair of which no difference would have been seen."""
    if found.disagreement is not None:
        return f"they disagree on too few items for any difference to be seen at {found.level:.3g}"
    pair = " of a pair by itself" if beside_others(found, case.comparison) else ""
    return f"with so few results no difference{pair}, however large, could have been seen"
