"""Make ``predictions.csv``: what three classifiers say about the held-out half of scikit-learn's digits.

Needs scikit-learn, which bestofk itself does not.
"""

from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

LEARNERS = {
    "lda": LinearDiscriminantAnalysis(),
    "tree": DecisionTreeClassifier(random_state=0),
    "knn": KNeighborsClassifier(5),
}

x, y = load_digits(return_X_y=True)
x_train, x_test, train, truth = train_test_split(x, y, test_size=0.5, random_state=1, stratify=y)
columns = [truth, *(learner.fit(x_train, train).predict(x_test) for learner in LEARNERS.values())]
lines = [",".join(["truth", *LEARNERS]), *(",".join(map(str, row)) for row in zip(*columns, strict=True))]
Path(__file__).with_name("predictions.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
