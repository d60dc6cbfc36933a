"""The paper's own example: lda and qda on breast (Fig. 2), on the data folder where there is one."""

import os
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk

FOLDER = Path(os.environ.get("BESTOFK_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))


def counts_on_breast(learners):
    """Counts of ten stratified folds; malignant (class 4) is positive."""
    import pandas as pd
    from sklearn.metrics import confusion_matrix
    from sklearn.model_selection import StratifiedKFold

    table = pd.read_csv(FOLDER / "breast.csv.gz").dropna()
    x, y = table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1].to_numpy()
    rare = min(set(y), key=list(y).count)
    rows = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(x, y):
        for learner in learners.values():
            said = learner.fit(x[train], y[train]).predict(x[test])
            (tn, fp), (fn, tp) = confusion_matrix(y[test] == rare, said == rare)
            rows.append((tp, fn, fp, tn))
    counts = np.array(rows, dtype=float).reshape(10, len(learners), 4).swapaxes(0, 1)[:, None, None]
    error = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    return bk.Scores(learners=tuple(learners), values=error, counts=counts, measure="error", larger_is_better=False)


@pytest.mark.skipif(not (FOLDER / "breast.csv.gz").exists(), reason=f"there is no breast.csv.gz in {FOLDER}")
def test_lda_and_qda_on_breast():
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

    scores = counts_on_breast({"lda": LinearDiscriminantAnalysis(), "qda": QuadraticDiscriminantAnalysis()})
    plain = bk.judge(scores, on="tpr,fpr", test="hotelling").comparisons[0]  # as in the paper
    assert plain.significant
    assert not plain.error.significant
    assert plain.relation == "trade-off"
