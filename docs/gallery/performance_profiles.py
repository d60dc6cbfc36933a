"""Performance profiles of three invented learners on ten tasks, eight runs each."""

import numpy as np
from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.plots.figures.performance_profiles import PerformanceProfilesInfo

rng = np.random.default_rng(0)
tasks = np.repeat(np.arange(10), 8)
ease = rng.normal(0, 0.15, 10)[tasks]
runs = {
    name: (level + ease + rng.normal(0, spread, 80), tasks)
    for name, level, spread in (("iqn", 0.62, 0.06), ("rainbow", 0.6, 0.12), ("dqn", 0.45, 0.08))
}
show(figure_of(PerformanceProfilesInfo.from_runs(runs, "normalized_score")), "performance-profiles")
