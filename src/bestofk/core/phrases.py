"""Small pieces of sentences."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    Examples
    --------
    >>> counted(1, "fold"), counted(2, "fold"), counted(1, "data set")
    ('1 fold', '2 folds', '1 data set')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(names: Sequence[object]) -> str:
    """Names as a sentence lists them.

    Examples
    --------
    >>> listed(("lda", "qda", "svm")), listed(["lda"])
    ('lda, qda and svm', 'lda')
    """
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
