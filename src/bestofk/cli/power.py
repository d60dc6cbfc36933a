"""``bestofk power``: how many results a test needs, or what it can see."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from bestofk.cli.options import Verb, evidence_from, numbers_of, shared
from bestofk.cli.printing import Waiting, show_json, show_table, show_words, wrapped
from bestofk.core.errors import InputError
from bestofk.settings import Comparing, Reading, changed

#: Options that are about numbers alone; and those of pilot results in FILES that numbers have as well, or nobody has.
OF_NUMBERS = {
    "effect": "effect",
    "sizes": "n",
    "folds": "folds",
    "disagreement": "disagreement",
    "measures": "measures",
}
OF_BOTH = ("test", "learners", "alpha", "seed", "test_fraction")
OF_NEITHER = ("adjust", "intervals", "force", "rope")
POWER = 0.8


@click.command(cls=Verb)
@click.option(
    "--test", default="auto", help="paired-t unless said, wilcoxon, corrected-t, …; with FILES the one that judge uses."
)
@click.option("--effect", help="Effects in units of spread: 0.5, or 0.2,0.5,0.8. Without it: what n results can see.")
@click.option("--n", "sizes", help="How many results: 10, or 10,20,50. Without it: how many are needed.")
@click.option("--power", default=POWER, show_default=True, help="Chance to see the effect.")
@click.option("--pairs", type=int, help="So many pairs share alpha (Bonferroni): 1, with FILES all that there are.")
@click.option("--one-sided", is_flag=True, help="Ask for one direction only.")
@click.option("--folds", type=int, help="corrected-t: folds per replication.")
@click.option("--disagreement", type=float, help="mcnemar: share of items that exactly one of the two gets wrong.")
@click.option("--learners", help="anova, friedman, nemenyi: how many; with FILES those to plan for: a,b.")
@click.option("--measures", type=int, help="hotelling: how many.")
@shared(Comparing, required=False, without=("test", "learners", *OF_NEITHER))
def power(files: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Say how many data sets, folds, curves or replications a test needs, from numbers or from pilot results in FILES.

    With --effect: how many results are needed, or with --n as well the power. With --n alone: the effect that is seen.
    With FILES of results (data sets, folds, items, runs, curves), read and compared as judge does: how many are needed
    to see differences like theirs, pair by pair, all pairs sharing alpha.
    """
    _refuse_unused(asked, files)
    with Waiting("planning") as waiting:
        answers = _from_files(files, asked, waiting) if files else [_from_numbers(asked)]
    if as_json:
        show_json({"answers": [answer.to_dict() for answer in answers]})
    else:
        _show(answers)


def _refuse_unused(asked: dict[str, Any], files: tuple[str, ...]) -> None:
    """Refuse options that would have no effect."""
    about = "numbers, and FILES are given" if files else "FILES, and none are given"
    unused = [flag for name, flag in OF_NUMBERS.items() if asked[name] is not None] if files else _of_files(asked)
    if asked["effect"] is not None and asked["sizes"] is not None and asked["power"] != POWER:
        about, unused = "what is looked for, and with --effect and --n that is the power itself", ["power"]
    if unused:
        options = " and ".join(f"--{flag}" for flag in unused)
        raise InputError(
            f"{options} {'has' if len(unused) == 1 else 'have'} no effect here: about {about}.",
            "bestofk power, options",
            "give numbers, or pilot results with their own options.",
        )


def _of_files(asked: dict[str, Any]) -> list[str]:
    """Options that are given and about results alone."""
    given = {**changed(Reading, asked), **changed(Comparing, asked)}
    flags = [f"{side}-is-better" for side in ("larger", "smaller") if asked[side]]
    return flags + [name.replace("_", "-") for name in given if name not in OF_BOTH]


def _from_numbers(asked: dict[str, Any]) -> Any:
    from bestofk.stats import power as planning

    asked = {**asked, "test": "paired-t" if asked["test"] == "auto" else asked["test"]}
    test, options = asked["test"], _options(asked)
    effect, sizes = _given(asked["effect"], "--effect"), _given(asked["sizes"], "--n")
    if effect is not None and sizes is not None:
        return planning.power(test, _column(effect, sizes), sizes, **options)
    if effect is not None:
        return planning.sample_size(test, effect, power=asked["power"], **options)
    if sizes is not None or test == "5x2cv-t":
        return planning.detectable(test, sizes, power=asked["power"], **options)
    raise InputError(
        "neither an effect nor a number of results is given.",
        "bestofk power, options",
        "give --effect to know how many are needed, --n to know what is seen, or files of pilot results.",
    )


def _column(effect: Any, sizes: Any) -> Any:
    """All combinations of several effects and several sizes."""
    import numpy as np

    return np.asarray(effect)[:, None] if np.ndim(effect) and np.ndim(sizes) else effect


def _given(text: str | None, option: str) -> Any:
    """One number, or several; None where none is given."""
    values = None if text is None else numbers_of(text, option)
    return values[0] if values is not None and len(values) == 1 else values


def _options(asked: dict[str, Any]) -> dict[str, Any]:
    """What the test is asked with; only what was given."""
    from bestofk.core.options import count_of
    from bestofk.stats.power.sample_size import power_method

    pairs = 1 if asked["pairs"] is None else count_of(asked["pairs"], name="--pairs", where="bestofk power")
    options: dict[str, Any] = {"alpha": asked["alpha"] / min(pairs, 10**300)}
    if asked["one_sided"]:
        options["alternative"] = "greater"
    options |= {
        name: asked[name] for name in ("folds", "test_fraction", "disagreement", "measures") if asked[name] is not None
    }
    if asked["learners"] is not None:
        if re.fullmatch("[0-9]{1,9}", asked["learners"]) is None:
            raise InputError(
                f"--learners is {asked['learners']!r}.", "bestofk power, --learners", "give how many there are."
            )
        options["learners"] = int(asked["learners"])
    if power_method(asked["test"]).simulated:
        options["rng"] = asked["seed"]
    return options


def _from_files(files: tuple[str, ...], asked: dict[str, Any], waiting: Waiting) -> list[Any]:
    from bestofk.judging.power import plans_from

    options = {name: value for name, value in asked.items() if name not in OF_NUMBERS}
    evidence = evidence_from(files, options)
    return list(plans_from(evidence, progress=waiting.at, **options))


#: What a narrow terminal leaves out of pairs, the first one first; the unit is said above the table.
_LESSER = ("by", "test", "unit", "cautious effect", "effect")


def _show(answers: list[Any]) -> None:
    from bestofk.reporting.tables import PlainTable

    rows = [row for answer in answers for row in _rows(answer)]
    columns = tuple(rows[0])
    cells = tuple(tuple(str(row[column]) for column in columns) for row in rows)
    numeric = frozenset(columns) - {"first", "second", "unit", "test", "by"}
    words, first = [repr(answers[0])], answers[0]
    if len(answers) > 1:  # each pair's own words would say all of it again
        asked = f"how many {first.plan.needed.unit} would show a difference like that of the pilot"
        words = [f"{len(answers)} pairs, each at alpha {first.alpha:.3g}: {asked}.", ""]
    shown = [wrapped(line, sys.stdout) for line in (*_left_out(answers), *words)]
    show_words(shown, beside_table=len(rows) > 1)
    if len(rows) > 1:
        show_table(PlainTable(columns, cells, numeric, lesser=_LESSER if "first" in columns else ()))


def _left_out(answers: list[Any]) -> list[str]:
    """Which of many pairs are planned for."""
    compared = getattr(answers[0], "compared", 0)
    if compared <= len(answers):
        return []
    (first,) = set.intersection(*({each.first, each.second} for each in answers))
    rest = f"of {compared:,} pairs those of {first} with its {len(answers)} closest rivals"
    return [f"Planned for: {rest}; --learners a,b plans for others.", ""]


def _rows(answer: Any) -> list[dict[str, str]]:
    """One row per effect and size, or per pair."""
    import numpy as np

    if hasattr(answer, "rows"):
        return list(answer.rows())
    text_of = getattr(answer, "text_of", lambda size, _: f"{size:g}")
    effect, n = np.broadcast_arrays(np.asarray(answer.effect), np.asarray(answer.n))
    power = np.broadcast_to(np.asarray(getattr(answer, "power", getattr(answer, "wanted", np.nan))), effect.shape)
    return [
        {"effect": f"{e:.4g}", "n": text_of(size, e), "power": f"{p:.4g}", "unit": answer.unit, "by": answer.way}
        for e, size, p in zip(effect.flat, n.flat, power.flat, strict=True)
    ]
