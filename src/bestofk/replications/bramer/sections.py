"""The chapter's tables and figures as sections of a report, ours beside theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bestofk.core.extras import available
from bestofk.replications.agreement import Agreement
from bestofk.replications.bramer.contests import Beside, Recomputed
from bestofk.replications.bramer.published import LEVELS, T_VALUES, TAILS
from bestofk.reporting.blocks import Block, Pictures, Section, Sentences, TableBlock
from bestofk.reporting.tables import PlainTable


def table_of(made: Recomputed) -> Section:
    """One table of the chapter: accuracies, and the printed figures beside ours."""
    name = made.contest.figure
    anchor = f"figure-{name.replace('.', '-').replace(' ', '-')}"
    blocks: list[Block] = [_accuracies(made, anchor), _figures(made, anchor)]
    said = [f"{figure.name}: {figure.excuse}." for figure in made.figures if figure.excuse and not figure.equal]
    if said:
        blocks.append(Sentences(tuple(said)))
    return Section(anchor, f"Fig. {name}: A against {made.contest.challenger}", tuple(blocks))


def _accuracies(made: Recomputed, anchor: str) -> TableBlock:
    first, second = made.contest.first, made.contest.second
    columns = ("data set", "A", made.contest.challenger, "z", "z²")
    differences = {i: second[i] - first[i] for i in first}
    rows = tuple((str(i), str(first[i]), str(second[i]), str(z), str(z * z)) for i, z in differences.items())
    caption = "Accuracies in percent, as printed; z and z² are ours."
    return TableBlock(f"{anchor}-accuracies", caption, PlainTable(columns, rows, frozenset(columns[1:])))


def _figures(made: Recomputed, anchor: str) -> TableBlock:
    columns = ("figure", "ours", "to the printed digit", "theirs", "equal")
    rows = tuple(
        (each.name, f"{each.ours:.6g}", each.rounded, each.theirs, "yes" if each.equal else "no")
        for each in made.figures
    )
    table = PlainTable(columns, rows, frozenset(columns[1:4]))
    return TableBlock(f"{anchor}-figures", "Printed figures and ours.", table)


def tails(made: Sequence[Recomputed], area: Beside) -> Section:
    """Fig. 15.3, and the same picture for the t of every table."""
    t, df, _ = TAILS
    said = f"The area beyond ±{t:g} with {df} degrees of freedom is {area.ours:.6f}; printed is {area.theirs}."
    blocks: list[Block] = [Sentences((said,))]
    if available("matplotlib"):
        from bestofk.plots.figures import figure_of
        from bestofk.plots.t_tails import TTailsInfo

        tables = [each for each in made if each.contest.level is not None]
        infos = [TTailsInfo(t, df, alpha=0.10)] + [
            TTailsInfo(
                float(each.test.statistic),
                float(each.test.df[0]),
                alpha=each.contest.level or 0.05,
                pair=f"{each.contest.challenger} against A, Fig. {each.contest.figure}",
            )
            for each in tables
        ]
        names = ["figure-15-3", *(f"t-of-figure-{each.contest.figure.replace('.', '-')}" for each in tables)]
        # a report keeps figures under their names, so each has its own
        figures = (replace(figure_of(info), name=name) for info, name in zip(infos, names, strict=True))
        blocks.append(Pictures(tuple(figures)))
    return Section("figure-15-3", "Fig. 15.3: tails of t", tuple(blocks))


def critical_values(values: Sequence[Beside]) -> Section:
    """Fig. 15.4, ours in the cells, with theirs where they differ."""
    cells = iter(values)
    rows = tuple((str(df), *(_cell(next(cells)) for _ in LEVELS)) for df, _ in enumerate(T_VALUES, start=1))
    columns = ("degrees of freedom", *(f"probability {level:.2f}" for level in LEVELS))
    caption = "Two-sided critical values of t; a cell has the printed one beside ours where they differ."
    table = TableBlock("t-values", caption, PlainTable(columns, rows, frozenset(columns)))
    return Section("figure-15-4", "Fig. 15.4: critical values of t", (table,))


def _cell(value: Beside) -> str:
    return value.rounded if value.equal else f"{value.rounded} (theirs {value.theirs})"


def exercise(answers: Sequence[Agreement]) -> Section:
    """Section 15.7: our answers; the chapter prints none."""
    lines = tuple(f"{each.what.removeprefix('Exercise, ')}: {each.ours}." for each in answers)
    said = Sentences(("Twenty data sets; the chapter prints no answers.", *lines))
    return Section("exercise", "Section 15.7: the exercise", (said,))
