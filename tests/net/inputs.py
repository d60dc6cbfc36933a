"""Small files of results of every kind, the same on every machine and with every version of numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

Lines = Iterator[str]
FILES: dict[str, Callable[[], Lines]] = {}


def file(name: str) -> Callable[[Callable[[], Lines]], Callable[[], Lines]]:
    """Keep a maker of lines under the name of its file."""

    def keep(maker: Callable[[], Lines]) -> Callable[[], Lines]:
        FILES[name] = maker
        return maker

    return keep


def write(folder: Path) -> Path:
    """Write every file into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, maker in FILES.items():
        (folder / name).write_text("\n".join(maker()) + "\n", encoding="utf-8")
    (folder / "empty.csv").write_bytes(b"")
    (folder / "binary.csv").write_bytes(b"\x93NUMPY\x00\x01")
    return folder


def spread(draw: Random) -> float:
    """Roughly normal, of mean 0 and variance 1/4; ``Random.random`` is the same in all versions of Python."""
    return sum(draw.random() for _ in range(3)) - 1.5


ABC = {"a": 0.20, "b": 0.22, "c": 0.30}


@file("ten_folds.csv")
def ten_folds() -> Lines:
    draw = Random(1)
    yield "learner,fold,error,fit_time"
    for fold in range(1, 11):
        common = 0.03 * spread(draw)
        for name, mean in ABC.items():
            seconds = 10 * (0.4 - mean) + 0.1 * draw.random()
            yield f"{name},{fold},{mean + common + 0.02 * spread(draw):.4f},{seconds:.4f}"


@file("winner.csv")
def winner() -> Lines:
    """One learner is better than each other at alpha, and not among all pairs."""
    draw = Random(45)
    yield "learner,fold,error"
    for fold in range(1, 11):
        common = 0.03 * spread(draw)
        for name, mean in {"a": 0.16, "b": 0.22, "c": 0.23, "d": 0.24, "e": 0.25}.items():
            yield f"{name},{fold},{mean + common + 0.05 * spread(draw):.4f}"


@file("ten_by_ten.csv")
def ten_by_ten() -> Lines:
    draw = Random(2)
    yield "learner,replication,fold,accuracy"
    for replication in range(1, 11):
        for fold in range(1, 11):
            common = 0.03 * spread(draw)
            for name, mean in ABC.items():
                yield f"{name},{replication},{fold},{1 - mean + common + 0.03 * spread(draw):.4f}"


@file("folds_in_a_row.csv")
def folds_in_a_row() -> Lines:
    """Ten folds that ``--replications 5`` makes 5 × 2, with a score whose direction nobody knows."""
    draw = Random(3)
    yield "learner,fold,tastiness"
    for fold in range(1, 11):
        common = 0.03 * spread(draw)
        for name, mean in ABC.items():
            yield f"{name},{fold},{mean + common + 0.02 * spread(draw):.4f}"


@file("wide.csv")
def wide() -> Lines:
    """Rows that no column names: data sets, folds or items."""
    draw = Random(4)
    yield "a,b,c"
    for _ in range(12):
        common = 0.05 * spread(draw)
        yield ",".join(f"{mean + common + 0.03 * spread(draw):.4f}" for mean in ABC.values())


@file("wide_items.csv")
def wide_items() -> Lines:
    draw = Random(5)
    yield "a,b,c"
    for _ in range(40):
        yield ",".join(str(int(draw.random() < mean)) for mean in (0.9, 0.8, 0.5))


@file("datasets_folds.csv")
def datasets_folds() -> Lines:
    draw = Random(6)
    yield "learner,dataset,replication,fold,error"
    for dataset in range(1, 8):
        level = 0.1 * draw.random()
        for replication in range(1, 6):
            for fold in (1, 2):
                for name, mean in ABC.items():
                    yield f"{name},d{dataset},{replication},{fold},{mean + level + 0.03 * spread(draw):.4f}"


@file("datasets_gaps.csv")
def datasets_gaps() -> Lines:
    draw = Random(7)
    yield "dataset,a,b,c,d"
    for dataset in range(1, 13):
        level = 0.2 * draw.random()
        cells = [f"{mean + level + 0.04 * spread(draw):.4f}" for mean in (*ABC.values(), 0.4)]
        if dataset in (3, 9):
            cells[3] = ""
        yield f"d{dataset}," + ",".join(cells)


@file("battles.csv")
def battles() -> Lines:
    """Votes without prompts, winners by name; one model lost all its battles."""
    draw = Random(46)
    yield "model_a,model_b,winner"
    for _ in range(240):
        one, two = draw.sample(sorted(ABC), 2)
        vote = 6 * (ABC[two] - ABC[one]) + spread(draw)
        yield f"{one},{two},{'tie' if abs(vote) < 0.2 else one if vote > 0 else two}"
    yield "d,a,a"
    yield "b,d,model_a"


@file("features.csv")
def features() -> Lines:
    draw = Random(8)
    yield "dataset,rows,classes"
    for dataset in range(1, 13):
        yield f"d{dataset},{100 + int(1000 * draw.random())},{2 + int(4 * draw.random())}"


def items(left_out: tuple[tuple[str, int], ...] = ()) -> Lines:
    draw = Random(9)
    yield "learner,item,correct"
    for item in range(1, 61):
        for name, chance in {"x": 0.9, "y": 0.75, "z": 0.5}.items():
            right = int(draw.random() < chance)
            if (name, item) not in left_out:
                yield f"{name},{item},{right}"


@file("items.csv")
def items_whole() -> Lines:
    return items()


@file("items_gaps.csv")
def items_gaps() -> Lines:
    return items((("y", 5), ("y", 17)))


@file("items_graded.csv")
def items_graded() -> Lines:
    draw = Random(10)
    yield "learner,item,task,score"
    for item in range(1, 61):
        level = 0.2 * spread(draw)
        for name, mean in {"x": 0.7, "y": 0.65, "z": 0.5}.items():
            yield f"{name},{item},t{item % 3},{min(1.0, max(0.0, mean + level + 0.2 * spread(draw))):.2f}"


def probabilities(*, groups: bool) -> Lines:
    draw = Random(11)
    names = {"good": 0.35, "fair": 0.2, "poor": 0.05}
    yield ("group," if groups else "") + "truth," + ",".join(f"{name}:no,{name}:yes" for name in names)
    for item in range(200):
        truth = item // 10 % 2
        noise, cells = 0.3 * spread(draw), []
        for strength in names.values():
            yes = 0.5 + strength * (2 * truth - 1) + noise + 0.3 * spread(draw)
            yes = round(min(0.999, max(0.001, yes)), 3)
            cells += [f"{1 - yes:.3f}", f"{yes:.3f}"]
        yield (f"g{item % 10}," if groups else "") + ("yes," if truth else "no,") + ",".join(cells)


@file("probabilities.csv")
def one_test_set() -> Lines:
    return probabilities(groups=False)


@file("probabilities_groups.csv")
def several_test_sets() -> Lines:
    return probabilities(groups=True)


@file("three_classes.csv")
def three_classes() -> Lines:
    draw = Random(12)
    yield "group,truth,a,b,c"
    for item in range(300):
        truth = "xyz"[item // 10 % 3]
        said = (truth if draw.random() < chance else "xyz"[int(3 * draw.random())] for chance in (0.9, 0.7, 0.4))
        yield f"g{item % 10},{truth}," + ",".join(said)


def counts(draw: Random, rates: tuple[float, float], size: int = 40) -> str:
    tp = sum(draw.random() < rates[0] for _ in range(size))
    fp = sum(draw.random() < rates[1] for _ in range(size))
    return f"{tp},{size - tp},{fp},{size - fp}"


RATES = {"careful": (0.7, 0.1), "eager": (0.9, 0.35), "plain": (0.75, 0.25)}


@file("counts_datasets.csv")
def counts_datasets() -> Lines:
    """Data sets of different sizes: of equal vectors of differences, rounding would decide the sign of their rank."""
    draw = Random(13)
    yield "learner,dataset,tp,fn,fp,tn"
    for dataset in range(1, 11):
        for name, rates in RATES.items():
            yield f"{name},d{dataset},{counts(draw, rates, 40 + dataset)}"


@file("counts_datasets_folds.csv")
def counts_datasets_folds() -> Lines:
    draw = Random(14)
    yield "learner,dataset,fold,tp,fn,fp,tn"
    for dataset in range(1, 9):
        for fold in range(1, 6):
            for name, rates in RATES.items():
                if not (dataset == 4 and name == "plain"):
                    yield f"{name},d{dataset},{fold},{counts(draw, rates, 20 + dataset)}"


@file("counts_undefined.csv")
def counts_undefined() -> Lines:
    """A fold in which a learner predicts no positive: its precision is 0/0."""
    draw = Random(15)
    yield "learner,fold,tp,fn,fp,tn"
    for fold in range(1, 11):
        for name, rates in RATES.items():
            yield f"{name},{fold}," + ("0,40,0,40" if (name, fold) == ("careful", 2) else counts(draw, rates))


@file("two_measures.csv")
def two_measures() -> Lines:
    draw = Random(16)
    yield "learner,fold,accuracy,fit_seconds"
    for fold in range(1, 11):
        for name, mean in ABC.items():
            yield f"{name},{fold},{1 - mean + 0.03 * spread(draw):.4f},{1 / mean + 0.2 * spread(draw):.4f}"


def curves(seed: int, runs: int, steps: tuple[int, ...]) -> Iterator[tuple[str, int, int, float]]:
    draw = Random(seed)
    for run in range(1, runs + 1):
        level = 0.02 * spread(draw)
        for name, mean in ABC.items():
            for step in steps:
                yield name, run, step, 0.95 - mean * (1 + 10 / step) + level + 0.02 * spread(draw)


@file("curves_small.csv")
def curves_small() -> Lines:
    yield "learner,run,step,accuracy"
    for name, run, step, value in curves(17, 5, (10, 20, 40, 80)):
        yield f"{name},{run},{step},{value:.4f}"


@file("curves_datasets.csv")
def curves_datasets() -> Lines:
    yield "learner,dataset,run,step,accuracy"
    for dataset in range(1, 4):
        for name, run, step, value in curves(20 + dataset, 4, (10, 20, 40)):
            yield f"{name},d{dataset},{run},{step},{value - 0.05 * dataset:.4f}"


@file("curves_uneven.csv")
def curves_uneven() -> Lines:
    """One learner was measured at other steps than the others."""
    yield "learner,run,step,accuracy"
    for name, run, step, value in curves(30, 5, (10, 20, 40, 80)):
        yield f"{name},{run},{step + (5 if name == 'b' and step in (20, 40) else 0)},{value:.4f}"


@file("curves_sizes.csv")
def curves_sizes() -> Lines:
    """Learning curves over shares of data sets of different sizes."""
    yield "learner,dataset,run,step,accuracy"
    for dataset, size in (("d1", 1), ("d2", 5), ("d3", 20)):
        for name, run, step, value in curves(40 + size, 4, (10, 20, 40)):
            yield f"{name},{dataset},{run},{step * size},{value:.4f}"


@file("seeds.csv")
def seeds() -> Lines:
    draw = Random(31)
    yield "learner,seed,accuracy"
    for seed in range(1, 9):
        for name, mean in ABC.items():
            yield f"{name},{seed},{1 - mean + 0.03 * spread(draw):.4f}"


@file("seeds_unequal.csv")
def seeds_unequal() -> Lines:
    """Other numbers of runs for every model."""
    draw = Random(32)
    yield "model,seed,accuracy"
    for name, number in {"a": 5, "b": 9, "c": 7}.items():
        for seed in range(number):
            yield f"{name},{seed},{1 - ABC[name] + 0.03 * spread(draw):.4f}"


def task_seeds(tasks: int, runs: int, seed: int) -> Lines:
    draw = Random(seed)
    yield "model,task,seed,accuracy"
    for task in range(1, tasks + 1):
        level = 0.1 * draw.random()
        for run in range(runs):
            for name, mean in ABC.items():
                yield f"{name},t{task},{run},{1 - mean - level + 0.04 * spread(draw):.4f}"


@file("tasks.csv")
def tasks() -> Lines:
    yield from task_seeds(4, 5, 33)


@file("tasks_many.csv")
def tasks_many() -> Lines:
    """Enough to speak of tasks like these."""
    yield from task_seeds(12, 3, 34)


def amounts(datasets: int, folds: int, seed: int) -> Lines:
    """RMSE in other units on every data set."""
    draw = Random(seed)
    yield "learner,dataset,fold,rmse" if folds else "learner,dataset,rmse"
    for dataset in range(1, datasets + 1):
        unit = 10.0 ** (6 * draw.random() - 2)
        for fold in range(1, max(1, folds) + 1):
            for name, mean in ABC.items():
                place = f"d{dataset},{fold}" if folds else f"d{dataset}"
                yield f"{name},{place},{unit * (1 + mean + 0.04 * spread(draw)):.6g}"


@file("rmse.csv")
def rmse() -> Lines:
    yield from amounts(12, 0, 35)


@file("rmse_few.csv")
def rmse_few() -> Lines:
    yield from amounts(5, 0, 36)


@file("rmse_folds.csv")
def rmse_folds() -> Lines:
    yield from amounts(4, 10, 37)


@file("repeats.csv")
def repeats() -> Lines:
    """One result per repetition of a division that nothing tells."""
    yield "learner,repeat,accuracy"
    yield from list(seeds())[1:]


@file("constant.csv")
def constant() -> Lines:
    """Differences that do not vary: infinite statistics."""
    yield "learner,fold,error"
    for fold in range(1, 11):
        yield f"a,{fold},{0.1 + fold / 100:.2f}"
        yield f"b,{fold},{0.2 + fold / 100:.2f}"


@file("optuna.csv")
def optuna() -> Lines:
    """What a search for parameters writes: trials, not learners."""
    draw = Random(32)
    yield "number,value,datetime_start,datetime_complete,params_depth,state"
    for number in range(12):
        start, stop = (f"2026-01-01 00:0{minute}:{number:02}" for minute in (0, 1))
        yield f"{number},{draw.random():.4f},{start},{stop},{number},COMPLETE"


HEADER = "learner,replication,fold,error"
#: What is wrong with a file, and its lines.
FAULTS = {
    "header_only": [HEADER],
    "text": [HEADER, "a,1,1,0.1", "a,1,2,good", "b,1,1,0.1", "b,1,2,0.2"],
    "decimal_comma": [HEADER, 'a,1,1,"0,1"', "b,1,1,0.2"],
    "not_a_number": [HEADER, "a,1,1,nan", "a,1,2,0.1", "b,1,1,0.1", "b,1,2,0.2"],
    "infinite": [HEADER, "a,1,1,inf", "b,1,1,0.1"],
    "ragged": [HEADER, "a,1,1"],
    "row_twice": [HEADER, "a,1,1,0.1", "b,1,1,0.1", "a,1,1,0.2"],
    "missing_fold": [HEADER, "a,1,1,0.1", "a,1,2,0.1", "b,1,1,0.2"],
    "one_learner": [HEADER, "a,1,1,0.1", "a,1,2,0.1"],
    "one_fold": [HEADER, "a,1,1,0.1", "b,1,1,0.1"],
    "several_measures": ["learner,fold,error,auc", "a,1,0.1,0.9", "b,1,0.2,0.8"],
    "column_twice": ["learner,fold,error,error", "a,1,0.1,0.9"],
}
for _name, _lines in FAULTS.items():
    FILES[f"{_name}.csv"] = lambda lines=_lines: iter(lines)  # type: ignore[misc]
PLAN = [
    "seed = 3",
    'folds = "5x2"',
    'learners = ["max", "nmc", "naive-bayes", "nn"]',
    'datasets = ["iris", "wine", "two-moons"]',
    "keep_predictions = true",
]
FILES["plan.toml"] = lambda: iter(PLAN)
FILES["plan_wrong.toml"] = lambda: iter(line.replace("nmc", "nmcc") for line in PLAN)
