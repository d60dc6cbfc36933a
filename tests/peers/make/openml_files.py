"""A table of evaluations by openml's own function; what the server answers is invented, as none was asked.

Runs in an environment with openml. Usage: openml_files.py.
"""

import random
from pathlib import Path

import openml

PEERS = Path(__file__).resolve().parent.parent
FLOWS = {"sklearn.tree.DecisionTreeClassifier(1)": 0.8, "weka.J48(2)": 0.7}
SPACE = 'xmlns:oml="http://openml.org/openml"'
USERS = f"<oml:users {SPACE}><oml:user><oml:id>1</oml:id><oml:username>user</oml:username></oml:user></oml:users>"


def evaluations():
    """The answer of the server to a list of evaluations with a value for every fold."""
    rng, rows = random.Random(7), []
    for number, data in enumerate(("iris", "kc1", "sonar")):
        for flow, (name, level) in enumerate(FLOWS.items(), start=5):
            fields = {"run_id": 10 * number + flow, "task_id": 31 + number, "setup_id": flow, "flow_id": flow}
            fields |= {"flow_name": name, "data_id": number, "data_name": data, "function": "predictive_accuracy"}
            fields |= {"upload_time": "2026-01-01 00:00:00", "uploader": 1}
            fields |= {"values": [round(rng.gauss(level, 0.02), 4) for _ in range(10)]}
            rows.append("".join(f"<oml:{key}>{each}</oml:{key}>" for key, each in fields.items()))
    every = "".join(f"<oml:evaluation>{row}</oml:evaluation>" for row in rows)
    return f"<oml:evaluations {SPACE}>{every}</oml:evaluations>"


if __name__ == "__main__":
    openml._api_calls._perform_api_call = lambda call, *_: USERS if call.startswith("user") else evaluations()
    frame = openml.evaluations.list_evaluations("predictive_accuracy", size=6, per_fold=True, output_format="dataframe")
    frame.to_csv(PEERS / "openml_evaluations.csv", index=False)
