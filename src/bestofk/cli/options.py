"""Options that the verbs share, and what they mean."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

_FILES = click.argument("files", nargs=-1, required=True, type=click.Path())

#: Where data sets are looked for by name.
DATA = click.option("--data", "folder", type=click.Path(), help="A folder of data sets, instead of BESTOFK_DATA.")

_READING = (
    click.option("--measure", help="Which measure to judge by, when the file has several."),
    click.option(
        "--larger-is-better", "larger", is_flag=True, help="Direction of a measure that bestofk does not know."
    ),
    click.option("--smaller-is-better", "smaller", is_flag=True, help="The other direction."),
    click.option("--learners", help="Keep these learners only: a,b,c."),
    click.option("--replications", type=int, help="Folds in a row are so many replications."),
    click.option("--test-fraction", type=float, help="Rows are random splits with this share of test data."),
    click.option(
        "--align", help="Curves whose steps differ: common (steps that all have), interpolate or relative (shares)."
    ),
    click.option("--plan", help="Which plan of a store, by the beginning of its fingerprint."),
    click.option("--dataset", help="Judge this data set only, when there are several."),
    click.option("--rows", help="What rows are that no column names: datasets, folds or items."),
)
_TESTING = (
    click.option(
        "--test",
        default="auto",
        show_default=True,
        help="A test of pairs: bestofk list pairwise; nemenyi over data sets; randomized-t for curves; "
        "hotelling with --on.",
    ),
    click.option("--adjust", default="bonferroni", show_default=True, help="An adjustment: bestofk list adjust."),
    click.option("--control", help="Compare every learner with this one only, and adjust for these pairs."),
    click.option("--paired", is_flag=True, help="Curves of one run (fold, seed) belong together."),
    click.option(
        "--groups", default="sampled", show_default=True, help="Items in groups: sampled (groups are tested) or fixed."
    ),
    click.option("--alpha", default=0.05, show_default=True, help="Family-wise level."),
    click.option(
        "--missing", default="refuse", show_default=True, help="drop-datasets, drop-items, drop-learners, keep."
    ),
    click.option("--force", is_flag=True, help="Use a test that the design does not allow; the answer says so."),
    click.option("--seed", default=0, show_default=True, help="For tests that shuffle."),
    click.option("--json", "as_json", is_flag=True, help="Print the answer, or the error, as JSON."),
)
_ORDERING = (
    click.option(
        "--prior", help='Learners, most preferred first: a,b,"c, with comma"; or a cost: fit-time, price, any column.'
    ),
    click.option(
        "--sides", default="two", show_default=True, help="two, or one: ask only whether the preferred one is worse."
    ),
    click.option("--method", default="multitest", show_default=True, help="A way of ordering: bestofk list ordering."),
)
#: What judge and report can find over data sets.
_FINDINGS = (
    click.option("--rope", type=float, help="The largest difference that does not matter: Bayesian tests, advice."),
    click.option("--features", type=click.Path(), help="CSV of data-set features: where does the first win?"),
)
#: Options of judge and report for several measures at once.
_SEVERAL = (
    click.option(
        "--on",
        multiple=True,
        callback=lambda context, option, names: ",".join(names) if names else None,
        help='Several measures at once: tpr,fpr; precision,recall; confusion; recalls; "accuracy,fit-seconds"; of '
        "probabilities roc, or tpr@0.3,fpr@0.3.",
    ),
    click.option("--positive", help="With --on: the class that is positive, against the rest; or each."),
    click.option("--undefined", type=float, help="With --on: what a measure 0/0 counts as in a fold."),
    click.option("--task", help="With --on: what the learners are for, retrieval or detection."),
)


def shared(*, ordering: bool, several: bool = False) -> Callable[[Command], Command]:
    """Add the argument and the options of a verb."""

    def add(command: Command) -> Command:
        for option in reversed(
            (
                _FILES,
                *_READING,
                *(_ORDERING if ordering else ()),
                *((*_FINDINGS, *_SEVERAL) if several else ()),
                *_TESTING,
            )
        ):
            command = option(command)
        return command

    return add


def names_of(text: str | None) -> list[str] | None:
    """Split a,b,c; quotes keep a comma inside a name."""
    return None if text is None else [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
