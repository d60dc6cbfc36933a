"""``bestofk calibrate``: size and power of the tests, by simulation."""

from __future__ import annotations

from typing import Any

import click

from bestofk.cli.options import (
    AS_JSON,
    Verbs,
    direction_of,
    larger_is_better,
    names_of,
    numbers_of,
    smaller_is_better,
    source_of,
)
from bestofk.cli.printing import Waiting, show_json, show_table
from bestofk.core.names import unknown


@click.group(cls=Verbs)
def calibrate() -> None:
    """Measure how often a test asserts an effect, where there is none and where there is one."""


@calibrate.command("curves")
@click.argument("files", nargs=-1, type=click.Path())
@click.option(
    "--pool",
    default="saturating",
    show_default=True,
    help="Without FILES: saturating, td0, or C4.5 on krkopt, tictactoe; several: krkopt,tictactoe,td0.",
)
@click.option("--into", type=click.Path(), help="Keep the curves of C4.5 in this store: they are run only once.")
@click.option("--measure", help="Which measure, when the file has several.")
@larger_is_better("Direction of a measure that bestofk does not know.")
@smaller_is_better()
@click.option("--learners", help="Take the curves of these learners only, the first being the one modified: a,b.")
@click.option(
    "--align", help="Curves whose steps differ: common (steps that all have), interpolate or relative (shares)."
)
@click.option("--questions", default="type-i,modified,power", show_default=True, help="Which experiments.")
@click.option("--kinds", default="a,b,c,d", show_default=True, help="Modifications of the curves.")
@click.option("--factors", default="0,1,2,3,4,5,6,7,8,9,10", show_default=True, help="How strong they are.")
@click.option("--effort", default=1.0, show_default=True, help="Share of the paper's runs; 0.02 for a look.")
@click.option("--alpha", default=0.05, show_default=True, help="Level of the tests.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same answer.")
@click.option("--workers", default=1, show_default=True, help="Processes; the answer does not depend on them.")
@AS_JSON
def curves(files: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Type I error and power of the ANOVA of curves, conventional and randomized.

    The experiments are those of Piater et al. (1998, Fig. 3 to 6). The pool is that of the curves in FILES, one per
    learner, or made curves. Curves of one algorithm are divided at random (type-i), thrown together with modified
    copies and divided (modified), or compared with them (power). Curves of C4.5 are collected by 20-fold
    cross-validation at 20 training sizes first: seconds on tictactoe, about a minute on krkopt.
    """
    from bestofk.core.options import count_of
    from bestofk.replications.curves.study import calibrate_curves

    count_of(options["seed"], name="--seed", where="bestofk calibrate curves", at_least=0)
    pools = _pools(files, options)
    with Waiting("begun") as waiting:
        rows = calibrate_curves(
            pools,
            questions=names_of(options["questions"]) or (),
            kinds=names_of(options["kinds"]) or (),
            factors=numbers_of(options["factors"], "--factors"),
            **{name: options[name] for name in ("effort", "alpha", "seed", "workers")},
            progress=lambda done, total: waiting.at(done, total, "runs"),
        )
    if as_json:
        show_json({"rows": [row.to_dict() for row in rows]})
    else:
        show_table(_table(rows))


def _pools(files: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    from bestofk.replications.curves.pools import made_pool, pools_of

    if not files:
        how = {"into": options["into"], "workers": options["workers"]}
        return {name: made_pool(name, options["seed"], **how) for name in names_of(options["pool"]) or ()}
    from bestofk import verbs

    evidence = verbs.read(
        source_of(files),
        measure=options["measure"],
        larger_is_better=direction_of(options["larger"], options["smaller"]),
        align=options["align"],
    )
    pools = pools_of(evidence)
    return {name: _known(pools, name) for name in names_of(options["learners"]) or pools}


def _known(pools: dict[str, Any], name: str) -> Any:
    if name not in pools:
        raise unknown(name, pools, what="learner", where="bestofk calibrate curves, option --learners")
    return pools[name]


def _table(rows: Any) -> Any:
    from bestofk.replications.curves.study import COUNTED
    from bestofk.reporting.tables import PlainTable

    columns = ("pool", "question", "modification", "factor", *(name.replace("_", " ") for name in COUNTED))
    lines = tuple(
        (
            row.pool,
            row.question,
            row.kind,
            f"{row.factor:g}" if row.kind else "",
            *(f"{getattr(row, name):.4f}" for name in COUNTED),
        )
        for row in rows
    )
    return PlainTable(columns, lines, numeric=frozenset(columns[3:]))
