"""Three schemes on two data sets by Weka's Experimenter, 5 runs of 2 folds. Usage: weka_files.py FOLDER_OF_ARFF."""

import sys
from itertools import combinations

import pandas as pd
import weka.core.jvm as jvm
from jpype import JArray, JClass, JDouble
from recording import PEERS, by, corrected_t_of_all_pairs, means, record
from weka.core.converters import Loader
from weka.experiments import ResultMatrix, SimpleCrossValidationExperiment, Tester

SCHEMES = [
    "weka.classifiers.rules.ZeroR",
    "weka.classifiers.bayes.NaiveBayes",
    "weka.classifiers.trees.J48 -C 0.25 -M 2",
]
NAMES = ["ZeroR", "NaiveBayes", "J48"]
TARGET = PEERS / "weka_experiment.csv"


def run(folder):
    """Let the Experimenter write its CSV."""
    datasets = [f"{folder}/iris.arff", f"{folder}/glass.arff"]
    experiment = SimpleCrossValidationExperiment(datasets, SCHEMES, runs=5, folds=2, result=str(TARGET))
    experiment.setup()
    experiment.run()


def weka_says(base):
    """Weka's own corrected paired t test on Percent_correct against one scheme, two-sided at 0.05."""
    data = Loader(classname="weka.core.converters.CSVLoader").load_file(str(TARGET))
    tester = Tester(classname="weka.experiment.PairedCorrectedTTester")
    matrix = ResultMatrix(classname="weka.experiment.ResultMatrixPlainText")
    matrix.jobject.setMeanPrec(6)
    tester.resultmatrix = matrix
    tester.instances = data
    tester.result_columns = ["Key_Scheme"]  # the empty options of two schemes come back from CSV as missing
    tester.header(data.attribute_by_name("Percent_correct").index)  # settles the key columns
    text = tester.multi_resultset_full(base, data.attribute_by_name("Percent_correct").index)
    call = f"PairedCorrectedTTester.multiResultsetFull({base}, Percent_correct), v better, * worse than the first, 0.05"
    return by(
        "weka", call, version=VERSION, base=NAMES[base], text=[line.rstrip() for line in text.splitlines() if line]
    )


def weka_p(scores):
    """Two-sided p of Weka's corrected t for every pair on one data set (2 folds: test and training have one size)."""
    found = {}
    for a, b in combinations(scores, 2):
        pair = JClass("weka.experiment.PairedStatsCorrected")(0.05, 1.0)
        pair.add(JArray(JDouble)(scores[a].tolist()), JArray(JDouble)(scores[b].tolist()))
        pair.calculateDerived()
        found[f"{a} / {b}"] = {
            "pvalue": float(pair.differencesProbability),
            "significance": int(pair.differencesSignificance),
        }
    return found


jvm.start(packages=False, system_info=False)
VERSION = str(JClass("weka.core.Version").VERSION)
run(sys.argv[1])
frame = pd.read_csv(TARGET)
conclusions = [weka_says(base) for base in range(3)]
for dataset in frame.Key_Dataset.unique():
    rows = frame[frame.Key_Dataset == dataset]
    scores = {name: rows.Percent_correct[rows.Key_Scheme.str.endswith("." + name)].to_numpy() for name in NAMES}
    call = "PairedStatsCorrected(0.05, 1.0) on Percent_correct; significance 1: first larger, -1: second larger"
    conclusions += [
        by("pandas", "mean of Percent_correct", dataset=dataset, mean=means(scores)),
        by("weka", call, version=VERSION, dataset=dataset, pairs=weka_p(scores)),
        {"dataset": dataset, **corrected_t_of_all_pairs(scores, 1.0)},
    ]
record(
    TARGET.name,
    made_by={
        "program": "weka",
        "version": f"{VERSION} (in python-weka-wrapper3 0.3.3)",
        "call": "weka.experiment.Experiment, CrossValidationResultProducer 2 folds, 5 runs, CSVResultListener",
    },
    rows=len(frame),
    columns=frame.columns,
    reading={
        "kind": "scores",
        "learners": NAMES,
        "schemes": SCHEMES,
        "datasets": ["iris", "Glass"],
        "replications": 5,
        "folds": 2,
    },
    direction="larger for Percent_correct (the measure must be chosen or be the default); Percent_incorrect smaller",
    conclusions=conclusions,
    note="Key_Run is the replication, Key_Fold the fold, Key_Scheme with Key_Scheme_options the learner; ? is missing",
)
jvm.stop()
