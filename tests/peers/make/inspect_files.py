"""Logs of Inspect: the program is real, the questions and the models are invented.

Runs in an environment with inspect_ai alone. Usage: inspect_files.py SCRATCH_FOLDER. Of the logs in JSON, what was said
and done on the way to an answer (events, messages) is taken out, and of errors the traceback: they are not read.
"""

import json
import random
import shutil
import sys
from pathlib import Path

from inspect_ai import Task, eval, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes, match

PEERS = Path(__file__).resolve().parent.parent
SKILL = {"small": 0.4, "large": 0.9}  # chance to know the answer
UNREAD = ("events", "messages", "output", "store", "attachments", "events_data")


def samples(number, seed):
    """Sums, of two kinds."""
    rng = random.Random(seed)
    pairs = [(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(number)]
    kinds = ["odd" if (a + b) % 2 else "even" for a, b in pairs]
    return [
        Sample(id=f"q{i}", input=f"{a} + {b} =", target=str(a + b), metadata={"kind": kind, "level": i % 3})
        for i, ((a, b), kind) in enumerate(zip(pairs, kinds, strict=True))
    ]


@task
def sums():
    """Six sums, asked twice."""
    return Task(dataset=samples(6, 1), scorer=[match(), includes()])


@task
def more():
    """Eight more."""
    return Task(dataset=samples(8, 2), scorer=match())


def model(name):
    """A model that answers by chance; it costs seven tokens a time, or twelve."""
    rng = random.Random(name)

    def answer(messages, tools, choice, config):
        if name == "broken":
            raise RuntimeError("the model is gone")
        a, b = (int(word) for word in messages[-1].text.removesuffix(" =").split(" + "))
        said = ModelOutput.from_content(f"mockllm/{name}", str(a + b + (rng.random() > SKILL[name])))
        used = 7 if name == "small" else 12
        said.usage = ModelUsage(input_tokens=5, output_tokens=used - 5, total_tokens=used)
        return said

    return get_model(f"mockllm/{name}", custom_outputs=answer)


def kept(path, folder, name):
    """A log as it is, or without what is not read."""
    folder.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".eval":
        shutil.copy(path, folder / f"{name}.eval")
        return
    log = json.loads(path.read_text("utf-8"))
    log["samples"] = [{k: v for k, v in each.items() if k not in UNREAD} for each in log.get("samples", [])]
    for error in (log.get("error"), *(each.get("error") for each in log["samples"])):
        if error is not None:
            error["traceback"] = error["traceback_ansi"] = ""
    (folder / f"{name}.json").write_text(json.dumps(log, ensure_ascii=False), encoding="utf-8")


def run(which, name, ending, scratch, **settings):
    """The path of a new log."""
    folder = scratch / f"{ending}_{which.__name__}_{name}"
    (log,) = eval(which(), model=model(name), log_dir=str(folder), log_format=ending, display="none", **settings)
    return Path(log.location.removeprefix("file://"))


if __name__ == "__main__":
    scratch = Path(sys.argv[1]).resolve()
    for name in SKILL:
        kept(run(sums, name, "eval", scratch, epochs=2), PEERS / "inspect", f"2026-01-01_sums_{name}")
        for which in (sums, more):
            kept(run(which, name, "json", scratch), PEERS / "inspect_json", f"2026-01-01_{which.__name__}_{name}")
    kept(run(more, "broken", "json", scratch), PEERS / "inspect_failed", "2026-01-01_more_broken")
