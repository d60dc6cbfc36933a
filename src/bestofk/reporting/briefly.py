"""Very long names made short for headings and answers; the order and the tables have them whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bestofk.reporting.page import Page

#: Letters of a name on the first screen.
LONGEST = 40


def brief(page: Page) -> Page:
    """The page with short names in its title and answers."""
    short = short_names([place.learner for place in page.places])
    answers = tuple(replace(each, sentence=shortened(each.sentence, short)) for each in page.answers)
    return replace(page, title=shortened(page.title, short), answers=answers) if short else page


def short_names(names: Sequence[str], longest: int = LONGEST) -> dict[str, str]:
    """Every name that is too long, longest first, with its beginning and end; names that would be alike stay whole.

    Examples
    --------
    >>> short_names(["svm", "a-pipeline-of-many-steps", "another-pipeline-of-steps"], longest=12)
    {'another-pipeline-of-steps': 'anothe…steps', 'a-pipeline-of-many-steps': 'a-pipe…steps'}
    """
    kept = longest // 2
    cut = {name: f"{name[:kept]}…{name[kept + 1 - longest :]}" for name in names if len(name) > longest}
    shown = [cut.get(name, name) for name in names]
    return {name: cut[name] for name in sorted(cut, key=len, reverse=True) if shown.count(cut[name]) == 1}


def shortened(text: str, short: Mapping[str, str]) -> str:
    """Text with each long name made short."""
    for name, brief_name in short.items():
        text = text.replace(name, brief_name)
    return text
