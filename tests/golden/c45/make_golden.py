"""Run J48 on the data sets and write its trees, sizes and predictions to ``values.json``.

``python make_golden.py [WEKA_JAR]`` from this folder; needs Java (with its compiler), Weka 3.6.14 and the data folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from golden.c45 import sheets_of_sets as tables  # noqa: E402
from golden.c45.small_sets import SETS  # noqa: E402

OPTIONS = ("", "-U", "-S", "-R -N 3", "-C 0.1", "-M 5")
WHOLE = ("tictactoe", "vote", "car", "iris", "wine", "segment", "hepatitis", "credit", "glass", "monks1")
WHOLE += ("horse", "zoo")
HALVES = (*WHOLE, "mushroom", "pima", "breast", "cmc", "mammographic", "flare", "german_nominal", "promoters")


def main(jar: str) -> None:
    """Write files, run one Java machine over all of them, keep what it says."""
    data = tables.folder()
    if data is None:
        sys.exit("no data folder: set BESTOFK_DATA.")
    cases = [*((name, "half") for name in (*SETS, *HALVES)), *((name, "whole") for name in WHOLE)]
    with tempfile.TemporaryDirectory() as place:
        jobs = [job for name, part in cases for job in _jobs(name, part, data, Path(place))]
        (Path(place) / "jobs").write_text("\n".join(line for _, line in jobs) + "\n")
        command = ["java", "-cp", jar, str(HERE / "J48Run.java"), str(Path(place) / "jobs")]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    answers = said.split("@end\n")[:-1]
    found = [{**job, **_parsed(answer)} for (job, _), answer in zip(jobs, answers, strict=True)]
    source = "Weka 3.6.14 (Debian package weka), weka.classifiers.trees.J48, through J48Run.java"
    lines = ",\n".join(json.dumps(each) for each in found)
    (HERE / "values.json").write_text(f'{{"source": {json.dumps(source)}, "cases": [\n{lines}\n]}}\n')


def _jobs(name: str, part: str, data: Path, place: Path) -> list[tuple[dict[str, str], str]]:
    sheet = SETS[name] if name in SETS else tables.read(name, data)
    train, test = tables.halves(sheet) if part == "half" else (sheet, None)
    path = place / f"{name}-{part}.arff"
    path.write_text(train.arff())
    asked = place / f"{name}-{part}-test.arff" if test else "-"
    if test:
        asked.write_text(test.arff())
    return [({"set": name, "part": part, "options": each}, f"{path}\t{asked}\t{each}") for each in OPTIONS]


def _parsed(answer: str) -> dict[str, object]:
    head, tree = answer.split("@tree\n")
    fields = dict(line[1:].split(" ", 1) for line in head.splitlines())
    body = tree.split("\n", 2)[2].split("\nNumber of Leaves")[0].strip("\n")
    predicted = (
        {"predictions": fields["predictions"], "sum": float(fields["probabilities"])} if fields["predictions"] else {}
    )
    return {"leaves": int(fields["leaves"]), "size": int(fields["size"]), "tree": body, **predicted}


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/java/weka.jar")
