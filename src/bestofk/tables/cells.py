"""What a cell means: nothing, a number, true or false, or a word. One answer for every format and every use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen

#: What people write where a value is missing, in any letters.
MISSING = frozenset({"", "na", "nan", "n/a", "null", "none", "?", "-"})
#: The same in data to learn from. There ``none`` and ``-`` are often categories (no stalk, no priors), which would
#: vanish without a word; in a column of numbers they are refused, and the user says what they are.
MISSING_IN_DATA = MISSING - {"none", "-"}

#: What programs write for right and wrong, where a number is wanted.
_BOOLEANS = {"true": 1.0, "false": 0.0}


@frozen
class Purpose:
    """What a table is read for: results and data to learn from need different answers in a few places.

    ``row`` is what a row is called in advice. ``is_key`` tells columns that hold names, which stay words even where
    they look like numbers. ``missing`` are the words of absence among numbers, and ``dropped`` those that also become
    gaps among words.
    ``strict`` is for results: an infinity is no number, a word after 65,536 numbers is a mistake, true and false are
    1 and 0. Data to learn from let their reader decide on infinities and late words, and true and false are
    categories. ``lenient_names`` allows columns without a name, and takes the index of a data frame as columns.
    ``dates`` says whether dates and times are words; else they cannot be read. ``instead`` says by the names of
    columns, one of them there twice, what to give in place of the table; most have nothing to say.
    """

    row: str
    is_key: Callable[[str], bool]
    missing: frozenset[str] = MISSING
    dropped: frozenset[str] = frozenset({""})
    strict: bool = True
    lenient_names: bool = True
    dates: bool = True
    instead: Callable[[Sequence[str]], str] = lambda _: ""


def as_number(word: str, missing: frozenset[str] = MISSING, *, finite: bool = True) -> float | None:
    """Return the number that a word means: NaN for a word of absence, None when it is no number at all.

    Examples
    --------
    >>> as_number("2.5e-1"), as_number("NA"), as_number("1_0"), as_number("inf")
    (0.25, nan, None, None)
    """
    if word.strip().lower() in missing:
        return float("nan")
    if not word.isascii() or "_" in word:  # Python would read 1_0 as 10
        return None
    try:
        value = float(word)
    except ValueError:
        return None
    return value if np.isfinite(value) or (np.isinf(value) and not finite) else None


#: Beginnings of what a spreadsheet program takes for a formula, in a file that it opens, and apostrophes before them.
_FORMULA, _GUARDED = re.compile("'*[=+@-]"), re.compile("'+[=+@-]")


def guarded(cell: Any) -> Any:
    """Return a word for a file that a spreadsheet program may open: what looks like a formula has an apostrophe first.

    Examples
    --------
    >>> guarded("=1+1"), guarded("'=1"), guarded("-0.5"), guarded("knn")
    ("'=1+1", "''=1", '-0.5', 'knn')
    """
    formula = isinstance(cell, str) and _FORMULA.match(cell) and as_number(cell) is None
    return f"'{cell}" if formula else cell


def unguarded(cell: str) -> str:
    """Return the word that was guarded.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("knn's")
    ('=1+1', "knn's")
    """
    return cell[1:] if _GUARDED.match(cell) else cell


def as_word(value: float) -> str:
    """Write a number as a word; whole numbers without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def class_word(word: str) -> str:
    """Write a class as all its spellings are kept: 1.0 as 1, and True as 1 as well.

    Examples
    --------
    >>> class_word("1.0"), class_word("True"), class_word("spam")
    ('1', '1', 'spam')
    """
    number = meaning(word)
    return word if number is None or np.isnan(number) else as_word(number)


def is_absent(word: str) -> bool:
    """Whether a word says that there is nothing."""
    return word.strip().lower() in MISSING


def is_boolean(word: str) -> bool:
    """Whether a word is true or false, in any letters."""
    return word.strip().lower() in _BOOLEANS


def not_a_number(name: str, word: str, where: str) -> InputError:
    """Build the three lines for a word in a column of numbers."""
    return InputError(f"{name} is {word!r}, not a number.", where, number_advice(word))


def meaning(word: str) -> float | None:
    """Return the number that a word means, true and false among them; None when it is none."""
    truth = _BOOLEANS.get(word.strip().lower())
    return as_number(word) if truth is None else truth


def looks_like_number(word: str) -> bool:
    """Whether somebody meant a number: 12.5, 12.5% and 12,5 alike."""
    try:
        float(word.strip().rstrip("%").strip().replace(",", ".", 1))
    except ValueError:
        return False
    return True


#: A number with another behind it: 91.4 ± 2.1, 91.4 +/- 2.1, 91.4 (2.1).
_SPREAD = re.compile(r"\$?[+-]?\d+(?:[.,]\d+)?\s*%?\s*(?:±|\+/?-|\$?\\pm\$?|\()\s*\d*[.,]?\d+\s*%?\s*\)?\$?")


def is_mean_with_spread(word: str) -> bool:
    """Whether a word is a mean and how much it spreads.

    Examples
    --------
    >>> is_mean_with_spread("85.1 ± 0.5"), is_mean_with_spread("85.1 (0.5)"), is_mean_with_spread("v1 (2024)")
    (True, True, False)
    """
    return _SPREAD.fullmatch(word.strip()) is not None


def number_advice(word: str) -> str:
    """What to write instead of a word that is no number.

    Examples
    --------
    >>> number_advice("O.87") == number_advice("0.91*")
    True
    >>> number_advice("0,91")
    'write a decimal point, and no comma between thousands.'
    """
    bare = word.strip()
    if bare.endswith("%"):
        return "write percent without the sign, the same way in all rows: 12.5, or 0.125."
    if is_mean_with_spread(word):
        return (
            "a mean ± its spread is no result of its own: give the value of every fold, one row each, or one number "
            "per cell."
        )
    if "," in bare and as_number(bare.replace(",", "")) is not None:
        return "write a decimal point, and no comma between thousands."
    return "check this cell: write the number alone, such as 0.25, or leave it empty where a result is missing."
