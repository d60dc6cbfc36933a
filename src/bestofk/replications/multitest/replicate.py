"""``bestofk replicate multitest``: Tables 1 to 3, Figures 3 and 4 of Yıldız and Alpaydın 2006, ours beside theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.replications.multitest.choices import choices_of
from bestofk.replications.multitest.experiment import FoldErrors
from bestofk.replications.multitest.graphs import PUBLISHED, figure_section
from bestofk.replications.multitest.nearness import nearness
from bestofk.replications.multitest.published import RUNS, dataset_names
from bestofk.replications.multitest.running import errors_of_sets
from bestofk.replications.multitest.sets import paper_sets
from bestofk.replications.multitest.table1 import Table1, cells_of
from bestofk.replications.multitest.table1_block import table1_blocks
from bestofk.replications.multitest.table2 import COLUMNS, Choices, same_most_selected, table2_block
from bestofk.replications.multitest.table3 import table3_block
from bestofk.replications.multitest.today import errors_today
from bestofk.replications.multitest.today_section import today_section
from bestofk.replications.replication import Progress, Replication, today, versions_used
from bestofk.reporting.blocks import Section

TITLE = "MultiTest: ours beside the published tables"
REFERENCE = (
    "Yıldız, O. T. and Alpaydın, E. Ordering and finding the best of K > 2 supervised learning algorithms. "
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 28(3), 392–402, 2006."
)


def replicate(
    *,
    runs: int | None = None,
    datasets: Sequence[str] = (),
    data: str | None = None,
    into: str | Path | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Progress = lambda done, total, what: None,
) -> Replication:
    """Run the paper's experiment; see ``bestofk.replications.replication.Replicate``."""
    runs = RUNS if runs is None else runs
    if runs < 1:
        raise InputError(f"runs is {runs}.", "replicate multitest, --runs", "ask for at least one run.")
    found = paper_sets(data, datasets)
    if not found.sets:
        raise InputError("none of the data sets can be had.", "replicate multitest, --datasets", found.left_out[0])
    made = errors_of_sets(found.sets, runs, seed, into=into, workers=workers, progress=progress)
    in_order = {name: made[name] for name in dataset_names() if name in made}
    progress(0, 1, "today's learners")
    of_today = errors_today({name: found.sets[name] for name in in_order}, runs, seed, into=into, workers=workers)
    return replication_of(in_order, of_today, runs, seed, found.left_out)


def replication_of(
    made: Mapping[str, FoldErrors], of_today: Mapping[str, Array], runs: int, seed: int, left_out: Sequence[str]
) -> Replication:
    """Tables, figures and agreement of errors that are there, and what today's learners and tests say."""
    table1 = Table1(tuple(cell for name, errors in made.items() for cell in cells_of(name, errors)), runs, seed)
    choices = {name: choices_of(name, errors.errors, seed) for name, errors in made.items()}
    tables = (
        Section("means", "Table 1: errors", table1_blocks(table1)),
        Section("choices", "Table 2: most selected learners", (table2_block(choices),)),
        *(
            (Section("totals", "Table 3: totals", (table3_block(choices),)),)
            if len(made) == len(dataset_names())
            else ()
        ),
    )
    figures = tuple(figure_section(number, made[name]) for number, (name, *_) in PUBLISHED.items() if name in made)
    return Replication(
        paper="multitest",
        title=TITLE,
        reference=REFERENCE,
        headline=_headline(choices, table1),
        agreement=nearness(table1, choices),
        sections=(*tables, *figures, today_section(made, of_today, seed)),
        left_out=(*left_out, *_shortened(runs)),
        runs=runs,
        seed=seed,
        made=today(),
        versions=versions_used(*(("numba",) if compiled_wanted() else ())),
    )


def _headline(choices: Choices, table1: Table1) -> str:
    same = [f"{method} on {len(same_most_selected(choices, method))}" for method in COLUMNS]
    away = sum(abs(cell.deviation) for cell in table1.cells) / len(table1.cells)
    return (
        f"The learner selected most often is the published one for {', '.join(same)} of "
        f"{counted(len(choices), 'data set')}; mean errors differ by {away:.2f} points on average."
    )


def _shortened(runs: int) -> tuple[str, ...]:
    return (f"{RUNS - runs:,} of the paper's {RUNS:,} runs on each data set.",) if runs < RUNS else ()
