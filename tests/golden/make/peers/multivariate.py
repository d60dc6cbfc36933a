"""Several measures at once: pingouin, statsmodels, scikit-learn."""

import numpy as np
import pandas as pd
import pingouin
from cases import INPUTS, Cases, ref
from peers.source import data, source
from sklearn import metrics
from statsmodels.multivariate.manova import MANOVA


def write(folder):
    cases = Cases("python", "multivariate")
    for name in ("vectors", "three"):
        first, second = data(f"{name}_first"), data(f"{name}_second")
        args = [ref(f"{name}_first"), ref(f"{name}_second")]
        for paired in (True, False):
            r = pingouin.multivariate_ttest(first, second, paired=paired).iloc[0]
            expect = {
                "statistic": r["T2"],
                "f_statistic": r["F"],
                "df": [r["df1"], r["df2"]],
                "pvalue": r["p_val" if "p_val" in r else "pval"],
            }
            cases.add(
                f"hotelling-{name}-{'paired' if paired else 'unpaired'}-pingouin",
                "stats.multivariate.hotelling",
                args,
                expect,
                source("pingouin", f"multivariate_ttest(first, second, paired={paired})"),
                kwargs={} if paired else {"unpaired": True},
            )
    for name in ("manova_four", "manova_three"):
        values = data(name)
        learners, folds, p = values.shape
        group = pd.get_dummies(np.repeat(np.arange(learners), folds), dtype=float).to_numpy()
        hypothesis = np.hstack([np.eye(learners - 1), -np.ones((learners - 1, 1))])
        table = MANOVA(values.reshape(-1, p), group).mv_test([("learner", hypothesis)]).results["learner"]["stat"]
        wilks, pillai = table.loc["Wilks' lambda"], table.loc["Pillai's trace"]
        cases.add(
            f"manova-{name}-statsmodels",
            "stats.multivariate.manova",
            [ref(name)],
            {
                "statistic": wilks["Value"],
                "f_statistic": wilks["F Value"],
                "df": [wilks["Num DF"], wilks["Den DF"]],
                "pvalue": wilks["Pr > F"],
                "pillai.statistic": pillai["Value"],
                "pillai.f_statistic": pillai["F Value"],
                "pillai.pvalue": pillai["Pr > F"],
                "roy.statistic": table.loc["Roy's greatest root", "Value"],
            },
            source("statsmodels", "MANOVA(values, learner).mv_test(all learners equal)"),
        )
        trace = table.loc["Hotelling-Lawley trace"]
        cases.add(
            f"manova-{name}-hotelling_lawley-statsmodels",
            "stats.multivariate.manova",
            [ref(name)],
            {
                "hotelling_lawley.statistic": trace["Value"],
                "hotelling_lawley.f_statistic": trace["F Value"],
                "hotelling_lawley.df": [trace["Num DF"], trace["Den DF"]],
                "hotelling_lawley.pvalue": trace["Pr > F"],
            },
            source("statsmodels", "MANOVA(values, learner).mv_test(all learners equal)"),
            note="McKeon's F. For manova_three four million simulated traces give p 0.4282 (standard error 0.0002): "
            "McKeon 0.4284, the older F of R 0.4389",
        )
    measures(cases)
    cases.save(folder)


def measures(cases):
    functions = {
        "error": lambda y, f: 1 - metrics.accuracy_score(y, f),
        "accuracy": metrics.accuracy_score,
        "tpr": metrics.recall_score,
        "recall": metrics.recall_score,
        "sensitivity": metrics.recall_score,
        "fpr": lambda y, f: 1 - metrics.recall_score(y, f, pos_label=0),
        "specificity": lambda y, f: metrics.recall_score(y, f, pos_label=0),
        "precision": metrics.precision_score,
        "F1": metrics.f1_score,
    }
    args = [ref(name) for name in ("tp", "fn", "fp", "tn")]

    def rows(names):
        table = []
        for tp, fn, fp, tn in zip(*(INPUTS[name] for name in ("tp", "fn", "fp", "tn")), strict=True):
            y = [1] * (tp + fn) + [0] * (fp + tn)
            f = [1] * tp + [0] * fn + [1] * fp + [0] * tn
            table.append([functions[name](y, f) for name in names])
        return table

    cases.add(
        "measures-default-sklearn",
        "stats.multivariate.measures",
        args,
        {"": rows(["tpr", "fpr"])},
        source("scikit-learn", "recall_score(y, f), 1 - recall_score(y, f, pos_label=0)"),
    )
    names = ["precision", "recall"]
    cases.add(
        "measures-precision_recall-sklearn",
        "stats.multivariate.measures",
        args,
        {"": rows(names)},
        source("scikit-learn", "precision_score(y, f), recall_score(y, f)"),
        kwargs={"names": names},
    )
    for name in functions:
        cases.add(
            f"measures-{name}-sklearn",
            "stats.multivariate.measures",
            args,
            {"": rows([name])},
            source("scikit-learn", f"the {name} from sklearn.metrics on the labels that give these counts"),
            kwargs={"names": [name]},
        )
