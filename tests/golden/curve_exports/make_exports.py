"""Make the files of this folder by running the programs themselves: ``python make_exports.py keras tensorboard …``.

Needs tensorflow-cpu (with keras), tensorboard, mlflow-skinny; one small problem, two nets (broad, narrow), three seeds.
TensorBoard's own server, on loopback, writes its CSV. Weights & Biases (wandb) logs without its server what
keras_histories.json has, and its run files are read back.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
NETS, SEEDS, EPOCHS = {"broad": 8, "narrow": 1}, (1, 2, 3), 4


def problem() -> tuple[np.ndarray, np.ndarray]:
    """Sixty points and whether they lie in a ring."""
    x = np.random.default_rng(0).normal(size=(60, 2)).astype("float32")
    return x, (np.hypot(*x.T) > 1.2).astype("float32")


def trained(units: int, seed: int, *callbacks: object) -> object:
    """Keras' History of one training."""
    import keras

    keras.utils.set_random_seed(seed)
    net = keras.Sequential([keras.layers.Dense(units, activation="tanh"), keras.layers.Dense(1, activation="sigmoid")])
    net.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", metrics=["accuracy"])
    x, y = problem()
    return net.fit(x, y, epochs=EPOCHS, batch_size=20, validation_split=0.3, verbose=0, callbacks=list(callbacks))


def make_keras() -> None:
    """CSVLogger's files, and the dicts of History as JSON."""
    import keras

    (HERE / "keras").mkdir(exist_ok=True)
    histories: dict[str, list[dict[str, list[float]]]] = {name: [] for name in NETS}
    for name, units in NETS.items():
        for seed in SEEDS:
            logger = keras.callbacks.CSVLogger(str(HERE / "keras" / f"{name}_seed{seed}.csv"))
            histories[name].append(trained(units, seed, logger).history)
    (HERE / "keras_histories.json").write_text(json.dumps(histories, indent=1) + "\n")


def make_tensorboard() -> None:
    """Scalars of Keras' TensorBoard callback, as the server's own CSV download has them."""
    import keras

    (HERE / "tensorboard").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as logs:
        for name, units in NETS.items():
            for seed in SEEDS[:2]:
                trained(units, seed, keras.callbacks.TensorBoard(f"{logs}/{name}_seed{seed}", write_graph=False))
        command = [sys.executable, "-m", "tensorboard.main", "--logdir", logs, "--host", "127.0.0.1", "--port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            try:
                address = next(found[0] for line in server.stderr if (found := re.search(r"http://\S+", line)))
                time.sleep(3.0)  # the server reads the logs in the background
                download(address)
            finally:
                server.terminate()


def download(address: str) -> None:
    """Fetch every run's epoch_loss of the validation set, under the name that the page gives the file."""
    tag = "epoch_loss"
    with urllib.request.urlopen(f"{address}data/runs") as answer:
        runs = [run for run in json.load(answer) if run.endswith("validation")]
    for run in runs:
        asked = urllib.parse.urlencode({"run": run, "tag": tag, "format": "csv"})
        with urllib.request.urlopen(f"{address}data/plugin/scalars/scalars?{asked}") as answer:
            text = answer.read().decode()
        (HERE / "tensorboard" / f"run-{run.replace('/', '_')}-tag-{tag}.csv").write_text(text)


def make_mlflow() -> None:
    """Histories of metrics from MlflowClient, every field that a Metric has, and the name of its run."""
    with tempfile.TemporaryDirectory() as store:
        os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
        import mlflow

        mlflow.set_tracking_uri((Path(store) / "runs").as_uri())  # a folder that MLflow makes itself
        rows = [row for name, units in NETS.items() for seed in SEEDS for row in logged(name, units, seed)]
    with (HERE / "mlflow_metric_history.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def logged(name: str, units: int, seed: int) -> list[dict[str, object]]:
    """One run logged to MLflow and read back."""
    import mlflow

    history = trained(units, seed).history
    with mlflow.start_run(run_name=f"{name}-seed{seed}") as run:
        for epoch, values in enumerate(zip(history["val_loss"], history["val_accuracy"], strict=True)):
            mlflow.log_metrics(dict(zip(("val_loss", "val_accuracy"), values, strict=True)), step=epoch)
    found = mlflow.MlflowClient()
    return [
        {**dict(metric), "run_id": run.info.run_id, "run_name": run.info.run_name}
        for key in ("val_loss", "val_accuracy")
        for metric in found.get_metric_history(run.info.run_id, key)
    ]


def make_wandb() -> None:
    """Rows that wandb writes for each call of log, two an epoch, with its own _step, _runtime and _timestamp."""
    (HERE / "wandb").mkdir(exist_ok=True)
    histories = json.loads((HERE / "keras_histories.json").read_text())
    for name in NETS:
        for seed in SEEDS[:2]:
            rows = tracked(f"{name}_seed{seed}", histories[name][seed - 1])
            columns = list(dict.fromkeys(key for row in rows for key in row))
            with (HERE / "wandb" / f"{name}_seed{seed}.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


def tracked(name: str, history: dict[str, list[float]]) -> list[dict[str, object]]:
    """One run, logged offline: training after an epoch, then validation; the records of its file."""
    import wandb

    with tempfile.TemporaryDirectory() as folder:
        run = wandb.init(mode="offline", dir=folder, project="curves", name=name, settings={"x_disable_stats": True})
        for epoch in range(EPOCHS):
            run.log({"epoch": epoch, "loss": history["loss"][epoch]})
            run.log({"epoch": epoch, "val/loss": history["val_loss"][epoch]})
        run.finish()
        wandb.teardown()  # the file is whole when the service has ended
        return logged_rows(next(Path(folder).glob("wandb/*/run-*.wandb")))


def logged_rows(path: Path) -> list[dict[str, object]]:
    """The history records of a run file: seven bytes, then records in blocks of 32 kB (checksum, length, kind)."""
    from wandb.proto import wandb_internal_pb2

    data, at, body, rows = path.read_bytes(), 7, b"", []
    while at + 7 <= len(data):
        if 32768 - at % 32768 < 7:
            at += 32768 - at % 32768
            continue
        length, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        body = (b"" if kind in (1, 2) else body) + data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # whole, or the last part
            record = wandb_internal_pb2.Record.FromString(body)
            items = record.history.item if record.WhichOneof("record_type") == "history" else ()
            rows += [{(i.key or "/".join(i.nested_key)): json.loads(i.value_json) for i in items}] if items else []
    return [dict(sorted(row.items(), key=lambda cell: (cell[0].startswith("_"), cell[0]))) for row in rows]


if __name__ == "__main__":
    made = {"keras": make_keras, "tensorboard": make_tensorboard, "mlflow": make_mlflow, "wandb": make_wandb}
    for program in sys.argv[1:] or made:
        made[program]()
