"""Names: their plain form, unknown ones answered with the nearest known, and those that cannot be printed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from bestofk.core.errors import InputError, UnknownName

#: More names than these are not listed beside a hint.
MOST_SHOWN = 30


def plain(name: str) -> str:
    """Return a name of a column or measure in small letters, with underscores for spaces, hyphens and dots.

    Examples
    --------
    >>> plain("Data Set"), plain("cv-fold"), plain("model.name")
    ('data_set', 'cv_fold', 'model_name')
    """
    return re.sub(r"[\s.\-_]+", "_", name.strip().lower()).strip("_")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like the given one, or None when nothing is near.

    Examples
    --------
    >>> nearest("bonferoni", ["holm", "bonferroni"]), nearest("HOLM", ["holm", "bonferroni"])
    ('bonferroni', 'holm')
    """
    by_folded = {each.casefold(): each for each in reversed(list(known))}
    matches = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def unknown(name: object, known: Iterable[str], *, what: str, where: str) -> UnknownName:
    """Build the error for an unknown name, with a near-name hint where there is one."""
    known = list(known)
    near = nearest(name, known) if isinstance(name, str) else None
    hint = f"did you mean {near!r}? " if near else ""
    if near and len(known) > MOST_SHOWN:
        return UnknownName(f"unknown {what} {name!r}.", where, f"{hint.rstrip()} There are {len(known)} of them.")
    return UnknownName(f"unknown {what} {name!r}.", where, f"{hint}known: {', '.join(known)}.")


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


def refuse_unprintable(names: Iterable[object], *, what: str, where: str, empty: bool = False) -> None:
    """Refuse names that cannot be printed in one line: empty ones, line breaks, tabs, other control characters."""
    for name in names:
        if not isinstance(name, str) or not (empty or name.strip()) or not name.translate(_JOINERS).isprintable():
            raise InputError(
                f"a {what} is called {name!a}.", where, "name it in printable text, without line breaks or tabs."
            )
