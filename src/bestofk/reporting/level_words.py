"""What the level of a family of comparisons means."""

from __future__ import annotations

from bestofk.core.phrases import counted

#: Adjustments that hold the false discovery rate, not the chance of any false finding.
_DISCOVERY = ("benjamini-hochberg", "benjamini-yekutieli")


def level_words(number: int, adjust: str, alpha: float) -> str:
    """What the level of so many comparisons means under an adjustment."""
    percent = f"{100 * alpha:.3g} %"
    if number == 1:
        return f"The chance to call equal learners different is held at {percent}."
    if adjust == "none":
        return f"Nothing is adjusted: each of the {number} comparisons may be mistaken with a chance of {percent}."
    if adjust in _DISCOVERY:
        return f"Of the differences called significant, {percent} are expected to be mistaken at most."
    if adjust == "finner":  # holds its level only where all hypotheses are true
        return f"If no two learners differed, the chance of any finding would be held at {percent}."
    return f"The chance of any false finding among {counted(number, 'comparison')} is held at {percent}."


def adjusted_words(number: int, adjust: str) -> str:
    """How the p values of so many pairs are adjusted; one has nothing to be adjusted for, and nothing is said.

    Examples
    --------
    >>> adjusted_words(3, "holm"), adjusted_words(3, "none"), adjusted_words(1, "holm")
    (', adjusted by holm', ', not adjusted', '')
    """
    if number == 1:
        return ""
    return ", not adjusted" if adjust == "none" else f", adjusted by {adjust}"
