"""Test runs of DeepEval: a JSON file with all test cases of one system, and the scores of its metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bestofk.evidence.programs.log import DOLLARS, SECONDS, Direction, Log, Opening, Outcome, Program
from bestofk.tables.json_files import json_content

PASS = "pass"  # noqa: S105  of a test, and no password


def is_deepeval(opening: Opening) -> bool:
    """Whether the keys are those of a test run."""
    return opening.has_all("testCases", "metricsData")


def read(path: Path) -> Log:
    """The test cases; the system is called as the run, as the model among its hyperparameters, or as the file."""
    content, digest = json_content(path)
    content = content.get("testRunData") or content
    model = (content.get("hyperparameters") or {}).get("model")
    learner = content.get("identifier") or model or path.stem
    cases = content.get("testCases") or []
    return Log(
        tuple(_outcomes(cases)),
        lambda: digest,
        str(learner),
        unit="test case",
        main=PASS,
        rates=(PASS,),
        directions=(Direction(PASS, True), *_directions(cases)),
    )


def _directions(cases: list[Mapping[str, Any]]) -> Iterator[Direction]:
    """What the metrics show: a threshold is the least score that passes of some, and the largest one of others."""
    seen = set()
    for case in cases:
        for each in case.get("metricsData") or ():
            score, threshold, passed = each.get("score"), each.get("threshold"), each.get("success")
            numbers = all(isinstance(value, int | float) for value in (score, threshold))
            if each.get("error") or passed is None or not numbers or score == threshold:
                continue
            found = each["name"], (score > threshold) == bool(passed)
            if found not in seen:
                seen.add(found)
                yield Direction(*found, f"test case {case.get('name')}")


def _outcomes(cases: list[Mapping[str, Any]]) -> Iterator[Outcome]:
    for number, case in enumerate(cases, start=1):
        metrics = case.get("metricsData") or []
        failed = any(each.get("error") for each in metrics)
        values = {PASS: None if failed else case.get("success")}
        values |= {each["name"]: each.get("score") for each in metrics}
        costs = {DOLLARS: case.get("tokenCost") or case.get("evaluationCost"), SECONDS: case.get("completionTime")}
        proof = str(case.get("input", ""))[:200]
        yield Outcome(number, str(case.get("name")), values, costs, proof=proof)


DEEPEVAL = Program("DeepEval", is_deepeval, read)
