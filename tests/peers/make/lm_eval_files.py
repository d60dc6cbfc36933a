"""Per-sample files of the LM Evaluation Harness: the harness is real, the questions and the three models are invented.

Runs in an environment with lm-eval alone. Usage: lm_eval_files.py SCRATCH_FOLDER.
"""

import json
import random
import re
import shutil
import sys
from pathlib import Path

import lm_eval
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

PEERS = Path(__file__).resolve().parent.parent
SKILL = {"tiny": 0.35, "middle": 0.6, "big": 0.85}  # chance to know the answer
DATE = "2026-01-01T00-00-00.000000"
#: What is kept of the file of results: the rest tells of the machine.
KEPT = ("results", "group_subtasks", "versions", "n-shot", "higher_is_better", "n-samples")

SUMS = """
task: sums
dataset_path: json
dataset_kwargs: {{data_files: {{test: {folder}/sums.jsonl}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["."], do_sample: false}}
filter_list:
  - name: strict-match
    filter: [{{function: regex, regex_pattern: "#### ([0-9]+)"}}, {{function: take_first}}]
  - name: flexible-extract
    filter: [{{function: regex, regex_pattern: "([0-9]+)"}}, {{function: take_first}}]
metric_list: [{{metric: exact_match, aggregation: mean, higher_is_better: true}}]
"""
CHOICES = """
task: choices
dataset_path: json
dataset_kwargs: {{data_files: {{test: {folder}/choices.jsonl}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{label}}}}"
doc_to_choice: "{{{{choices}}}}"
metric_list:
  - {{metric: acc, aggregation: mean, higher_is_better: true}}
  - {{metric: acc_norm, aggregation: mean, higher_is_better: true}}
"""


class Invented(LM):
    """Knows the sum with a given chance, writes it in the demanded form nearly always, and guesses otherwise."""

    def __init__(self, name):
        super().__init__()
        self.rng, self.skill = random.Random(name), SKILL[name]

    def generate_until(self, requests, disable_tqdm=False):
        return [self._answer(request.args[0]) for request in requests]

    def _answer(self, question):
        total = sum(map(int, re.findall(r"\d+", question)))
        said = total if self.rng.random() < self.skill else total + self.rng.choice((-10, -1, 1, 10))
        return f"#### {said}" if self.rng.random() < 0.9 else f"It is {said}"

    def loglikelihood(self, requests, disable_tqdm=False):
        knows = {request.args[0]: self.rng.random() < self.skill for request in requests}
        return [(self._belief(*request.args, knows[request.args[0]]), False) for request in requests]

    def _belief(self, question, choice, knows):
        right = int(choice) == sum(map(int, re.findall(r"\d+", question)))
        return round(-1.0 - self.rng.random() - (0.0 if right and knows else 1.0), 4)

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError


def questions(folder, rng):
    """Thirty sums to write down and thirty to choose from."""
    with (folder / "sums.jsonl").open("w") as file:
        for _ in range(30):
            a, b = rng.randint(10, 99), rng.randint(10, 99)
            file.write(json.dumps({"question": f"What is {a} + {b}?", "answer": str(a + b)}) + "\n")
    with (folder / "choices.jsonl").open("w") as file:
        for _ in range(30):
            a, b = rng.randint(10, 99), rng.randint(10, 99)
            choices = rng.sample([a + b, a + b + 1, a + b - 10], 3)
            row = {"question": f"{a} + {b} =", "choices": list(map(str, choices)), "label": choices.index(a + b)}
            file.write(json.dumps(row) + "\n")


def evaluate(name, folder):
    """Let the harness run both tasks and write its files in the layout it uses: model folder, one file per task."""
    tracker = EvaluationTracker(output_path=str(folder / "out"))
    tracker.date_id = DATE
    tracker.general_config_tracker.model_name_sanitized = name
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    result = lm_eval.simple_evaluate(
        model=Invented(name), tasks=["sums", "choices"], task_manager=manager, log_samples=True, bootstrap_iters=0
    )
    for task, samples in result["samples"].items():
        tracker.save_results_samples(task_name=task, samples=samples)
        kept = PEERS / "lm_eval" / name / f"samples_{task}_{DATE}.jsonl"
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "out" / name / kept.name, kept)
    said = {key: result[key] for key in KEPT} | {"model_name": name, "model_name_sanitized": name}
    beside = PEERS / "lm_eval" / name / f"results_{DATE}.json"
    beside.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    flat = PEERS / "lm_eval_flat" / f"{name}.jsonl"  # as people rename them: the harness names every model's file alike
    flat.parent.mkdir(exist_ok=True)
    shutil.copy(PEERS / "lm_eval" / name / f"samples_choices_{DATE}.jsonl", flat)
    keep = ("exact_match", "acc")
    return {
        t: {k: v for k, v in m.items() if k.startswith(keep) and "stderr" not in k}
        for t, m in result["results"].items()
    }


def faulty():
    """Two spoilt copies of the file of the big model: an item is gone; a line has no doc_id."""
    lines = (PEERS / "lm_eval" / "big" / f"samples_choices_{DATE}.jsonl").read_text("utf-8").splitlines()
    folder = PEERS / "lm_eval_faulty"
    folder.mkdir(exist_ok=True)
    without_item = [line for line in lines if json.loads(line)["doc_id"] != 17]
    third = json.loads(lines[2])
    del third["doc_id"]
    without_key = [*lines[:2], json.dumps(third, ensure_ascii=False), *lines[3:]]
    for name, rows in (("item_missing.jsonl", without_item), ("no_doc_id.jsonl", without_key)):
        (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    scratch = Path(sys.argv[1]).resolve()
    questions(scratch, random.Random(7))
    (scratch / "sums.yaml").write_text(SUMS.format(folder=scratch), encoding="utf-8")
    (scratch / "choices.yaml").write_text(CHOICES.format(folder=scratch), encoding="utf-8")
    found = {name: evaluate(name, scratch) for name in SKILL}
    faulty()
    version = lm_eval.__version__
    Path(__file__).with_name("lm_eval_results.json").write_text(
        json.dumps({"program": "lm-eval", "version": version, "results": found}, indent=1) + "\n", encoding="utf-8"
    )
