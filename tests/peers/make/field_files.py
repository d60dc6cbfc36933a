"""Files of programs that were not run: made from the names of their fields, with invented results.

AMLB (which is no package), mlr3 and tidymodels (which Debian has not), the runs page of W&B, the leaderboard of Kaggle,
and the old results of SWE-bench's leaderboard. Usage: field_files.py.
"""

import csv
import json
import random
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent
RNG = random.Random(7)


def near(mean, spread=0.02):
    return round(RNG.gauss(mean, spread), 4)


def table(name, header, rows):
    with (PEERS / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def amlb():
    """Three tasks with a measure each; one cell has run out of time."""
    tasks = {"kc1": ("auc", 0.8), "vehicle": ("neg_logloss", -0.5), "boston": ("neg_rmse", -3.0)}
    for number, (task, (metric, level)) in enumerate(tasks.items()):
        for place, framework in enumerate(("AutoGluon", "FLAML", "RandomForest")):
            for fold in range(5):
                result = near(level * (1 + 0.1 * place * (-1 if level > 0 else 1)), abs(level) * 0.01)
                late = (task, framework, fold) == ("boston", "RandomForest", 4)
                ends = ["" if late else result, metric, "local", "1.0", "", "dev", "2026-01-01T00:00:00"]
                info = "TimeoutError: Interrupting thread" if late else ""
                took = [60 + place, 50 + place, 0.5, 3, fold, info]
                yield [f"openml.org/t/{number}", task, framework, "1h8c", fold, "binary", *ends, *took]


def mlr3():
    for task in ("sonar", "spam", "pima"):
        for number, learner in enumerate(("classif.rpart", "classif.ranger", "classif.featureless"), start=1):
            for fold in range(1, 6):
                yield [number, task, learner, "cv", fold, near(0.1 * number)]


def tidymodels():
    for place, flow in enumerate(("base_glm", "base_forest")):
        for repeat in (1, 2):
            for fold in range(1, 6):
                for metric, level in (("accuracy", 0.9), ("roc_auc", 0.92)):
                    ends = [f"Repeat{repeat}", f"Fold{fold}", metric, "binary", near(level - 0.1 * place)]
                    yield [flow, "Preprocessor1_Model1", "formula", "rand_forest", *ends]


def wandb():
    """Two architectures with six seeds each; one run has crashed."""
    for place, arch in enumerate(("resnet18", "resnet50")):
        for seed in range(6):
            state = "crashed" if (place, seed) == (1, 5) else "finished"
            facts = [f"{arch}-{seed}", state, "", "user", "", "2026-01-01T00:00:00.000Z", 600 + seed, ""]
            yield [*facts, arch, seed, 100, "" if state == "crashed" else near(0.8 + 0.05 * place, 0.005)]


if __name__ == "__main__":
    header = "id,task,framework,constraint,fold,type,result,metric,mode,version,params,app_version,utc,duration"
    table("amlb.csv", f"{header},training_duration,predict_duration,models_count,seed,info", amlb())
    table("mlr3.csv", "nr,task_id,learner_id,resampling_id,iteration,classif.ce", mlr3())
    header = "wflow_id,.config,preproc,model,id,id2,.metric,.estimator,.estimate"
    table("tidymodels.csv", header, tidymodels())
    table("wandb_runs.csv", "Name,State,Notes,User,Tags,Created,Runtime,Sweep,arch,seed,_step,val/acc", wandb())
    header = "Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount"
    table("kaggle_leaderboard.csv", header, [[1, 7, "a", "2026-01-01", 0.99, 3], [2, 8, "b", "2026-01-01", 0.98, 2]])
    resolved = {"resolved": ["django__django-10", "django__django-11"], "no_generation": [], "no_logs": []}
    (PEERS / "swe_bench_results.json").write_text(json.dumps(resolved) + "\n", encoding="utf-8")
