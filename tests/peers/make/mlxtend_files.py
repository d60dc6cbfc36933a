"""What a user of mlxtend.evaluate keeps: predictions, scores of the 5x2 cv t test, bootstrap scores."""

from itertools import combinations

import pandas as pd
from mlxtend.data import wine_data
from mlxtend.evaluate import (
    bootstrap_point632_score,
    cochrans_q,
    mcnemar,
    mcnemar_table,
    paired_ttest_5x2cv,
)
from recording import PEERS, by, means, record
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

MODELS = {
    "y_model1": GaussianNB(),
    "y_model2": DecisionTreeClassifier(max_depth=2, random_state=1),
    "y_model3": KNeighborsClassifier(5),
}
SHORT = dict(zip(("bayes", "tree", "knn"), MODELS.values(), strict=True))
x, y = wine_data()


def predictions():
    """The table that the examples of mcnemar_table and cochrans_q start from."""
    x_train, x_test, train, truth = train_test_split(x, y, test_size=0.5, random_state=3, stratify=y)
    said = {name: model.fit(x_train, train).predict(x_test) for name, model in MODELS.items()}
    frame = pd.DataFrame({"y_target": truth, **said})
    frame.to_csv(PEERS / "mlxtend_predictions.csv", index=False)
    conclusions = [by("scikit-learn", "accuracy", accuracy={n: float((s == truth).mean()) for n, s in said.items()})]
    for a, b in combinations(said, 2):
        table = mcnemar_table(y_target=truth, y_model1=said[a], y_model2=said[b])
        chi2, p = mcnemar(ary=table, corrected=True)
        _, exact = mcnemar(ary=table, exact=True)
        call = "mcnemar(ary=mcnemar_table(y_target, first, second), corrected=True); exact=True"
        wrong = {"wrong_by_first_only": int(table[1, 0]), "wrong_by_second_only": int(table[0, 1])}
        conclusions.append(by("mlxtend", call, pair=f"{a} / {b}", chi2=chi2, pvalue=p, exact_pvalue=exact, **wrong))
    q, p = cochrans_q(truth, *said.values())
    conclusions.append(by("mlxtend", "cochrans_q(y_target, y_model1, y_model2, y_model3)", statistic=q, pvalue=p))
    record(
        "mlxtend_predictions.csv",
        made_by=by("mlxtend", "DataFrame of y_target and predictions, to_csv(index=False); wine_data()"),
        rows=len(frame),
        columns=frame.columns,
        reading={"kind": "items", "truth": "y_target", "learners": list(said), "items": len(frame)},
        direction="none needed: right or wrong against y_target",
        conclusions=conclusions,
    )


def five_by_two():
    """Scores caught by the scorer while paired_ttest_5x2cv runs; it does not give them back itself."""
    rows, conclusions = {}, []
    for a, b in combinations(SHORT, 2):
        caught = []

        def scorer(model, data, labels, caught=caught):
            caught.append(model.score(data, labels))
            return caught[-1]

        t, p = paired_ttest_5x2cv(SHORT[a], SHORT[b], x, y, scoring=scorer, random_seed=1)
        call = "paired_ttest_5x2cv(first, second, X, y, scoring=scorer, random_seed=1), two-sided"
        conclusions.append(by("mlxtend", call, pair=f"{a} / {b}", statistic=t, pvalue=p))
        for number, score in enumerate(caught):
            half, which = divmod(number, 2)
            key = ((a, b)[which], half // 2 + 1, half % 2 + 1)
            if rows.setdefault(key, score) != score:
                raise SystemExit(f"{key}: the halves differ between pairs, so the scores are not paired.")
    order = list(SHORT)
    lines = sorted(rows.items(), key=lambda row: (row[0][1], row[0][2], order.index(row[0][0])))
    frame = pd.DataFrame([(*key, score) for key, score in lines], columns=["model", "repetition", "fold", "accuracy"])
    frame.to_csv(PEERS / "mlxtend_5x2.csv", index=False)
    scores = {name: frame.accuracy[frame.model == name] for name in SHORT}
    conclusions.append(by("numpy", "mean over the 10 scores", mean_accuracy=means(scores)))
    record(
        "mlxtend_5x2.csv",
        made_by=by("mlxtend", "scores caught by the scorer of paired_ttest_5x2cv, to_csv(index=False)"),
        rows=len(frame),
        columns=frame.columns,
        reading={"kind": "scores", "learners": order, "datasets": 1, "replications": 5, "folds": 2},
        direction="larger (accuracy, known)",
        conclusions=conclusions,
        note="column names are ours: repetition is the replication; the sign of t is that of score, first minus second",
    )


def bootstrap():
    """Scores of bootstrap_point632_score, one column per model, saved with the index."""
    scores = {
        name: bootstrap_point632_score(model, x, y, n_splits=30, method=".632", random_seed=1)
        for name, model in SHORT.items()
    }
    frame = pd.DataFrame(scores)
    frame.to_csv(PEERS / "mlxtend_bootstrap.csv")
    record(
        "mlxtend_bootstrap.csv",
        made_by=by("mlxtend", "bootstrap_point632_score(model, X, y, n_splits=30, method='.632', random_seed=1)"),
        rows=len(frame),
        columns=["", *frame.columns],
        reading={"kind": "scores", "learners": list(SHORT), "datasets": 1, "replications": 1, "folds": 30},
        direction="larger, must be asked for: no column names the measure (it is accuracy)",
        conclusions=[by("numpy", "mean over the 30 scores", mean_accuracy=means(scores))],
        note=(
            "the first column is the row number; the rows are bootstrap samples of one data set, which the file does "
            "not say: a reading as 30 data sets must be marked as assumed, and a plain paired t is too sure"
        ),
    )


predictions()
five_by_two()
bootstrap()
