"""The table: what was measured beside what is claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from benchmarks.calibration.claims import ALPHA, CONFIDENCE
from benchmarks.calibration.measured import Measured
from benchmarks.calibration.populations import STORED
from benchmarks.calibration.resampling import ROWS
from benchmarks.calibration.study import Row, Study
from benchmarks.calibration.topics import FOLD_TOPICS, MODEL_TOPICS

Results = dict[str, list[Row]]  # by the name of the study


def written(results: Results, date: str) -> str:
    """The whole page as Markdown."""
    rows = [row for found in results.values() for row in found]
    parts = [_opening(rows, date), _glance(results), UNLIKE, "## Nulls drawn from the assumptions\n"]
    for topic, studies in MODEL_TOPICS.items():
        parts.append(f"### {topic}\n\n{_long_table(_rows(results, studies))}")
    parts.append(_folds_opening(results))
    for topic, studies in FOLD_TOPICS.items():
        parts.append(f"### {topic}\n")
        parts.extend(_wide_tables(_rows(results, studies)))
    return "\n".join(part.rstrip() + "\n" for part in parts)


def _rows(results: Results, studies: Iterable[Study]) -> list[Row]:
    return [row for study in studies for row in results[study.name]]


def _opening(rows: list[Row], date: str) -> str:
    missed = sum(not row.holds for row in rows)
    verdict = f"{missed} contradict the claim and are marked ✗" if missed else "no claim is contradicted"
    return f"""# Calibration: type I error and power, measured

Written by `python -m benchmarks.calibration` on {date}; seeds are fixed, so the same versions give the same figures.

*Size* is the share of runs in which a true null hypothesis is rejected at {ALPHA}, with the exact (Clopper–Pearson)
95 % interval of the simulation. *Claimed* is what the literature leads one to expect or, where a value is given
with =, what theory says: by formula, enumeration or quadrature, computed without bestofk. A claim is contradicted
when the exact {100 * CONFIDENCE:g} % interval lies outside it; `tests/test_calibration.py` fails then. *Power* is the
share of rejections under the effect named; a value in brackets is the one that theory gives.

{len(rows)} sizes were measured; {verdict}. † marks the {sum(row.case.unlike for row in rows)} that are known not to
be what the literature says, with what to expect instead.
"""


def _glance(results: Results) -> str:
    """Smallest and largest size of each test of two learners, over populations and learners."""
    by_test: dict[str, list[Row]] = {}
    for row in _rows(results, FOLD_TOPICS["Two learners"]):
        by_test.setdefault(_name(row), []).append(row)
    lines = [
        "## At a glance: two equal learners on resampled folds\n",
        "| test | literature | sizes |",
        "|---|---|---|",
    ]
    for name, rows in by_test.items():
        sizes = [row.size.rate for row in rows]
        lines.append(f"| {name} | {rows[0].case.literature} | {min(sizes):.3f} to {max(sizes):.3f} |")
    return "\n".join(lines) + "\n"


# Words only: the figures that go with them are in the tables, and the claims there are tested.
UNLIKE = """## Where it is not as the literature says

- The 5×2 t and F tests reject too often for 1-NN on own columns: the differences on the two halves of a replication
  are correlated, for rows are often each other's nearest neighbour, and their spread is too small a yardstick.
- The k-fold t is near alpha for the nearest mean on own columns: a learner that hardly changes with its training rows
  is hardly harmed by their overlap.
- The corrected t and the calibrated t on 10×10 folds are near alpha where the folds are about as alike as 1/F
  supposes; where they are more alike both reject up to about three times too often, the uncorrected t ten times.
- Every test that takes folds for independent values has the fault of the k-fold t; with own rows Hotelling's test and
  MANOVA on (tpr, fpr) have it most.
- McNemar's, Cochran's, Looney's and DeLong's tests compare trained classifiers. Where the training rows differ (own
  rows), they find the difference that these make, and are not tests of the learners.
- `calibrated_t` with the schemes `runs` and `folds` needs other degrees of freedom than the default 10.
- Finner's adjustment does not control the family-wise error when some hypotheses are false; Li's only for independent
  p values. Newman–Keuls and Duncan do not control it either, as is known.
- With 10 data sets, Iman–Davenport's F and Nemenyi's test are a little above alpha (by counting, not by chance).
- Roy's root is not usable as a test with its F bound, nor is the conventional ANOVA of curves, as is known.
"""


def _folds_opening(results: Results) -> str:
    used = {row.study.population for found in results.values() for row in found}
    absent = [population.name for population in STORED.values() if population.name not in used]
    remark = f" Not run, since the file is not there: {', '.join(absent)}." if absent else ""
    return f"""## Folds of real learners, training sets overlapping

Every run draws a data set of {ROWS} rows from the population named and resamples it, as in Dietterich 1998 and Nadeau
and Bengio 2003; contenders are the same algorithm, so the null hypothesis is true by construction. *Own columns*:
each contender sees columns of its own, all columns being alike (Breiman's twonorm; the stored twonorm was generated
too). *Own rows*: each trains on a random share of the training rows of its own, the tested rows being common; this
makes the null true on any data set, here on magic, which is real. *Nearest mean* hardly changes with its training
rows; *one column* (the one that separates the classes best, cut midway) and *1-NN* do.{remark}

Several tests of one column judge the same runs, so their deviations go together. Where the literature names a
direction only, so does the claim. Bands ("stated here", "here at least", and all †) were set after first measurements
with the same seeds, some widened to hold: they guard against change and are no evidence that the literature is right.
"""


def _long_table(rows: list[Row]) -> str:
    lines = ["| test | null | runs | size | claimed | literature | power |", "|---|---|---|---|---|---|---|"]
    lines.extend(
        f"| {_name(row)} | {row.study.null} | {row.size.runs:,} | {_size(row)} | {_claimed(row)} "
        f"| {row.case.literature} | {_powers(row)} |"
        for row in rows
    )
    return "\n".join(lines) + "\n"


def _wide_tables(rows: list[Row]) -> Iterator[str]:
    """One table per population, the learners side by side."""
    for population, group in groupby(rows, key=lambda row: row.study.population):
        found = list(group)
        learners = list(dict.fromkeys(row.study.learner for row in found))
        runs = ", ".join(f"{name} {_of(found, name)[0].size.runs:,}" for name in learners)
        powered = [name for name in learners if _of(found, name)[0].powers]
        yield f"**{population}**, runs: {runs}\n\n{_wide_table(found, learners, powered)}"


def _of(rows: list[Row], learner: str) -> list[Row]:
    return [row for row in rows if row.study.learner == learner]


def _wide_table(rows: list[Row], learners: list[str], powered: list[str]) -> str:
    heads = ["test", "claimed", "literature", *learners, *(f"power, {name}" for name in powered)]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for together in zip(*(_of(rows, name) for name in learners), strict=True):
        usual = next((row for row in together if not row.case.unlike), None)
        cells = [
            _name(together[0]),
            _claimed(usual) if usual else "–",
            together[0].case.literature,
            *(_size(row) + (f", {_claimed(row)}" if row.case.unlike else "") for row in together),
            *(f"{row.powers[0].measured.rate:.2f}" for row in together if row.powers),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    effects = {power.effect for row in rows for power in row.powers}
    note = f"\nPower: {'; '.join(sorted(effects))}.\n" if effects else ""
    return "\n".join(lines) + "\n" + note


def _name(row: Row) -> str:
    variant = f", {row.case.variant}" if row.case.variant else ""
    return f"`{row.case.function}`{variant}"


def _claimed(row: Row) -> str:
    return f"{'† ' if row.case.unlike else ''}{row.case.claim or '–'}"


def _size(row: Row) -> str:
    low, high = row.size.interval(0.95)
    return f"{row.size.rate:.4f} ({low:.4f}–{high:.4f})" + ("" if row.holds else " ✗")


def _powers(row: Row) -> str:
    return "; ".join(f"{power.effect}: {_power(power.measured, power.theory)}" for power in row.powers) or "–"


def _power(measured: Measured, theory: float | None) -> str:
    return f"{measured.rate:.3f}" + (f" [{theory:.3f}]" if theory is not None else "")
