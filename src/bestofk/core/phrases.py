"""Small pieces of sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from math import isfinite, isinf, isnan
from sys import float_info


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


#: An end of an interval that is 0 and not in it.
TINY = float_info.min


def signed(value: float, decimals: int | None = None) -> str:
    """A number with its sign, of three digits or with so many decimals.

    Examples
    --------
    >>> signed(0.0123), signed(-2.0), signed(0.0), signed(float("inf"))
    ('+0.0123', '−2', '0', '+∞')
    >>> signed(0.0123, 3), signed(-2.0, 3)
    ('+0.012', '−2.000')
    """
    value = float(f"{value:.12g}")  # of equal numbers the last digits may differ from one machine to the next
    size = "∞" if isinf(value) else f"{abs(value):.3g}" if decimals is None else f"{abs(value):.{decimals}f}"
    if isnan(value):
        return "nan"
    return "0" if abs(value) <= TINY else f"{'+' if value > 0 else '−'}{size}"


def p_text(pvalue: float, digits: int = 2) -> str:
    """A p value however small; one that is too small for a number is said so.

    Examples
    --------
    >>> p_text(0.0321), p_text(1e-320), p_text(0.0), p_text(0.03211, 3)
    ('p = 0.032', 'p < 1e-300', 'p < 1e-300', 'p = 0.0321')
    """
    return "p < 1e-300" if pvalue < 1e-300 else f"p = {pvalue:.{digits}g}"


def p_words(pvalue: float) -> str:
    """A p value in two digits; how small it is below a thousandth changes nothing. NaN is that of no test.

    Examples
    --------
    >>> p_words(0.03211), p_words(0.00000123), p_words(1.0)
    ('p = 0.032', 'p < 0.001', 'p = 1')
    """
    if isnan(pvalue):
        return "not tested"
    return "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.2g}"


def digits(value: float) -> str:
    """A number with three digits; from 1000 to a million all before the point.

    Examples
    --------
    >>> digits(0.12345), digits(1102.4), digits(12345678.0)
    ('0.123', '1102', '1.23e+07')
    """
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"


def column_texts(values: Sequence[float], text: Callable[[float], str] = digits) -> list[str]:
    """The numbers of a column with the same number of decimals, where five are enough for all that are finite.

    Examples
    --------
    >>> column_texts([12.34, 0.123, 3.0, float("inf")]), column_texts([1e-9, 2.0])
    (['12.340', '0.123', '3.000', 'inf'], ['1e-09', '2'])
    """
    texts = [text(value) for value in values]
    finite = [each for each, value in zip(texts, values, strict=True) if isfinite(value)]
    decimals = max((len(each.partition(".")[2]) for each in finite), default=0)
    if decimals > 5 or any("e" in each for each in finite):
        return texts
    return [f"{value + 0.0:.{decimals}f}" for value in values]


#: Whether a command is run: options are then said as its own, and as arguments of Python otherwise.
at_command: ContextVar[bool] = ContextVar("at_command", default=False)


def option_text(name: str, value: str) -> str:
    """An option as whoever has to say it writes it.

    Examples
    --------
    >>> option_text("missing", "keep")
    "missing='keep'"
    """
    return f"--{name.replace('_', '-')} {value}" if at_command.get() else f"{name}={value!r}"
