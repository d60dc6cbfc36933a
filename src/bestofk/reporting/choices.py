"""What the reader's own preference would choose: the tests stay, the set of the best stays, the choice follows."""

from __future__ import annotations

from bestofk.advice import Advice
from bestofk.core.frozen import frozen
from bestofk.judging import Verdict, preferring
from bestofk.reporting.first_screen import LearnersTable, first_table
from bestofk.reporting.words import below_title, best_set_label, sureness, title

#: So many rows of tables, of all choices together, are worth their weight in a page.
MOST_ROWS = 1000


@frozen
class View:
    """The first screen under one preference."""

    title: str
    sentence: str
    table: LearnersTable
    advice: tuple[Advice, ...]


@frozen
class Choices:
    """Those that some preference would choose, in the order of preference or of the verdict, each with its view.

    ``label`` says who they are, ``sure`` how sure that is; ``preferred`` whether the verdict has a preference already.
    """

    label: str
    names: tuple[str, ...]
    sure: str
    preferred: bool
    views: tuple[View, ...]


def view_of(verdict: Verdict) -> View:
    """The first screen of a verdict."""
    table = first_table(verdict, most=len(verdict.order))
    return View(title(verdict), below_title(verdict), table, verdict.advice)


def choices_of(verdict: Verdict) -> Choices | None:
    """Every choice that some preference would make; None where no preference can change it.

    Whoever is first among the set of the best, or among those within the margin, is chosen, whatever the order of the
    others.
    """
    names, size = verdict.best_set, len(verdict.order)
    if verdict.status == "within" and verdict.within is not None:
        names = verdict.within.learners
    fixed = verdict.status not in ("within", "preferred", "tied") or verdict.comparison.sides == "one"
    fixed = fixed or verdict.control is not None  # of two others nothing is known that a preference could rest on
    if fixed or verdict.ordering.method != "multitest" or not 1 < len(names) <= MOST_ROWS / size:
        return None
    if verdict.prior is not None:
        names = tuple(sorted(names, key=verdict.prior.index))
    views = (preferring(verdict, (name, *(each for each in verdict.order if each != name))) for name in names)
    sure, preferred = sureness(verdict), verdict.prior is not None
    return Choices(best_set_label(verdict), names, sure, preferred, tuple(map(view_of, views)))
