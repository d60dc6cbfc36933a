"""Make ``counts.csv``: confusion counts of three classifiers on 10 folds of scikit-learn's breast cancer data.

Malignant is the positive class. Needs scikit-learn, which bestofk itself does not.
"""

from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

LEARNERS = {
    "lda": LinearDiscriminantAnalysis(),
    "lda-careful": LinearDiscriminantAnalysis(
        priors=(0.9, 0.1)
    ),  # misses fewer, alarms more; chosen so that the errors agree
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}

x, y = load_breast_cancer(return_X_y=True)
lines = ["learner,fold,tp,fn,fp,tn"]
for fold, (train, test) in enumerate(StratifiedKFold(10, shuffle=True, random_state=0).split(x, y), 1):
    for name, learner in LEARNERS.items():
        said = learner.fit(x[train], y[train]).predict(x[test])
        (tp, fn), (fp, tn) = confusion_matrix(y[test], said, labels=[0, 1])  # 0 is malignant
        lines.append(f"{name},{fold},{tp},{fn},{fp},{tn}")
Path(__file__).with_name("counts.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
