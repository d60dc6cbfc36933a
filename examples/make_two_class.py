"""Make ``two_class.csv``: confusion counts of five classifiers on 10 folds of scikit-learn's breast cancer data.

Benign is the positive class: a false alarm is a malignant case that is called benign. Eight of the ten means are used;
perimeter and area follow from the radius. Of eight sets of features and both positive classes that were tried, this is
one in which lda and qda differ in their mistakes and not in their error: it shows what the command says, and is no
evidence about the two learners. Needs scikit-learn.
"""

from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

LEARNERS = {
    "lda": LinearDiscriminantAnalysis(),
    "qda": QuadraticDiscriminantAnalysis(reg_param=1e-4),
    "nb": GaussianNB(),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier(20)),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
MEANS = [0, 1, 4, 5, 6, 7, 8, 9]

x, y = load_breast_cancer(return_X_y=True)
x = x[:, MEANS]
lines = ["learner,fold,tp,fn,fp,tn"]
for fold, (train, test) in enumerate(StratifiedKFold(10, shuffle=True, random_state=0).split(x, y), 1):
    for name, learner in LEARNERS.items():
        said = learner.fit(x[train], y[train]).predict(x[test])
        (tp, fn), (fp, tn) = confusion_matrix(y[test], said, labels=[1, 0])  # 1 is benign
        lines.append(f"{name},{fold},{tp},{fn},{fp},{tn}")
Path(__file__).with_name("two_class.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
