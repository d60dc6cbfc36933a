"""Make ``five_by_two.csv``: five classifiers on scikit-learn's wine data, 5 replications of 2 random halves.

Needs scikit-learn, which bestofk itself does not: ``pip install scikit-learn``, then run this file.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

LEARNERS = {  # simplest first, as in Yıldız and Alpaydın 2006
    "max": DummyClassifier(strategy="most_frequent"),
    "nmc": make_pipeline(StandardScaler(), NearestCentroid()),
    "lgc": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
    "nn": make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
}

x, y = load_wine(return_X_y=True)
rng = np.random.default_rng(1)
lines = ["learner,replication,fold,error"]
for replication in range(1, 6):
    shuffled = rng.permutation(len(y))
    halves = np.sort(shuffled[: len(y) // 2]), np.sort(shuffled[len(y) // 2 :])
    for fold, (train, test) in enumerate((halves, halves[::-1]), 1):
        for name, learner in LEARNERS.items():
            wrong = np.mean(learner.fit(x[train], y[train]).predict(x[test]) != y[test])
            lines.append(f"{name},{replication},{fold},{wrong:.6f}")
Path(__file__).with_name("five_by_two.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
