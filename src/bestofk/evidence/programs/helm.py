"""Runs of HELM: ``per_instance_stats.json`` of a model on a scenario, beside ``run_spec.json`` that names both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.evidence.programs.log import SECONDS, TOKENS, Log, Opening, Outcome, Program
from bestofk.tables.json_files import json_content, json_list

NAME, SPECIFICATION = "per_instance_stats.json", "run_spec.json"
#: Statistics that tell of the run, and not how good the answers are.
OF_RUN = re.compile(r"(num|finish_reason|training|inference|batch|estimated|prompt|logprob|max_prob|selected).*")
#: Tokens that were used; completion tokens are those of the output, and of a prompt that was echoed.
USED = (("num_prompt_tokens",), ("num_output_tokens", "num_completion_tokens"))


def is_helm(opening: Opening) -> bool:
    """Whether the name is that of statistics of instances."""
    return opening.path.name == NAME


def is_beside(opening: Opening) -> bool:
    """Whether a file is of a run that has its statistics, or of no run but of the whole suite."""
    return opening.path.with_name(NAME).is_file() or not opening.path.with_name(SPECIFICATION).is_file()


def read(path: Path) -> Log:
    """The statistics of every instance, without those of perturbed ones."""
    beside = path.with_name(SPECIFICATION)
    if not beside.is_file():
        raise InputError(
            f"there is no {SPECIFICATION} beside it, which names the model.",
            str(path),
            "keep the folder of a run whole.",
        )
    spec, _ = json_content(beside)
    model = str(
        (spec.get("adapter_spec") or {}).get("model") or (spec.get("adapter_spec") or {}).get("model_deployment")
    )
    task = re.sub(r"[,:]?model(_deployment)?=[^,]*", "", str(spec.get("name")))
    content, digest = json_list(path)
    plain = [(number, each) for number, each in enumerate(content, start=1) if not each.get("perturbation")]
    left_out = {"perturbed instance": len(content) - len(plain)}
    return Log(tuple(_outcomes(plain)), lambda: digest, model, task, unit="instance", left_out=left_out)


def _outcomes(content: list[tuple[int, Any]]) -> Iterator[Outcome]:
    for number, each in content:
        found = _stats(each)
        values = {name: mean for name, mean in found.items() if not OF_RUN.fullmatch(name)}
        used = [next((found[name] for name in names if found.get(name) is not None), None) for names in USED]
        tokens = [float(each) for each in used if each is not None]
        costs = {TOKENS: sum(tokens) if tokens else None, SECONDS: found.get("inference_runtime")}
        splits = [split for stat in each.get("stats") or () if (split := stat["name"].get("split"))]
        words = {"attempt": each.get("train_trial_index"), **({"split": splits[0]} if splits else {})}
        yield Outcome(number, str(each.get("instance_id")), values, costs, words)


def _stats(each: Mapping[str, Any]) -> dict[str, Any]:
    return {
        stat["name"]["name"]: stat.get("mean")
        for stat in each.get("stats") or ()
        if not stat["name"].get("perturbation")
    }


HELM = Program("HELM", is_helm, read, one_of=("split",), is_companion=is_beside)
