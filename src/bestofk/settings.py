"""Every option of the verbs, declared once: keywords, types, defaults and help come from here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, TypedDict, get_type_hints

from bestofk.core.errors import InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown


@frozen
class Option:
    """What an option is when nobody says it, what it does, and the values it may have where they are few.

    ``about`` is what evidence must have for it to say anything (one of ``HELD``); "" where it is about any. ``metavar``
    is how help calls the value.
    """

    default: Any
    help: str
    choices: tuple[str, ...] = ()
    about: str = ""
    metavar: str = ""


#: What evidence may have that options are about. The first two are of its source, the others of itself.
STORE, FILES, FOLDS, DATASETS, MEASURES = HELD = (
    "a store",
    "curves of files or frames",
    "folds",
    "several data sets",
    "several measures (on)",
)


class Reading(TypedDict, total=False):
    """How results are read."""

    measure: Annotated[str | None, Option(None, "Which measure to judge by, when there are several.")]
    larger_is_better: Annotated[bool | None, Option(None, "Direction of a measure that bestofk does not know.")]
    learners: Annotated[Sequence[str] | None, Option(None, "Keep these learners only; names for a list of results.")]
    learner: Annotated[
        str | None, Option(None, "The column that names the learner, where its name does not tell.", metavar="COLUMN")
    ]
    item: Annotated[
        str | None, Option(None, "The column that names the item: question, document, test instance.", metavar="COLUMN")
    ]
    group: Annotated[str | None, Option(None, "The column that says which items belong together.", metavar="COLUMN")]
    dataset_column: Annotated[
        str | None, Option(None, "The column that names the data set, or the task of runs.", metavar="COLUMN")
    ]
    replication: Annotated[
        str | None, Option(None, "The column that names the replication, seed or repeat.", metavar="COLUMN")
    ]
    filter: Annotated[
        Sequence[str] | None,
        Option(
            None,
            "Keep rows with this value only, or the filter of a harness; several may be said.",
            metavar="COLUMN=VALUE",
        ),
    ]
    transpose: Annotated[
        bool | None, Option(None, "Learners are in rows and data sets in columns, as papers print tables.")
    ]
    costs: Annotated[
        Any,
        Option(
            None,
            "Columns that are costs, not measures; one that --prior names is such. Or a file with a row for every "
            "learner: model,price.",
        ),
    ]
    rows: Annotated[
        str | None,
        Option(
            None,
            "What rows are that no column names; or columns, beside learners in rows.",
            ("datasets", "folds", "items", "runs"),
        ),
    ]
    replications: Annotated[int | None, Option(None, "Folds in a row are so many replications.", about=FOLDS)]
    test_fraction: Annotated[
        float | None, Option(None, "Rows are random splits with this share of test data.", about=FOLDS)
    ]
    align: Annotated[
        str | None,
        Option(
            None,
            "Curves whose steps differ: keep those that all have, take values on lines between points, or count steps "
            "as shares of the last one.",
            ("common", "interpolate", "relative"),
            FILES,
        ),
    ]
    plan: Annotated[
        str | None, Option(None, "Which plan of a store, by the beginning of its fingerprint.", about=STORE)
    ]
    dataset: Annotated[str | None, Option(None, "Keep this data set only.")]
    tasks: Annotated[
        str | None,
        Option(
            None,
            "Items in tasks: groups; or datasets, each task with the mean of its items. Without it, six tasks of a "
            "log or more are groups, and of fewer the claim is about these.",
            ("groups", "datasets"),
        ),
    ]
    on: Annotated[
        Any,
        Option(
            None,
            'Several measures at once: tpr,fpr; precision,recall; confusion; recalls; "accuracy,fit-seconds"; of '
            "probabilities roc, or tpr@0.3,fpr@0.3.",
        ),
    ]
    positive: Annotated[
        str | None, Option(None, "With --on: the class that is positive, against the rest; or each.", about=MEASURES)
    ]
    undefined: Annotated[
        float | None, Option(None, "With --on: what a measure 0/0 counts as in a fold.", about=MEASURES)
    ]


class PairTesting(TypedDict, total=False):
    """How a pair is tested."""

    test: Annotated[
        str,
        Option(
            "auto",
            "A test of pairs: bestofk list pairwise; nemenyi over data sets; randomized-t for curves; hotelling with "
            "--on.",
        ),
    ]
    paired: Annotated[bool, Option(False, "Runs of one name (seed, fold) belong together.")]
    curve: Annotated[
        str | None,
        Option(
            None,
            "What of a curve is compared: its last value, its best, its mean, the area under it; or whole curves, by "
            "their mean, with the stretches in which they differ.",
            ("final", "best", "mean", "area", "whole"),
        ),
    ]
    groups: Annotated[
        str | None,
        Option(
            None,
            "Items in groups: sampled, by default, tests groups; fixed tests items and claims it of these groups only.",
            ("sampled", "fixed"),
        ),
    ]
    alpha: Annotated[float, Option(0.05, "Family-wise level.")]
    force: Annotated[bool, Option(False, "Use a test that the sample does not allow; the answer says so.")]
    seed: Annotated[int, Option(0, "For tests that shuffle.")]


class Comparing(PairTesting, total=False):
    """How all pairs are compared."""

    missing: Annotated[
        str,
        Option(
            "refuse",
            "What to do when results are missing; worst and baseline:NAME fill them in, and the verdict says whether "
            "it hangs on that.",
            ("refuse", "drop-datasets", "drop-items", "drop-learners", "drop-runs", "keep", "worst", "baseline:NAME"),
        ),
    ]
    adjust: Annotated[str | None, Option(None, "An adjustment for all pairs, holm by default: bestofk list adjust.")]
    intervals: Annotated[
        str,
        Option(
            "family",
            "Intervals of differences: family, at the level that decided each pair; single, each at 1 - alpha.",
            ("family", "single"),
        ),
    ]
    control: Annotated[str | None, Option(None, "Compare every learner with this one only.")]
    rope: Annotated[
        float | None, Option(None, "The largest difference that does not matter: equivalence, Bayesian tests, advice.")
    ]


class Ordering(Comparing, total=False):
    """How learners are ordered."""

    prior: Annotated[
        str | Sequence[str] | Mapping[str, float] | None,
        Option(None, 'Learners, most preferred first: a,b,"c, with comma"; or a cost: fit-time, price, any column.'),
    ]
    method: Annotated[str, Option("multitest", "A way of ordering: bestofk list ordering.")]
    sides: Annotated[
        str,
        Option("two", "two; or one: ask only whether the preferred one is worse (MultiTest's paper).", ("two", "one")),
    ]


class Judging(Ordering, total=False):
    """What a verdict looks at beyond the order."""

    within: Annotated[
        str | float | None,
        Option(
            None,
            "Take the most preferred learner that is shown to lose at most this to the best: 0.02, or 2% of amounts in "
            "other units on every data set.",
        ),
    ]
    features: Annotated[
        Any, Option(None, "Features of the data sets, a CSV file: where does the first win?", about=DATASETS)
    ]
    task: Annotated[str | None, Option(None, "With --on: what the learners are for.", ("retrieval", "detection"))]


class ComparingAnything(Comparing, Reading, total=False):
    """Settings of compare and rank, and how the results are read."""


class OrderingAnything(Ordering, Reading, total=False):
    """Settings of order, and how the results are read."""


class JudgingAnything(Judging, Reading, total=False):
    """Settings of judge, and how the results are read."""


class Gating(PairTesting, total=False):
    """When a new model may take the place of an old one."""

    missing: Annotated[
        str,
        Option(
            "refuse",
            "What to do when a model lacks results: worst counts those of the new model so, and at most a tenth are "
            "left out. Those of the other model never stand for them.",
            ("refuse", "drop-datasets", "drop-items", "drop-runs", "keep", "worst"),
        ),
    ]
    margin: Annotated[
        str | float | Mapping[str, str | float] | None,
        Option(
            None,
            "How much may be lost: 0.01, 2% of amounts in other units on every data set, or by measure: "
            "accuracy=0.01,f1=0.02.",
        ),
    ]
    results: Annotated[Any, Option(None, "A table of several learners, in which NEW and OLD are two names.")]
    by_group: Annotated[bool, Option(False, "Ask of all items and of every group of them, or of every data set.")]
    fail_on: Annotated[
        str,
        Option(
            "undecided",
            "What fails: undecided, and worse, end with 3 and 1; worse fails alone, and undecided ends with 0.",
            ("undecided", "worse"),
        ),
    ]
    aa: Annotated[bool, Option(False, "Say how often two equal models would pass, be undecided, or be called worse.")]


#: Options of reading that a gate has not: it has two models, and measures are named by ``measure``.
NOT_OF_GATES = ("on", "positive", "undefined", "learners", "costs")


class GatingAnything(Gating, Reading, total=False):
    """Settings of gate, and how the results are read."""


@cache
def options_of(kind: Any) -> Mapping[str, tuple[Any, Option]]:
    """Type and option of every keyword of one of the classes above, in order."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: (hint.__origin__, hint.__metadata__[0]) for name, hint in hints.items()}


def settled(kind: Any, given: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """All keywords of a kind, defaults filled in; an unknown one, or a value that is none of a few, is refused."""
    known = options_of(kind)
    for name, value in given.items():
        if name not in known:
            raise unknown(name, {**known, **options_of(Reading)}, what="argument", where=where)
        choices = known[name][1].choices
        if choices and value is not None and not _is_among(value, choices):
            raise unknown(value, choices, what=name, where=f"{where}, argument {name}")
    return {name: given.get(name, option.default) for name, (_, option) in known.items()}


def _is_among(value: Any, choices: tuple[str, ...]) -> bool:
    """Whether a value is one of these; ``baseline:NAME`` stands for any name."""
    kind, named, name = str(value).partition(":")
    return value in choices or (isinstance(value, str) and bool(named and name) and f"{kind}:NAME" in choices)


def refuse_unused(kind: Any, given: Mapping[str, Any], held: Collection[str], where: object) -> None:
    """Refuse options about what is not among the things ``held``: they would have no effect, and nobody would know."""
    for name, (_, option) in options_of(kind).items():
        value = given.get(name)
        if value is not None and option.about and option.about not in held:
            raise InputError(
                f"{name} is {glimpse(value)}, and has no effect here: it is about {option.about}.",
                f"argument {name}, {where}",
                "leave it out.",
            )


def changed(kind: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """What differs from the defaults: enough to make the same answer again."""
    known = options_of(kind)
    return {name: value for name, value in given.items() if name in known and value != known[name][1].default}
