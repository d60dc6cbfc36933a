"""K118: significant, and yet practically nothing."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.advice.rope import inside, rope_of
from bestofk.core.phrases import counted


def advise(case: Case) -> Advice | None:
    """Fire when a pair differs significantly and its whole interval lies within the rope."""
    rope = rope_of(case)
    if rope is None:
        return None
    pairs = [case.comparison.pair(*names) for names in case.comparison.pairs]
    small = [pair for pair in pairs if pair.significant and inside(pair.low, pair.high, rope)]
    if not small:
        return None
    pair = small[0]
    more = f", and so do {counted(len(small) - 1, 'more pair')}" if len(small) > 1 else ""
    return Advice(
        "K118",
        f"{pair.first} and {pair.second} differ significantly by {abs(pair.difference or 0.0):.3g}, and the whole "
        f"interval lies within ±{rope:g}{more}",
        "a difference that small is rarely worth anything: let cost or simplicity decide",
    )
