"""Make ``curves.csv``: accuracy of three classifiers on scikit-learn's digits as the training set grows.

Every run draws its own training and test examples, for every learner anew: the curves are independent, as the
randomized analysis of variance of Piater et al. supposes. Needs scikit-learn, which bestofk itself does not.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

LEARNERS = {
    "bayes": GaussianNB(var_smoothing=1e-2),
    "knn": KNeighborsClassifier(5),
    "tree": DecisionTreeClassifier(random_state=0),
}
STEPS = range(50, 501, 50)  # training examples
RUNS = 10

x, y = load_digits(return_X_y=True)
rng = np.random.default_rng(2)
lines = ["learner,run,step,accuracy"]
for name, learner in LEARNERS.items():
    for run in range(1, RUNS + 1):
        shuffled = rng.permutation(len(y))
        test = shuffled[max(STEPS) :]
        for step in STEPS:
            train = shuffled[:step]
            lines.append(f"{name},{run},{step},{learner.fit(x[train], y[train]).score(x[test], y[test]):.6f}")
Path(__file__).with_name("curves.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
