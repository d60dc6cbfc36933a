#!/bin/sh
# Two models through the own command lines of lm-eval and of Inspect, each followed by one bestofk command.
# Usage: command_lines.sh SCRATCH_FOLDER, with lm_eval, inspect and bestofk on the path. No network is needed.
# lm-eval's dummy model answers at random; of Inspect's mock model the solver says what it answers.
set -eu
mkdir -p "$1"
cd "$1"
export HF_HUB_OFFLINE=1

python3 - <<'END'
import json, pathlib, random
rng = random.Random(7)
with open("sums.jsonl", "w") as file:
    for _ in range(40):
        a, b = rng.randint(10, 99), rng.randint(10, 99)
        choices = rng.sample([a + b, a + b + 1, a + b - 10], 3)
        row = {"question": f"{a} + {b} =", "choices": list(map(str, choices)), "label": choices.index(a + b)}
        file.write(json.dumps(row) + "\n")
pathlib.Path("sums.yaml").write_text(f"""
task: sums
dataset_path: json
dataset_kwargs: {{data_files: {{test: {pathlib.Path("sums.jsonl").resolve()}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{label}}}}"
doc_to_choice: "{{{{choices}}}}"
metric_list: [{{metric: acc, aggregation: mean, higher_is_better: true}}]
""")
END
for seed in 1 2; do
    lm_eval --model dummy --model_args "pretrained=lab/dummy-$seed" --seed "$seed" --tasks sums --include_path . \
        --output_path out --log_samples
done
bestofk judge out

cat >sums.py <<'END'
import json, random
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import match
from inspect_ai.solver import solver

SKILL = {"small": 0.4, "large": 0.9}


@solver
def guess():
    async def solve(state, generate):
        name = state.model.name
        knows = random.Random(f"{name} {state.sample_id} {state.epoch}").random() < SKILL[name]
        state.output.completion = state.target.text if knows else "?"
        return state

    return solve


@task
def sums():
    rows = [json.loads(line) for line in open("sums.jsonl")]
    samples = [Sample(id=i, input=row["question"], target=row["choices"][row["label"]]) for i, row in enumerate(rows)]
    return Task(dataset=samples, solver=guess(), scorer=match())
END
inspect eval sums.py --model mockllm/small,mockllm/large --epochs 2 --log-dir logs --display none
bestofk judge logs
