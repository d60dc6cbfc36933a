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
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Several of them.

    Examples
    --------
    >>> plural("essay"), plural("category")
    ('essays', 'categories')
    """
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeou" else f"{noun}s"


def listed(names: Sequence[object]) -> str:
    """Names as a sentence lists them.

    Examples
    --------
    >>> listed(("lda", "qda", "svm")), listed(["lda"])
    ('lda, qda and svm', 'lda')
    """
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def signed(value: float) -> str:
    """A number of three digits with its sign.

    Examples
    --------
    >>> signed(0.0123), signed(-2.0), signed(0.0), signed(float("inf"))
    ('+0.0123', '−2', '0', '+∞')
    """
    value = value if abs(value) > 1e-300 else 0.0  # an end at 0 that is not in an interval
    size = "∞" if abs(value) == float("inf") else f"{abs(value):.3g}"
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{size}"


def digits(value: float) -> str:
    """A number with three digits; from 1000 to a million all before the point.

    Examples
    --------
    >>> digits(0.12345), digits(1102.4), digits(12345678.0)
    ('0.123', '1102', '1.23e+07')
    """
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"
