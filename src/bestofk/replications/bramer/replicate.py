"""``bestofk replicate bramer``: every figure of chapter 15 beside ours, its conclusions and its exercise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bestofk.core.extras import available
from bestofk.replications.agreement import Agreement
from bestofk.replications.bramer.contests import Beside, Recomputed, recomputed
from bestofk.replications.bramer.published import CONTESTS, EXERCISE, LEVELS, T_VALUES, TAILS
from bestofk.replications.bramer.sections import critical_values, exercise, table_of, tails
from bestofk.replications.replication import Progress, Replication, today, versions_used
from bestofk.reporting.blocks import Section
from bestofk.stats.distributions import t_critical, t_tail
from bestofk.stats.pairwise import paired_t

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
        agreement=(*(_digits(each) for each in made), *_conclusions(made), _values(values), _one(area), *_exercise()),
        sections=_sections(made, values, area),
        left_out=(
            *(f"Not used: {words}" for name, words in UNUSED.items() if given[name] is not None),
            *(() if available("matplotlib") else ("Figures: they need matplotlib (bestofk[plots]).",)),
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


def _digits(each: Recomputed) -> Agreement:
    equal, number = sum(figure.equal for figure in each.figures), len(each.figures)
    what = f"Fig. {each.contest.figure}: figures equal to the printed digit"
    excused = sum(bool(figure.excuse) and not figure.equal for figure in each.figures)
    why = f"; {excused} misprinted, or from rounded values" if excused else ""
    return Agreement(what, f"{equal} of {number}{why}", f"{number} of {number}", equal == number)


def _conclusions(made: Sequence[Recomputed]) -> list[Agreement]:
    lines = []
    for each in made:
        if each.contest.level is not None:
            asked = f"{'' if each.contest.significant else 'not '}significant at {each.contest.level:g}"
            what = f"Fig. {each.contest.figure}: {each.contest.challenger} against A"
            lines.append(Agreement(what, f"p = {each.test.pvalue:.4f}", asked, each.concluded_alike))
    return lines


def _values(values: Sequence[Beside]) -> Agreement:
    equal = sum(value.equal for value in values)
    what = "Fig. 15.4: critical values of t equal to the printed digit"
    return Agreement(what, f"{equal} of {len(values)}", f"{len(values)} of {len(values)}", equal == len(values))


def _one(area: Beside) -> Agreement:
    return Agreement(
        "Fig. 15.3: area of the tails beyond ±1.83, 9 degrees of freedom", area.rounded, area.theirs, area.equal
    )


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
