"""The populations of autorank's own README example, saved with and without the row numbers."""

import io
from contextlib import redirect_stdout

import numpy as np
import pandas as pd
from autorank import autorank
from recording import PEERS, by, means, paired_t_of_all_pairs, record
from scipy import stats

MEANS = (0.2, 0.3, 0.5, 0.8, 0.85, 0.9)

np.random.seed(42)  # noqa: NPY002 (the legacy generator of the example)
frame = pd.DataFrame({f"pop_{i}": np.random.normal(mean, 0.3, 50).clip(0, 1) for i, mean in enumerate(MEANS)})  # noqa: NPY002
frame.to_csv(PEERS / "autorank_index.csv")
frame.to_csv(PEERS / "autorank.csv", index=False)
with redirect_stdout(io.StringIO()):
    result = autorank(frame, alpha=0.05, verbose=False)


def groups(mean_rank, width):
    """Maximal runs of neighbouring mean ranks that lie within the critical difference."""
    names = sorted(mean_rank, key=mean_rank.get)
    found = []
    for start, first in enumerate(names):
        members = [name for name in names[start:] if mean_rank[name] - mean_rank[first] <= width]
        if len(members) > 1 and not any(set(members) <= set(other) for other in found):
            found.append(members)
    return found


ranks = {str(name): float(rank) for name, rank in result.rankdf["meanrank"].items()}
friedman = stats.friedmanchisquare(*frame.to_numpy().T)
signed = {
    f"{a} / {b}": float(stats.wilcoxon(frame[a], frame[b], method="asymptotic").pvalue)
    for a in frame
    for b in frame
    if a < b
}
conclusions = [
    by(
        "autorank",
        "autorank(frame, alpha=0.05, verbose=False), order='descending'",
        omnibus=result.omnibus,
        pvalue=result.pvalue,
        posthoc=result.posthoc,
        critical_difference=result.cd,
        mean_rank=ranks,
        groups=groups(ranks, result.cd),
        median={str(k): float(v) for k, v in result.rankdf["median"].items()},
    ),
    by(
        "scipy",
        "scipy.stats.friedmanchisquare(*columns)",
        statistic=friedman.statistic,
        pvalue=friedman.pvalue,
        mean_rank=dict(zip(frame, stats.rankdata(-frame.to_numpy(), axis=1).mean(axis=0).tolist(), strict=True)),
    ),
    by(
        "scipy",
        "wilcoxon(first, second, method='asymptotic') of every pair, zeros dropped, no continuity correction",
        pvalue=signed,
    ),
    by("numpy", "mean of every column", mean=means({name: frame[name] for name in frame})),
    paired_t_of_all_pairs({name: frame[name].to_numpy() for name in frame}),
]
for name, columns in (("autorank.csv", list(frame)), ("autorank_index.csv", ["", *frame])):
    record(
        name,
        made_by=by(
            "autorank",
            "the populations of its README example, DataFrame.to_csv("
            + ("" if columns[0] == "" else "index=False")
            + ")",
        ),
        rows=len(frame),
        columns=columns,
        reading={"kind": "scores", "learners": list(frame), "datasets": 50, "replications": 1, "folds": 1},
        direction="must be asked for: no column names the measure; autorank itself takes larger as better",
        conclusions=conclusions,
        note="rows are data sets for autorank; the file does not say so, so the reading must be marked as assumed",
    )
