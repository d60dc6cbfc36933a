"""Predictions of items: repeated cross-validation of three learners, as tables that people have."""

import numpy as np

from makers_measures import run

STRENGTH = {"good": 2.0, "fair": 1.0, "poor": 0.3}
HEAD = "learner,item,replication,fold,truth,probability"
TRUTH = np.arange(100) % 2
WORD = np.where(TRUTH == 1, "yes", "no")


def folds_of(replication, folds=5, items=100):
    return np.random.default_rng(replication).permutation(items) % folds


def margins(learner, replication):
    noise = np.random.default_rng([list(STRENGTH).index(learner), replication]).normal(size=100)
    return STRENGTH[learner] * (2 * TRUTH - 1) + noise


def chances(learner, replication):
    return np.round(1 / (1 + np.exp(-margins(learner, replication))), 4)


def cells(replications=(1, 2)):
    """Lists of cells under HEAD: repeated cross-validation."""
    return [
        [name, i, r, f"f{folds_of(r)[i]}", "yes" if TRUTH[i] else "no", chances(name, r)[i]]
        for name in STRENGTH
        for r in replications
        for i in range(100)
    ]


def file_of(folder, head, lines, name="items.csv"):
    """A table of these lines."""
    path = folder / name
    path.write_text("\n".join([head, *(",".join(map(str, line)) for line in lines)]) + "\n", encoding="utf-8")
    return path


def refused(*words, wrong="", where="", fix=""):
    """Check what the command refuses to judge, and return its three lines."""
    answer = run("judge", *words)
    assert answer.exit_code == 2, answer.output
    lines = answer.stderr.strip().splitlines()
    assert len(lines) == 3, lines
    for line, part in zip(lines, (wrong, where, fix), strict=True):
        assert part in line
    return lines


def class_file(folder, classes, *, constant=True):
    """Five folds of two learners; a constant one says the first class on all of the third fold."""
    rng = np.random.default_rng(0)
    lines = []
    for name in "ab":
        for item in range(60):
            truth = classes[item % len(classes)]
            said = truth if rng.random() < 0.7 else classes[rng.integers(len(classes))]
            said = classes[0] if constant and name == "a" and item // 12 == 2 else said
            lines.append((name, item, item // 12, truth, said))
    return file_of(folder, "learner,item,fold,truth,prediction", lines)
