"""Evidence in several measures, for the tests of several measures, of reports and of figures."""

from pathlib import Path

import numpy as np
import pandas as pd
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main

EXAMPLES = Path(__file__).parent.parent / "examples"
TWO_CLASS = str(EXAMPLES / "two_class.csv")


def counts_of(rates, folds=10, positives=100, negatives=100, seed=0):
    """Scores with counts: rates is {learner: (tpr, fpr)}; the folds share their difficulty."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 0.02, (folds, 2))
    table = []
    for tpr, fpr in rates.values():
        tp = rng.binomial(positives, np.clip(tpr + hard[:, 0], 0, 1))
        fp = rng.binomial(negatives, np.clip(fpr + hard[:, 1], 0, 1))
        table.append(np.stack([tp, positives - tp, fp, negatives - fp], axis=-1))
    counts = np.array(table, dtype=float)[:, None, None]
    error = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    return bk.Scores(learners=tuple(rates), values=error, counts=counts, measure="error", larger_is_better=False)


def columns(first, second, names=("tpr", "fpr"), larger=(True, False)):
    """Two learners with p measures on k folds, given as (k, p) each."""
    both = np.stack([first, second])[:, None, None]
    return bk.Scores(
        learners=("a", "b"),
        values=both[..., 0],
        measure=names[0],
        larger_is_better=larger[0],
        others={name: both[..., i] for i, name in enumerate(names) if i},
    )


def over(datasets=12, gap=0.1, seed=0):
    """Three learners over data sets in fpr and fnr: b trades with a, c is worse than a in both."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.1, 0.4, (1, datasets, 1, 1, 2))
    values = (
        base
        + rng.normal(0, 0.01, (3, datasets, 1, 4, 2))
        + gap * np.array([[0, 0], [1, -1], [1, 1]])[:, None, None, None]
    )
    return bk.Scores(
        learners=("a", "b", "c"),
        datasets=tuple(f"d{i}" for i in range(datasets)),
        values=values[..., 0],
        measure="fpr",
        larger_is_better=False,
        others={"fnr": values[..., 1]},
    )


MOVED = {"low": (0.95, 0.15), "high": (0.85, 0.05)}  # the same error, other mistakes


THREE = {"a": (0.9, 0.1), "b": (0.85, 0.14), "c": (0.8, 0.2)}


def counts_csv(tmp_path, lines):
    path = tmp_path / "r.csv"
    path.write_text("learner,fold,tp,fn,fp,tn\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def run(*words):
    """The command, as typed."""
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def three_lines(answer, *, wrong, where, fix):
    """Check an error of the command: what is wrong, where, what to do."""
    assert answer.exit_code == 2
    lines = answer.stderr.splitlines()
    assert len(lines) == 3
    for line, part in zip(lines, (wrong, where, fix), strict=True):
        assert part in line


def items_of(name, classes=("n", "y"), folds=4, rows=24, seed=0, learners=("a", "b", "c")):
    rng = np.random.default_rng(seed)
    truth = np.tile(classes, rows * folds // len(classes))
    parts = []
    for place, learner in enumerate(learners):
        right = rng.random(truth.size) < 0.9 - 0.12 * place
        said = np.where(right, truth, rng.choice(classes, truth.size))
        keys = {"learner": learner, "dataset": name, "item": range(truth.size), "fold": np.arange(truth.size) // rows}
        parts.append(pd.DataFrame({**keys, "truth": truth, "prediction": said}))
    return pd.concat(parts, ignore_index=True)


def items_of_datasets(number=7, **options):
    return pd.concat([items_of(f"d{i}", seed=i, **options) for i in range(number)], ignore_index=True)


STRENGTH = {"good": 2.2, "fair": 1.2, "poor": 0.4}


LADDER = "tpr@0.3,fpr@0.3,tpr@0.6,fpr@0.6"


def probability_lines(*, groups=False, items=300, seed=0, strength=STRENGTH):
    """Truth, scores of the positive class, and the lines of a file of probabilities."""
    rng = np.random.default_rng(seed)
    truth = np.arange(items) // 10 % 2  # both classes in every group
    noise = rng.normal(0, 1, items)
    scores = {
        name: np.round(1 / (1 + np.exp(-(each * (2 * truth - 1) + noise + rng.normal(0, 1, items)))), 6)
        for name, each in strength.items()
    }
    heading = ",".join(f"{name}:no,{name}:yes" for name in scores)
    lines = [("group," if groups else "") + "truth," + heading]
    for i in range(items):
        cells = ",".join(f"{1 - each[i]:.6f},{each[i]:.6f}" for each in scores.values())
        lines.append((f"f{i % 10}," if groups else "") + ("yes," if truth[i] else "no,") + cells)
    return truth, scores, "\n".join(lines) + "\n"


def three_classes_csv(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["group,truth,a,b"]
    for i in range(300):
        truth = "xyz"[i // 10 % 3]
        lines.append(f"f{i % 10},{truth}," + ",".join(truth if rng.random() < q else "xyz"[i % 3] for q in (0.9, 0.5)))
    path = tmp_path / "three.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path), [line.split(",") for line in lines[1:]]


def few_counts_csv(tmp_path):
    path = tmp_path / "counts.csv"
    rows = "".join(f"{n},{f},{8 - f % 2},{2 + f % 2},{f % 3},{10 - f % 3}\n" for n in "ab" for f in range(6))
    path.write_text("learner,fold,tp,fn,fp,tn\n" + rows)
    return str(path)


def saved(tmp_path, text, name="r.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def three_counts_csv(tmp_path, folds=10, seed=0):
    counts = counts_of(THREE, folds=folds, seed=seed).counts[:, 0, 0].astype(int)
    lines = [
        f"{name},{fold + 1},{','.join(map(str, counts[k, fold]))}"
        for k, name in enumerate(THREE)
        for fold in range(folds)
    ]
    return counts_csv(tmp_path, lines)


def probabilities_file(tmp_path, turned=False, classes="np", folds=10, each=12):
    """Two learners, ten folds; the probability of the second class, or of the first where it is turned round."""
    rng = np.random.default_rng(3)
    lines = ["learner,item,fold,truth,probability"]
    for learner, noise in (("a", 0.25), ("b", 0.35)):
        for item in range(folds * each):
            chance = np.clip(0.5 + (0.25 if item % 2 else -0.25) + rng.normal(0, noise), 0.01, 0.99)
            chance = 1 - chance if turned else chance
            lines.append(f"{learner},{item},{item // each + 1},{classes[item % 2]},{chance:.3f}")
    return saved(tmp_path, "\n".join(lines) + "\n")


def class_probabilities_csv(tmp_path):
    rng = np.random.default_rng(5)
    lines = ["learner,item,fold,truth,x,y,z"]
    for learner, sure in (("a", 3.0), ("b", 1.0)):
        for item in range(90):
            weights = rng.random(3) + sure * (np.arange(3) == item % 3)
            shares = weights / weights.sum()
            lines.append(f"{learner},{item},{item // 18},{'xyz'[item % 3]}," + ",".join(f"{s:.6f}" for s in shares))
    return saved(tmp_path, "\n".join(lines) + "\n")


def long_table(classes, good=1.2, seed=0):
    """Two learners' probabilities of the second class as scikit-learn sorts them; ``sure`` is the better one."""
    rng = np.random.default_rng(seed)
    truth = np.tile([0, 1], 40)
    parts = []
    for name, shift in (("sure", 2 * good), ("vague", good / 2)):
        scores = 1 / (1 + np.exp(-(shift * (truth - 0.5) + rng.normal(size=80))))
        parts.append(
            pd.DataFrame(
                {"learner": name, "item": range(80), "truth": np.array(classes)[truth], "probability": scores.round(6)}
            )
        )
    return pd.concat(parts, ignore_index=True)


def item_frame(learners=("a", "b", "c"), folds=6, rows=30, seed=0):
    """A long table of probabilities of two classes; the first learner is better than the others."""
    rng = np.random.default_rng(seed)
    parts = []
    for place, name in enumerate(learners):
        truth = np.tile([0, 1], folds * rows // 2)
        given = 1 / (1 + np.exp(-(2.5 / (1 + place) * (2 * truth - 1) + rng.normal(size=truth.size))))
        keys = {"learner": name, "item": range(truth.size), "fold": np.arange(truth.size) // rows}
        parts.append(pd.DataFrame({**keys, "truth": np.array(["no", "yes"])[truth], "probability": given}))
    return pd.concat(parts, ignore_index=True)


def counts_frame(learners=("a", "b"), folds=8, seed=0, positives=(40, 40), negatives=60):
    rng = np.random.default_rng(seed)
    rows = []
    for place, name in enumerate(learners):
        for fold in range(folds):
            tp = rng.binomial(positives[place], 0.9 - 0.2 * place)
            fp = rng.binomial(negatives, 0.1)
            rows.append((name, fold, tp, positives[place] - tp, fp, negatives - fp))
    return pd.DataFrame(rows, columns=["learner", "fold", "tp", "fn", "fp", "tn"])


def error_of(table):
    return (table.fn + table.fp) / (table.tp + table.fn + table.fp + table.tn)


def class_frame(seed=0, folds=8, rows=30):
    rng = np.random.default_rng(seed)
    truth = np.tile(list("xyz"), folds * rows // 3)
    parts = []
    for name, right in (("a", 0.9), ("b", 0.6)):
        said = np.where(rng.random(truth.size) < right, truth, rng.choice(list("xyz"), truth.size))
        keys = {"learner": name, "item": range(truth.size), "fold": np.arange(truth.size) // rows}
        parts.append(pd.DataFrame({**keys, "truth": truth, "prediction": said}))
    return pd.concat(parts, ignore_index=True)


def many_datasets_frame(number=7, **options):
    """Items of several data sets, with five folds or six, under names of their own for folds and classes."""
    parts = []
    for d in range(number):
        table = item_frame(folds=5 + d % 2, seed=d, **options).assign(dataset=f"set{d}")
        table["fold"] += 10 * (d % 2)
        parts.append(table)
    return pd.concat(parts, ignore_index=True)


def as_counts(table, threshold=0.5):
    """The same folds as a table of counts, made by pandas."""
    said = table.probability >= threshold
    true = table.truth == "yes"
    cells = {"tp": true & said, "fn": true & ~said, "fp": ~true & said, "tn": ~true & ~said}
    return table.assign(**cells).groupby(["learner", "dataset", "fold"], as_index=False)[list(cells)].sum()


def rates_frame(rates, folds=10, rows=200, seed=0):
    """Counts of {learner: (tpr, fpr)}, as many negatives as positives."""
    rng, made = np.random.default_rng(seed), []
    for name, (tpr, fpr) in rates.items():
        tp, fp = rng.binomial(rows, tpr, folds), rng.binomial(rows, fpr, folds)
        cells = {"tp": tp, "fn": rows - tp, "fp": fp, "tn": rows - fp}
        made.append(pd.DataFrame({"learner": name, "fold": range(folds), **cells}))
    return pd.concat(made, ignore_index=True)


TWO = {"a": (0.95, 0.05), "b": (0.8, 0.06)}


def scores_of(values, names):
    others = {name: values[..., i] for i, name in enumerate(names) if i}
    own = {"measure": names[0], "larger_is_better": True, "learners": ("a", "b")}
    return bk.Scores(values=values[..., 0], others=others, **own)


def chance_frame(turned=False):
    rng = np.random.default_rng(0)
    truth = np.tile([0, 1], 40)
    parts = []
    for name, spread in (("a", 0.2), ("b", 0.5)):
        chance = np.clip(0.25 + 0.5 * truth + rng.normal(0, spread, 80), 0, 1)
        words = np.array(["n", "y"])
        keys = {"learner": name, "item": range(80), "fold": np.arange(80) // 10, "truth": words[truth]}
        given = 1 - chance if turned and name == "a" else chance
        parts.append(pd.DataFrame({**keys, "prediction": words[(chance > 0.5).astype(int)], "probability": given}))
    return pd.concat(parts, ignore_index=True)


def over_sets(learners, datasets, rates):
    """(tpr, fpr) of every learner on every data set, by their numbers."""
    cells = [(k, d, *rates(k, d)) for k in range(learners) for d in range(datasets)]
    rows = [{"learner": f"l{k}", "dataset": f"d{d}", "tpr": tpr, "fpr": fpr} for k, d, tpr, fpr in cells]
    return pd.DataFrame(rows)


def counts_by_fold(folds=8):
    """40 positives and 60 negatives in every fold; b misses more, c raises more alarms."""
    rng = np.random.default_rng(3)
    made = {}
    for f in range(1, folds + 1):
        for name, fn, fp in (("a", 3, 4), ("b", 9, 4), ("c", 3, 12)):
            missed, alarms = fn + int(rng.integers(3)), fp + int(rng.integers(3))
            made[name, f] = [40 - missed, missed, alarms, 60 - alarms]
    return made


def named_counts_csv(path, table, names=None):
    """A file of counts of learners a, b and c under other names."""
    quoted = {name: '"' + (names or {}).get(name, name).replace('"', '""') + '"' for name in "abc"}
    lines = [f"{quoted[name]},{fold}," + ",".join(map(str, each)) for (name, fold), each in table.items()]
    path.write_text("learner,fold,tp,fn,fp,tn\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def pairs_of(verdict):
    """All pairs of a verdict."""
    return [verdict.comparison.pair(*names) for names in verdict.comparison.pairs]


def by_holm(pvalues):
    """P values adjusted by Holm's procedure, step by step."""
    found, least = [0.0] * len(pvalues), 0.0
    for step, place in enumerate(sorted(range(len(pvalues)), key=lambda i: pvalues[i])):
        least = max(least, min(1.0, (len(pvalues) - step) * pvalues[place]))
        found[place] = least
    return found


def codes(verdict):
    """Advice by code."""
    return {each.code: each for each in verdict.advice}
