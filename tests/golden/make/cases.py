"""How a case is written down, and how the parts of the several programs become one file per topic.

Run as a program (`python cases.py inputs FOLDER`, `python cases.py gather FOLDER VALUES`) it writes the inputs
for the programs that are not Python, and gathers what all programs have left in FOLDER.
"""

import json
import math
import sys
from pathlib import Path

import inputs

INPUTS = inputs.everything()


def ref(name):
    """Stand for an input by name; the values are put in when the files are gathered."""
    if name not in INPUTS:
        raise KeyError(name)
    return {"input": name}


class Cases:
    """The cases of one program for one topic."""

    def __init__(self, part, topic):
        self.part = part
        self.topic = topic
        self.cases = []

    def add(
        self,
        identity,
        function,
        args,
        expect,
        source,
        *,
        kwargs=None,
        rtol=1e-9,
        atol=1e-12,
        note=None,
        **more,
    ):
        """Append one case. `source` is (program, version, call)."""
        case = {
            "id": identity,
            "function": function,
            "args": args,
            "kwargs": kwargs or {},
            "expect": expect,
            "rtol": rtol,
            "atol": atol,
            "source": dict(zip(("program", "version", "call"), source, strict=True)),
        }
        if note:
            case["note"] = note
        self.cases.append(case | more)

    def save(self, folder):
        """Leave the cases for the gathering."""
        path = Path(folder) / f"{self.topic}.{self.part}.part.json"
        path.write_text(json.dumps([encode(case) for case in self.cases]))


def encode(value):
    """Numpy to plain Python; what JSON cannot say (infinity, not a number) becomes a word."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): encode(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def resolve(value):
    """Put the inputs in the place of their names."""
    if isinstance(value, dict):
        return (
            INPUTS[value["input"]] if set(value) == {"input"} else {key: resolve(each) for key, each in value.items()}
        )
    if isinstance(value, list):
        return [resolve(each) for each in value]
    return value


def gather(folder, values):
    """One file per topic, sorted by id, one case a line: a change of one value is a change of one line."""
    topics = {}
    for part in sorted(Path(folder).glob("*.part.json")):
        topics.setdefault(part.name.split(".")[0], []).extend(json.loads(part.read_text()))
    seen = set()
    for topic, cases in sorted(topics.items()):
        for case in cases:
            if case["id"] in seen:
                raise ValueError(f"two cases are called {case['id']}")
            seen.add(case["id"])
        lines = [
            json.dumps(resolve(case), ensure_ascii=False, allow_nan=False)
            for case in sorted(cases, key=lambda case: case["id"])
        ]
        (Path(values) / f"{topic}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
        print(f"{topic}: {len(cases)} cases")


if __name__ == "__main__":
    verb, folder = sys.argv[1:3]
    if verb == "inputs":
        (Path(folder) / "inputs.json").write_text(json.dumps(INPUTS))
    elif verb == "gather":
        gather(folder, sys.argv[3])
    else:
        raise SystemExit(f"unknown verb {verb}: say inputs or gather")
