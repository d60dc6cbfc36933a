"""Two classifiers of aeon on four of its data sets and three resamples, run and evaluated by tsml-eval.

Runs in an environment with tsml-eval, which brings aeon. Usage: aeon_files.py SCRATCH_FOLDER. Of the files of single
resamples those of one data set are kept, without the time and the encoder in their first line.
"""

import sys
from pathlib import Path

from aeon.classification.distance_based import KNeighborsTimeSeriesClassifier
from aeon.classification.feature_based import SummaryClassifier
from aeon.datasets import load_arrow_head, load_gunpoint, load_italy_power_demand, load_unit_test
from sklearn.ensemble import RandomForestClassifier
from tsml_eval.evaluation import evaluate_classifiers_from_file
from tsml_eval.experiments import run_classification_experiment
from tsml_eval.utils.resampling import stratified_resample_data

PEERS = Path(__file__).resolve().parent.parent
DATASETS = {
    "ArrowHead": load_arrow_head,
    "GunPoint": load_gunpoint,
    "ItalyPowerDemand": load_italy_power_demand,
    "UnitTest": load_unit_test,
}
CLASSIFIERS = {
    "Nearest": lambda seed: KNeighborsTimeSeriesClassifier(distance="euclidean"),
    "Summary": lambda seed: SummaryClassifier(estimator=RandomForestClassifier(10, random_state=seed)),
}


def run(folder):
    """Let tsml-eval run every classifier, and return the files that it writes."""
    for dataset, load in DATASETS.items():
        given = (*load(split="train"), *load(split="test"))
        for resample in range(3):
            parts = stratified_resample_data(*given, resample) if resample else given
            for name, made in CLASSIFIERS.items():
                run_classification_experiment(
                    *parts,
                    made(resample),
                    str(folder),
                    classifier_name=name,
                    dataset_name=dataset,
                    resample_id=resample,
                    benchmark_time=False,
                )
    return sorted(folder.glob("*/Predictions/*/testResample*.csv"))


def keep(path, kept, comment=True):
    """Copy a file, without what its first line says behind the fifth comma."""
    lines = path.read_text("utf-8").splitlines()
    lines[0] = lines[0] if comment else ",".join(lines[0].split(",")[:5]) + ","
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    scratch = Path(sys.argv[1]).resolve()
    files = run(scratch)
    for path in files:
        if path.parent.name == "UnitTest":
            keep(path, PEERS / "aeon_resamples" / path.relative_to(scratch), comment=False)
    evaluate_classifiers_from_file([str(path) for path in files], str(scratch / "evaluated"), eval_name="all")
    for path in sorted(scratch.glob("evaluated/*/Accuracy/all_resamples/*.csv")):
        keep(path, PEERS / "aeon" / path.name)
    for path in scratch.glob("evaluated/*/Accuracy/accuracy_mean.csv"):
        keep(path, PEERS / "aeon_mean.csv")
