"""Make ``classifiers.csv``: the folds of ``plan.toml``, one row each, as ``bestofk collect`` finds them.

Needs bestofk; the digits may differ with the version of scikit-learn.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import bestofk as bk

HERE = Path(__file__).parent

with TemporaryDirectory() as folder:
    scores = bk.collect(HERE / "plan.toml", Path(folder) / "classifiers.db")
lines = ["dataset,learner,fold,error"]
for learner, by_dataset in zip(scores.learners, scores.values, strict=True):
    for dataset, errors in zip(scores.datasets, by_dataset, strict=True):
        lines += [f"{dataset},{learner},{fold},{error:.6f}" for fold, error in enumerate(errors.ravel(), 1)]
(HERE / "classifiers.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
