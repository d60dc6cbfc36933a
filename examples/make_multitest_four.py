"""Make ``multitest_four.csv``: invented errors whose tests draw the graph of Yıldız and Alpaydın 2006, Fig. 2.

The paper gives the graph only: with the preference 1, 2, 3, 4 the edges are 1→2, 1→3, 1→4 and 2→3. The errors here are
made up; the one-sided 5x2 cv t test at 0.05 / 6 (Bonferroni) finds exactly these edges in them.
Needs numpy and scipy.
"""

from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats

LEVEL = {1: 0.400, 2: 0.260, 3: 0.180, 4: 0.235}
NOISE = {1: 0.012, 2: 0.008, 3: 0.008, 4: 0.035}  # 4 varies too much to be told from 2
EDGES = {(1, 2), (1, 3), (1, 4), (2, 3)}

rng = np.random.default_rng(6)
difficulty = rng.normal(0, 0.02, (5, 2))
errors = {i: np.round(LEVEL[i] + difficulty + rng.normal(0, NOISE[i], (5, 2)), 3) for i in LEVEL}


def one_sided_p(first: np.ndarray, second: np.ndarray) -> float:
    """P value of the hypothesis that the first does not lose more, 5x2 cv t."""
    difference = first - second
    variance = difference.var(axis=1, ddof=1)
    return float(stats.t.sf(difference[0, 0] / np.sqrt(variance.mean()), 5))


found = {(i, j) for i, j in combinations(LEVEL, 2) if one_sided_p(errors[i], errors[j]) <= 0.05 / 6}
if found != EDGES:
    raise SystemExit(f"the edges are {sorted(found)}, not those of the figure: change the invented errors.")
lines = ["learner,replication,fold,error"]
for replication, fold in np.ndindex(5, 2):
    lines += [f"{i},{replication + 1},{fold + 1},{errors[i][replication, fold]:.3f}" for i in LEVEL]
Path(__file__).with_name("multitest_four.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
