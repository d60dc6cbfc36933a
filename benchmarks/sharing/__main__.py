"""Measure shared folds on the paper's 30 data sets, print the table and write RESULTS.md beside this file.

``python -m benchmarks.sharing`` measures all; names of learners (``nn lgc``) measure those and leave the others' lines
as they are; names of data sets (``set:iris``) measure those alone and write nothing.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import benchmarks.sharing  # noqa: F401  holds numpy to one thread
from benchmarks.sharing.learners import Contest, contests
from benchmarks.sharing.measure import FOLDS, Timing, timing, warmed
from benchmarks.sharing.sets import TABLE_1, as_matrix, datasets
from bestofk.sharing.shelf import SHARING

RESULTS = Path(__file__).parent / "RESULTS.md"
#: The learners of the paper's Table 1, and what is demanded of all of them together.
FIVE, TOGETHER = ("max", "nmc", "lgc", "c45", "nn"), 20
WHOLE = "## The whole of Table 1"
HEAD = "| learner | on | cross_validate, s | shared, s | ratio | least | demanded | |"
MORE = "| learner | data set | rows | shared, µs a fold | once, s | cross_validate, µs a fold | ratio | plain |"
RULE = "|---|---|---|---|---|---|---|---|"
WORDS = f"""# Shared folds against cross_validate

CPU seconds of {FOLDS:,} folds (1,000 runs of 5 × 2) of every data set of the paper's Table 1, one thread, from fewer
folds measured, at least 128 on our side; what is done once per data set is added once. The peer is given the data
1-of-n and filled in beforehand; our side learns both inside each training half, and for *nn* the scaling too. *nn, not
scaled* is `KNeighborsClassifier(1)` on the peer's very matrix, on both sides. *plain*: folds that were handed to the
plain way.
Predictions are not compared here, for the peer's data are encoded beforehand; the tests do that.
A run of some learners leaves the others' lines as they were: lines may come from different runs. *all five* adds the
lines of {", ".join(FIVE)}.
"""


def main(chosen: list[str]) -> None:
    wanted = [each for each in chosen if not each.startswith("set:")]
    sets = datasets([each.removeprefix("set:") for each in chosen if each.startswith("set:")])
    sharings = list(SHARING.values())
    lines, details, loading = [], [], []
    for contest in contests():
        if wanted and contest.name not in wanted:
            continue
        start = time.perf_counter()
        loaded = warmed(contest.learner(), sharings)
        given = [as_matrix(each) for each in sets] if contest.same else sets
        found = [(each.name, timing(contest.learner(), contest.peer, each, sharings)) for each in given]
        lines.append(_summary(contest, found))
        loading.append(f"{contest.name} {loaded:.1f} s")
        if len(sets) == len(TABLE_1):  # after every learner: a run that is stopped leaves what it has
            _write(lines, details + [_detail(name, contest, each) for name, each in found], loading)
        details += [_detail(name, contest, each) for name, each in found]
        print(*details[-len(found) :], lines[-1], f"[{time.perf_counter() - start:.0f} s]", sep="\n", flush=True)


def _summary(contest: Contest, found: list[tuple[str, Timing | None]]) -> str:
    counted = [each for _, each in found if each and (contest.below is None or each.rows < contest.below)]
    ours, peer = (sum(each.table[side] for each in counted) for side in (0, 1))
    ratio = peer / ours if ours else 0.0
    slowest = min([(each.table[1] / each.table[0], each.dataset) for each in counted], default=(0.0, "none"))
    which = f"{len(counted)} sets" + (f" below {contest.below:,} rows" if contest.below else "")
    verdict = "met" if ratio >= contest.demand else "**missed**"
    least = f"{slowest[0]:,.0f}× on {slowest[1]}"
    cells = (
        contest.name,
        which,
        f"{peer:,.0f}",
        f"{ours:,.1f}",
        f"{ratio:,.0f}×",
        least,
        f"{contest.demand:,}×",
        verdict,
    )
    return f"| {' | '.join(cells)} |"


def _detail(name: str, contest: Contest, each: Timing | None) -> str:
    if each is None:
        return f"| {contest.name} | {name} | not shared, or refused by the learner | | | | | |"
    ours, peer = each.table
    return (
        f"| {contest.name} | {each.dataset} | {each.rows:,} | {1e6 * each.ours:,.0f} | {each.setup:.2f} | "
        f"{1e6 * each.peer:,.0f} | {peer / ours:,.0f}× | {each.alone:.0%} |"
    )


def _write(lines: list[str], details: list[str], loading: list[str]) -> None:
    """Write the page; learners that were not measured keep their lines."""
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    old, whole, run = old.partition(WHOLE)  # a run of its own: `bestofk replicate multitest`, written by hand
    table, _, rest = old.partition("## Each data set")
    merged = [_merged(part.splitlines(), fresh) for part, fresh in ((table, lines), (rest, details))]
    page = _page([*merged[0], *_all_five(merged[0])], merged[1], loading)
    RESULTS.write_text(page + (f"\n{whole}{run}" if whole else ""), encoding="utf-8")


def _all_five(lines: list[str]) -> list[str]:
    """The paper's five learners together, from their lines; none while one of them is not measured."""
    cells = {_learner(line): [cell.strip() for cell in line.split("|")[1:-1]] for line in lines}
    if not cells.keys() >= set(FIVE):
        return []
    peer, ours = (sum(float(cells[name][place].replace(",", "")) for name in FIVE) for place in (2, 3))
    verdict = "met" if peer / ours >= TOGETHER else "**missed**"
    return [f"| all five | 30 sets | {peer:,.0f} | {ours:,.1f} | {peer / ours:,.1f}× | | {TOGETHER}× | {verdict} |"]


def _merged(old: list[str], fresh: list[str]) -> list[str]:
    names = [contest.name for contest in contests()]
    measured = {_learner(line) for line in fresh}
    kept = [line for line in old if _learner(line) in names and _learner(line) not in measured]
    return sorted([*kept, *fresh], key=lambda line: names.index(_learner(line)))


def _learner(line: str) -> str:
    return line.split("|")[1].strip() if line.startswith("| ") else ""


def _page(lines: list[str], details: list[str], loading: list[str]) -> str:
    told = (
        f"Loading the loops before, or compiling them where they have changed, in the last run: {', '.join(loading)}."
    )
    return "\n".join([WORDS, HEAD, RULE, *lines, "", told, "", "## Each data set", "", MORE, RULE, *details, ""])


if __name__ == "__main__":
    main(sys.argv[1:])
