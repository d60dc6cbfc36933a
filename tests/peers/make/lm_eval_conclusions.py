"""What statsmodels concludes from the per-sample files that ``lm_eval_files.py`` kept."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
from recording import PEERS, by, record
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

HARNESS = json.loads(Path(__file__).with_name("lm_eval_results.json").read_text("utf-8"))
NAMES = list(HARNESS["results"])
COMMON = ["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"]
HASHES = ["doc_hash", "prompt_hash", "target_hash"]


def outcomes(path, measure, filter_name):
    """Outcomes of one file by doc_id, as 0 and 1."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    chosen = {row["doc_id"]: int(row[measure]) for row in rows if row["filter"] == filter_name}
    return np.array([chosen[i] for i in sorted(chosen)])


def conclusions(task, measure, filter_name):
    """Means by the harness, exact McNemar of every pair and Cochran's Q by statsmodels."""
    right = {n: outcomes(next((PEERS / "lm_eval" / n).glob(f"samples_{task}_*")), measure, filter_name) for n in NAMES}
    mean = {name: HARNESS["results"][name][task][f"{measure},{filter_name}"] for name in NAMES}
    if any(abs(right[name].mean() - mean[name]) > 1e-12 for name in NAMES):
        raise SystemExit(f"{task}: the kept samples do not have the means that the harness gives.")
    choice = {"measure": measure, "filter": filter_name}
    found = [by("lm-eval", "simple_evaluate(…)['results']", version=HARNESS["version"], mean=mean, **choice)]
    for a, b in combinations(NAMES, 2):
        table = [[int(((right[a] == i) & (right[b] == j)).sum()) for j in (1, 0)] for i in (1, 0)]
        call = "mcnemar([[both, only first], [only second, none]], exact=True), two-sided"
        p = float(mcnemar(table, exact=True).pvalue)
        found.append(by("statsmodels", call, pair=f"{a} / {b}", table=table, pvalue=p, **choice))
    q = cochrans_q(np.column_stack(list(right.values())))
    return [*found, by("statsmodels", "cochrans_q(outcomes)", statistic=q.statistic, pvalue=q.pvalue, **choice)]


MADE = by(
    "lm-eval",
    "simple_evaluate(…, log_samples=True), EvaluationTracker.save_results_samples",
    version=HARNESS["version"],
)
TASKS = {
    "sums": (60, ["exact_match"], ["strict-match", "flexible-extract"]),
    "choices": (30, ["acc", "acc_norm"], ["none"]),
}
for task, (rows, measures, filters) in TASKS.items():
    record(
        f"lm_eval/*/samples_{task}_*.jsonl",
        made_by=MADE,
        rows=rows,
        columns=[*COMMON, *HASHES, *measures],
        reading={"kind": "items", "learners": NAMES, "items": 30, "item": "doc_id", "filters": filters},
        direction=f"larger; the measure must be chosen among {measures}" if len(measures) > 1 else "larger",
        conclusions=[each for m in measures for f in filters for each in conclusions(task, m, f)],
        note=(
            "one file per model; the model is the folder, the file names are alike; doc_id comes once per filter. "
            "The harness is real, questions and models are invented"
        ),
    )
record(
    "lm_eval_flat/*.jsonl",
    made_by=MADE,
    rows=30,
    columns=[*COMMON, *HASHES, "acc", "acc_norm"],
    reading={"kind": "items", "learners": NAMES, "items": 30, "item": "doc_id", "filters": ["none"]},
    direction="larger; the measure must be chosen among ['acc', 'acc_norm']",
    conclusions=conclusions("choices", "acc", "none") + conclusions("choices", "acc_norm", "none"),
    note="the files of task choices, renamed: the model is the file's stem",
)
for name, rows, note in (
    (
        "item_missing",
        29,
        "doc_id 17 is not there: beside the other models' files an error must name item 17 and this file",
    ),
    ("no_doc_id", 30, "line 3 has no doc_id: an error must name the file and line 3"),
):
    record(
        f"lm_eval_faulty/{name}.jsonl",
        made_by=MADE,
        rows=rows,
        columns=[*COMMON, *HASHES, "acc", "acc_norm"],
        reading={"kind": "error"},
        direction="larger",
        conclusions=[],
        note=note + "; a spoilt copy of the file of big, task choices",
    )
