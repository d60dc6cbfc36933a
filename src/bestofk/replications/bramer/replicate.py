"""``bestofk replicate bramer``: every figure of chapter 15 beside ours, its conclusions and its exercise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.plots.figures.t_tails import TTailsInfo
from bestofk.replications.bramer.published import CONTESTS, EXERCISE, LEVELS, T_VALUES, TAILS, Contest
from bestofk.replications.replication import (
    Agreement,
    Progress,
    Replication,
    no_figures,
    pictures,
    table_block,
    today,
    versions_used,
)
from bestofk.reporting.blocks import Block, Section, Sentences, TableBlock
from bestofk.reporting.tables import PlainTable
from bestofk.stats.distributions import t_critical, t_tail
from bestofk.stats.pairwise import paired_t
from bestofk.stats.pairwise.paired_t import PairedTResult

AREA = "Fig. 15.3: area of the tails beyond ±1.83, 9 degrees of freedom"
#: Arguments of every replication that mean nothing here, and the words that say so.
UNUSED = {
    "runs": "runs: nothing in the chapter is drawn at random.",
    "datasets": "datasets: the chapter's results are printed in it.",
    "data": "data: the chapter's results are printed in it.",
    "into": "into: there is nothing to keep, all is computed in a moment.",
}


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
    """Compute all tables of the chapter again; nothing is random and nothing is run, so only ``seed`` is kept."""
    made = tuple(recomputed(each) for each in CONTESTS)
    values, area = _critical(), _area()
    progress(1, 1, "chapter 15")
    given = {"runs": runs, "datasets": datasets or None, "data": data, "into": into}
    return Replication(
        paper="bramer",
        title="Bramer, chapter 15: comparing classifiers by the paired t test, ours beside theirs",
        reference="M. Bramer, Principles of Data Mining, chapter 15 (Comparing Classifiers), Springer",
        headline=_headline(made, [*values, area]),
        agreement=(
            *(_digits(f"Fig. {each.contest.figure}: figures", each.figures) for each in made),
            *_conclusions(made),
            _digits("Fig. 15.4: critical values of t", values),
            Agreement(AREA, area.rounded, area.theirs, area.equal),
            *_exercise(),
        ),
        sections=_sections(made, values, area),
        left_out=(
            *(f"Not used: {words}" for name, words in UNUSED.items() if given[name] is not None),
            *no_figures(),
        ),
        runs=None,
        seed=seed,
        made=today(),
        versions=versions_used(),
    )


def _critical() -> list[Beside]:
    """Fig. 15.4."""
    return [
        Beside(f"df {df}, {level:g}", float(t_critical(level, df)), printed)
        for df, row in enumerate(T_VALUES, start=1)
        for level, printed in zip(LEVELS, row, strict=True)
    ]


def _area() -> Beside:
    """Fig. 15.3."""
    t, df, printed = TAILS
    return Beside("both tails beyond ±1.83", float(t_tail(t, df, "two-sided")), printed)


def _headline(made: Sequence[Recomputed], others: Sequence[Beside]) -> str:
    figures = [figure for each in made for figure in each.figures] + list(others)
    equal = sum(figure.equal for figure in figures)
    excused = sum(bool(figure.excuse) and not figure.equal for figure in figures)
    concluded = [each.concluded_alike for each in made if each.concluded_alike is not None]
    return (
        f"{equal} of {len(figures)} printed figures come out to the digit; {excused} others are misprints or follow "
        f"from rounded values, {len(figures) - equal - excused} are unexplained. {sum(concluded)} of "
        f"{len(concluded)} conclusions are the same."
    )


def _digits(what: str, figures: Sequence[Beside]) -> Agreement:
    equal, number = sum(figure.equal for figure in figures), len(figures)
    excused = sum(bool(figure.excuse) and not figure.equal for figure in figures)
    why = f"; {excused} misprinted, or from rounded values" if excused else ""
    asked = f"{number} of {number}"
    return Agreement(f"{what} equal to the printed digit", f"{equal} of {number}{why}", asked, equal == number)


def _conclusions(made: Sequence[Recomputed]) -> list[Agreement]:
    lines = []
    for each in made:
        if each.contest.level is not None:
            asked = f"{'' if each.contest.significant else 'not '}significant at {each.contest.level:g}"
            what = f"Fig. {each.contest.figure}: {each.contest.challenger} against A"
            lines.append(Agreement(what, f"p = {each.test.pvalue:.4f}", asked, each.concluded_alike))
    return lines


def _exercise() -> list[Agreement]:
    """The chapter prints no answers, so these are only told."""
    test = paired_t(EXERCISE[1], EXERCISE[0])
    interval = test.confidence_interval(0.95)
    return [
        Agreement("Exercise, 1: average B − A", f"{test.estimate:.4g}"),
        Agreement("Exercise, 2: standard error; t", f"{test.standard_error:.4f}; {test.statistic:.4f}"),
        Agreement(
            "Exercise, 3: significant at 0.05", f"{'yes' if test.rejects(0.05) else 'no'}, p = {test.pvalue:.4f}"
        ),
        Agreement("Exercise, 4: 95 % interval", f"({interval.low:.4f}, {interval.high:.4f})"),
    ]


def _sections(made: Sequence[Recomputed], values: Sequence[Beside], area: Beside) -> tuple[Section, ...]:
    return (*(table_of(each) for each in made), tails(made, area), critical_values(values), exercise(_exercise()))


# Every printed figure of a table, computed again.


@frozen
class Beside:
    """One figure: ``ours`` in full, ``theirs`` as printed; ``excuse`` where the print is known to be wrong."""

    name: str
    ours: float
    theirs: str
    excuse: str = ""

    @property
    def rounded(self) -> str:
        """Ours with as many decimals as are printed."""
        return f"{self.ours:.{decimals(self.theirs)}f}"

    @property
    def equal(self) -> bool:
        """Whether ours, so rounded, is what is printed."""
        return self.rounded == self.theirs


@frozen
class Recomputed:
    """A table computed again: figures in the order of print, and the test itself (challenger less established)."""

    contest: Contest
    figures: tuple[Beside, ...]
    test: PairedTResult

    @property
    def concluded_alike(self) -> bool | None:
        """Whether the test decides as the chapter does at its level; None where it draws no conclusion."""
        if self.contest.level is None:
            return None
        return bool(self.test.rejects(self.contest.level)) == self.contest.significant


def decimals(printed: str) -> int:
    """How many decimals a printed number has.

    Examples
    --------
    >>> decimals("0.071"), decimals("744")
    (3, 0)
    """
    return len(printed.partition(".")[2])


def recomputed(contest: Contest) -> Recomputed:
    """Compute every printed figure of a table."""
    first, second = (
        np.array([each[i] for i in contest.first], dtype=float) for each in (contest.first, contest.second)
    )
    test = paired_t(second, first)
    found = _sums(first, second) | _steps(test) | _interval(test, contest.level)
    figures = (
        Beside(name, found[name], theirs, contest.excused.get(name, "")) for name, theirs in contest.printed.items()
    )
    return Recomputed(contest, tuple(figures), test)


def _sums(first: Array, second: Array) -> dict[str, float]:
    z = second - first
    columns: Mapping[str, Array] = {"A": first, "new": second, "z": z, "z²": z**2}
    totals = {f"total {name}": float(each.sum()) for name, each in columns.items()}
    averages = {f"average {name}": float(each.mean()) for name, each in columns.items()}
    wins = {"A better": float((z < 0).sum()), "equal": float((z == 0).sum()), "new better": float((z > 0).sum())}
    return totals | averages | wins


def _steps(test: PairedTResult) -> dict[str, float]:
    steps = test.steps()
    return {
        "(Σz)²/n": float(steps.square_of_sum_over_n),
        "Σz² − (Σz)²/n": float(steps.sum_of_squares_left),
        "variance": float(steps.variance),
        "standard deviation": float(steps.standard_deviation),
        "standard error": float(steps.standard_error),
        "t": float(steps.t),
    }


def _interval(test: PairedTResult, level: float | None) -> dict[str, float]:
    if level is None:
        return {}
    interval = test.confidence_interval(1.0 - level)
    half = 0.5 * (interval.high - interval.low)
    return {"± of the interval": float(half), "low": float(interval.low), "high": float(interval.high)}


# The chapter's tables and figures as sections of a report, ours beside theirs.


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
    return table_block(f"{anchor}-accuracies", caption, columns, rows)


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
    tables = [each for each in made if each.contest.level is not None]
    infos = {"figure-15-3": TTailsInfo(t, df, alpha=0.10)} | {
        f"t-of-figure-{each.contest.figure.replace('.', '-')}": TTailsInfo(
            float(each.test.statistic),
            float(each.test.df[0]),
            alpha=each.contest.level or 0.05,
            pair=f"{each.contest.challenger} against A, Fig. {each.contest.figure}",
        )
        for each in tables
    }
    return Section("figure-15-3", "Fig. 15.3: tails of t", (Sentences((said,)), *pictures(infos)))


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
