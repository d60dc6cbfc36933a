"""See that an installed bestofk works: ``python smoke.py EXAMPLES VERSION [EXTRA …]``, with nothing but what it needs.

Extras that are named must work; for all others the command must say in three lines how to get them.
"""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

BEST_SET = ["logistic regression", "random forest"]
PLAN = 'seed = 1\nfolds = "5-fold"\ndatasets = ["iris"]\nlearners = ["nmc", "max"]\n'


def command(*words, code=0):
    """What the installed command prints; on stderr where it is to fail."""
    program = Path(sysconfig.get_path("scripts")) / "bestofk"
    found = subprocess.run([program, *map(str, words)], capture_output=True, text=True, encoding="utf-8")
    assert found.returncode == code, f"{words} ended with {found.returncode}: {found.stdout}{found.stderr}"
    assert "Traceback" not in found.stderr, found.stderr
    return found.stderr if code else found.stdout


def answer(*words):
    return json.loads(command(*words, "--json"))


def refused(extra, *words):
    """Without an extra, three lines name it."""
    said = command(*words, code=2)
    assert f"bestofk[{extra}]" in said, said
    assert len(said.splitlines()) == 3, said


def itself(version, extras):
    """Version, doctor, completion, texts and manual pages."""
    module = subprocess.run([sys.executable, "-m", "bestofk", "--version"], capture_output=True, text=True, check=True)
    assert module.stdout == command("--version") == f"bestofk, version {version}\n"
    found = answer("doctor")
    parts = {part["name"]: part for part in found["parts"]}
    assert (found["bestofk"], found["works"]) == (version, True), found
    asked = [parts[extra] for extra in extras if extra in parts]  # a new Python may have itself what an extra brings
    assert all(part["state"] == "works" for part in asked), found
    assert parts["kernels"]["said"] == ("numba" if "fast" in extras else "numpy"), found
    assert "complete" in command("completion", "bash")
    assert "K119" in command("explain", "K119")
    pages = Path(sysconfig.get_path("data")) / "share" / "man" / "man1"
    assert (pages / "bestofk.1").is_file()
    assert (pages / "bestofk-judge.1").is_file()


def verdicts(examples):
    """The same answers by command and by Python."""
    import bestofk as bk

    classifiers, prices = examples / "classifiers.csv", examples / "model_prices.csv"
    found = answer("judge", classifiers)
    assert (found["status"], found["best"], found["best_set"]) == ("tied", None, BEST_SET)
    assert list(bk.judge(bk.read(classifiers)).best_set) == BEST_SET
    chosen = answer("judge", prices, "--prior", "price", "--within", "0.05")
    assert (chosen["status"], chosen["best"]) == ("within", "large")
    assert answer("rank", classifiers)["best_set"] == BEST_SET
    assert answer("judge", examples / "curves.csv", "--curve", "whole")["best"] == "knn"


def reports(results, extras):
    """Pages in four formats, and a picture."""
    begin = {"html": "<!doctype html>", "md": "#", "tex": "\\documentclass", "json": "{"}
    for format, first in begin.items():
        command("report", results, "-o", f"verdict.{format}")
        text = Path(f"verdict.{format}").read_text(encoding="utf-8")
        assert first in text.lower()[:1000], format
        assert all(name in text for name in BEST_SET), format
    if "plots" in extras:
        command("report", results, "--card")
        assert Path("card.png").read_bytes()[:4] == b"\x89PNG"
    else:
        refused("plots", "report", results, "--card")


def tables(results, extras):
    """Parquet and XLSX."""
    if "tables" not in extras:
        refused("tables", "read", results, "--convert", "long.parquet")
        return
    import openpyxl

    command("read", results, "--convert", "long.parquet")
    book = openpyxl.Workbook()
    for line in results.read_text(encoding="utf-8").splitlines():
        book.active.append(line.split(","))
    book.save("book.xlsx")
    for file in ("long.parquet", "book.xlsx"):
        assert answer("judge", file)["best_set"] == BEST_SET


def experiments(plan, extras):
    """A plan checked, and a small one run on every engine."""
    assert "ready to run" in command("plan", "check", plan)
    Path("plan.toml").write_text(PLAN, encoding="utf-8")
    run("local:1")
    words = ("collect", "plan.toml", "--into", "other.db", "--engine")
    if "dask" in extras:
        from distributed import LocalCluster

        with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
            run(cluster.scheduler_address)
    else:
        refused("dask", *words, "tcp://127.0.0.1:1")
    if "ray" in extras:
        run("ray")
    else:
        refused("ray", *words, "ray")


def run(engine):
    """Collect the small plan there, and judge it."""
    store = Path(f"{engine.partition(':')[0]}.db")
    command("collect", "plan.toml", "--into", store, "--engine", engine)
    assert answer("judge", store)["best_set"] == ["nmc"]


def stores(extras):
    """Without a server there is no PostgreSQL store, and that is said; without the extra, how to get it."""
    words = ("store", "info", "postgresql://nobody@127.0.0.1:1/none")
    if "postgresql" in extras:
        assert "127.0.0.1" in command(*words, code=2)
    else:
        refused("postgresql", *words)


def main():
    """All of it, in the folder that the process is in; with an extra, what it has to do with."""
    examples, version, *extras = sys.argv[1:]
    results, plan = Path(examples) / "classifiers.csv", Path(examples) / "plan.toml"
    itself(version, extras)
    verdicts(Path(examples))
    if not extras or "plots" in extras:
        reports(results, extras)
    if not extras or "tables" in extras:
        tables(results, extras)
    if not extras or {"dask", "ray"} & set(extras):
        experiments(plan, extras)
    if not extras or "postgresql" in extras:
        stores(extras)


if __name__ == "__main__":
    main()
