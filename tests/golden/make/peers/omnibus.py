"""More than two learners: scipy, statsmodels, pingouin, scikit-posthocs, mlxtend."""

import numpy as np
import pandas as pd
import pingouin
import scikit_posthocs
from cases import INPUTS, Cases, ref
from mlxtend import evaluate
from peers.source import data, source
from scipy import stats
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.contingency_tables import cochrans_q


def write(folder):
    cases = Cases("python", "omnibus")
    r = stats.f_oneway(*[np.array(row) for row in INPUTS["ragged"]])
    cases.add(
        "anova-ragged-scipy",
        "stats.omnibus.anova",
        [ref("ragged")],
        {"statistic": r.statistic, "pvalue": r.pvalue},
        source("scipy", "stats.f_oneway(*groups)"),
    )
    batch = data("learners_batch")
    r = stats.f_oneway(*np.moveaxis(batch, 1, 0), axis=-1)
    cases.add(
        "anova-batch-scipy",
        "stats.omnibus.anova",
        [ref("learners_batch")],
        {"statistic": r.statistic, "pvalue": r.pvalue},
        source("scipy", "stats.f_oneway(*learners, axis=-1)"),
    )
    repeated(cases)
    rank_tests(cases)
    for name in ("learners", "spread_out", "staircase"):
        r = stats.tukey_hsd(*data(name))
        cases.add(
            f"tukey-{name}-pvalue-scipy",
            "stats.omnibus.tukey",
            [ref(name)],
            {"pvalue": r.pvalue},
            source("scipy", "stats.tukey_hsd(*learners)"),
            kwargs={"alpha": 0.05},
            rtol=0,
            atol=1e-9,
        )
    for name in ("correct", "correct_three"):
        r = cochrans_q(np.array(INPUTS[name]))
        cases.add(
            f"cochran_q-{name}-statsmodels",
            "stats.omnibus.cochran_q",
            [ref(name)],
            {"statistic": r.statistic, "pvalue": r.pvalue, "df": [r.df]},
            source("statsmodels", "cochrans_q(correct)"),
        )
        correct = np.array(INPUTS[name])
        f, _ = evaluate.ftest(np.ones(len(correct), dtype=int), *correct.T)
        cases.add(
            f"looney-{name}-mlxtend",
            "stats.omnibus.looney",
            [ref(name)],
            {"statistic": f},
            source("mlxtend", "evaluate.ftest(y, *answers)"),
            note="only F: its p uses (K - 1) N degrees of freedom where (K - 1)(N - 1) is right",
        )
    cases.save(folder)


def repeated(cases):
    for name in ("learners", "spread_out"):
        table = data(name)
        long = pd.DataFrame(
            [
                {"learner": i, "fold": j, "loss": table[i, j]}
                for i in range(table.shape[0])
                for j in range(table.shape[1])
            ]
        )
        r = AnovaRM(long, "loss", "fold", within=["learner"]).fit().anova_table.iloc[0]
        cases.add(
            f"repeated_anova-{name}-statsmodels",
            "stats.omnibus.repeated_anova",
            [ref(name)],
            {"statistic": r["F Value"], "pvalue": r["Pr > F"], "df": [r["Num DF"], r["Den DF"]]},
            source("statsmodels", "AnovaRM(long, 'loss', 'fold', within=['learner']).fit()"),
            rtol=1e-8,
            atol=0,
        )
        wide = pd.DataFrame(table.T)
        cases.add(
            f"repeated_anova-{name}-pingouin",
            "stats.omnibus.repeated_anova",
            [ref(name)],
            {
                "epsilon_greenhouse_geisser": pingouin.epsilon(wide, correction="gg"),
                "epsilon_huynh_feldt": pingouin.epsilon(wide, correction="hf"),
            },
            source("pingouin", "epsilon(wide, correction='gg'), epsilon(wide, correction='hf')"),
        )


def rank_tests(cases):
    for name in ("ragged", "groups_tied"):
        groups = [np.array(row) for row in INPUTS[name]]
        r = stats.kruskal(*groups)
        cases.add(
            f"kruskal_wallis-{name}-scipy",
            "stats.omnibus.kruskal_wallis",
            INPUTS[name],
            {"statistic": r.statistic, "pvalue": r.pvalue},
            source("scipy", "stats.kruskal(*groups)"),
        )
    for name in ("data_sets", "data_sets_tied"):
        table = data(name)
        n, k = table.shape
        r = stats.friedmanchisquare(*table.T)
        cases.add(
            f"friedman-{name}-scipy",
            "stats.omnibus.friedman",
            [ref(name)],
            {"statistic": r.statistic, "pvalue": r.pvalue},
            source("scipy", "stats.friedmanchisquare(*learners)"),
        )
        p = scikit_posthocs.posthoc_nemenyi_friedman(table).to_numpy()
        cases.add(
            f"nemenyi-{name}-scikit_posthocs",
            "stats.omnibus.nemenyi",
            [ref(name)],
            {"pvalue": p},
            source("scikit-posthocs", "posthoc_nemenyi_friedman(losses)"),
            kwargs={"alpha": 0.05},
            rtol=0,
            atol=1e-9,
        )
        for alpha in (0.05, 0.1):
            width = stats.studentized_range.isf(alpha, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))
            cases.add(
                f"nemenyi-{name}-{alpha}-scipy",
                "stats.omnibus.nemenyi",
                [ref(name)],
                {"critical_difference": width},
                source("scipy", "stats.studentized_range.isf(alpha, k, inf) / sqrt(2) * sqrt(k (k + 1) / (6 N))"),
                kwargs={"alpha": alpha},
                note="infinite degrees of freedom; scmamp takes a finite number",
            )
