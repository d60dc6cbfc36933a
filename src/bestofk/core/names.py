"""Names: their plain form, unknown ones answered with the nearest known, and those that cannot be printed."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from bestofk.core.errors import InputError, UnknownName

#: More names than these are not listed beside a hint.
MOST_SHOWN = 30
#: Of more names so many are told.
_NEAREST = 5


def plain(name: str) -> str:
    """Return a name of a column or measure in small letters, with underscores for spaces, hyphens and dots.

    Examples
    --------
    >>> plain("Data Set"), plain("cv-fold"), plain("model.name")
    ('data_set', 'cv_fold', 'model_name')
    """
    return re.sub(r"[\s.\-_]+", "_", name.strip().lower()).strip("_")


def names_in(text: str) -> list[str]:
    """Names between commas; quotes around one that has a comma itself.

    Examples
    --------
    >>> names_in('tpr, "cost, in euro:smaller"')
    ['tpr', 'cost, in euro:smaller']
    """
    line = " ".join(text.splitlines())
    return [name.strip() for name in next(csv.reader([line], skipinitialspace=True), [])]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like the given one, or one that ends with it; None when nothing is near.

    Examples
    --------
    >>> nearest("bonferoni", ["holm", "bonferroni"]), nearest("HOLM", ["holm", "bonferroni"])
    ('bonferroni', 'holm')
    >>> nearest("seed", ["run_id", "params.seed"])
    'params.seed'
    """
    by_folded = {each.casefold(): each for each in reversed(list(known))}
    ends = [each for folded, each in by_folded.items() if name and folded.endswith(f".{name.casefold()}")]
    if ends and name.casefold() not in by_folded:
        return ends[-1]
    matches = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def unknown(name: object, known: Iterable[str], *, what: str, where: str, see: str = "") -> UnknownName:
    """Build the error for an unknown name, with a near-name hint where there is one.

    Of many names the nearest are told, and ``see``, where they all are.
    """
    known = list(known)
    near = nearest(name, known) if isinstance(name, str) else None
    hint = f"did you mean {near!r}? " if near else ""
    if len(known) > MOST_SHOWN:
        folded = {each.casefold(): each for each in reversed(known)}
        close = get_close_matches(str(name).casefold(), folded, n=_NEAREST, cutoff=0.0)
        told = hint or f"the nearest are {', '.join(folded[each] for each in close)}. "
        return UnknownName(
            f"unknown {what} {name!r}.", where, f"{told}There are {len(known)}{f': {see}' if see else ''}."
        )
    return UnknownName(f"unknown {what} {name!r}.", where, f"{hint}known: {', '.join(known)}.")


def told_apart(settings: Sequence[Mapping[str, str]]) -> list[str]:
    """Say of every setting the parameters in which they differ; of nested ones the last name, where that will do.

    Examples
    --------
    >>> told_apart([{"svc__C": "1", "svc__kernel": "rbf"}, {"svc__C": "10", "svc__kernel": "rbf"}])
    ['C=1', 'C=10']
    """
    every = dict.fromkeys(key for each in settings for key in each)
    shown = [key for key in every if len({each.get(key) for each in settings}) > 1]
    ends = [key.rsplit("__", 1)[-1] for key in shown]
    called = {key: end if ends.count(end) == 1 else key for key, end in zip(shown, ends, strict=True)}
    return [" ".join(f"{called[key]}={each[key]}" for key in shown if key in each) for each in settings]


def spellings(words: Iterable[str]) -> list[tuple[str, ...]]:
    """Words that differ in nothing but capitals and blanks, those of one meaning together.

    Examples
    --------
    >>> spellings(["knn", "KNN", "lda", "k nn"])
    [('knn', 'KNN')]
    """
    found: dict[str, list[str]] = {}
    for word in dict.fromkeys(words):
        found.setdefault(" ".join(word.split()).casefold(), []).append(word)
    return [tuple(each) for each in found.values() if len(each) > 1]


#: They join or part letters of one word, and print nothing themselves.
_JOINERS = str.maketrans("", "", "\u200c\u200d")


def unprintable(name: str) -> str:
    """Return the first character of a name that cannot be printed in one line, by its number; empty without one.

    Examples
    --------
    >>> unprintable("a\\tb"), unprintable("می\u200cخواهم")
    ('U+0009', '')
    """
    return next((f"U+{ord(sign):04X}" for sign in name.translate(_JOINERS) if not sign.isprintable()), "")


def refuse_unprintable(names: Iterable[object], *, what: str, where: str, empty: bool = False) -> None:
    """Refuse names that cannot be printed in one line: empty ones, line breaks, tabs, other control characters."""
    for name in names:
        sign = unprintable(name) if isinstance(name, str) else ""
        if not isinstance(name, str) or not (empty or name.strip()) or sign:
            has = f", and {sign} in it cannot be printed" if sign else ""
            raise InputError(
                f"a {what} is called {name!a}{has}.", where, "name it in printable text, without line breaks or tabs."
            )
