"""What names are of: learners, data sets, folds; and a table of both without a heading that says which are in rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from bestofk.core.errors import InputError
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.request import Request
from bestofk.tables.table import Table

#: What people call learners in tables of results, in small letters and digits; plans know more.
LEARNERS = frozenset(
    {
        *("adaboost", "bagging", "bayesnet", "bert", "c45", "c50", "cart", "catboost", "cnn", "decisionstump"),
        *("decisiontree", "elasticnet", "extratrees", "gaussiannb", "gbdt", "gbm", "gpt", "gradientboosting", "gru"),
        *("ibk", "id3", "j48", "jrip", "lasso", "lgbm", "lightgbm", "linearsvc", "llama", "logistic", "logreg", "lstm"),
        *("mlp", "naivebayes", "oner", "perceptron", "randomforest", "resnet", "ripper", "rnn", "smo", "svc", "svr"),
        *("tabnet", "tabpfn", "transformer", "vit", "xgb", "xgboost", "zeror", "logisticregression"),
    }
)
#: The same for data sets.
DATASETS = frozenset(
    {
        *("abalone", "adult", "anneal", "audiology", "australian", "autos", "bank", "boston", "bupa", "california"),
        *(
            "cifar10",
            "cifar100",
            "covertype",
            "credit",
            "ecoli",
            "fashionmnist",
            "german",
            "glass",
            "heart",
            "hepatitis",
        ),
        *("higgs", "housing", "hypothyroid", "imagenet", "ionosphere", "labor", "letter", "lymph", "magic", "mnist"),
        *("mushroom", "optdigits", "pendigits", "pima", "satimage", "segment", "sick", "sonar", "soybean", "spambase"),
        *("splice", "vehicle", "votes", "vowel", "waveform", "wdbc", "yeast", "zoo"),
    }
)
#: More rows than these are no learners.
MOST = 100
#: What names of one word and a number may be of.
NUMBERED = ("learner", "dataset", "replication", "fold", "item")
_NUMBERED = re.compile(r"(.*?[^\W\d])[\W_]*\d+")


def role_of_names(names: Sequence[str]) -> str:
    """What names are of, where that can be told: all numbered alike, or at least half of them known; else "".

    Examples
    --------
    >>> role_of_names(["fold1", "fold2"]), role_of_names(["SVM", "5-NN", "ours"]), role_of_names(["Iris", "wine", "x"])
    ('fold', 'learner', 'dataset')
    >>> role_of_names(["a", "b"]), role_of_names(["svm", "iris"])
    ('', '')
    """
    numbered = {match[1] if (match := _NUMBERED.fullmatch(name.strip())) else "" for name in names}
    roles = roles_of_name(numbered.pop()) if len(numbered) == 1 else ()
    if roles and roles[0] in NUMBERED:
        return roles[0]
    learners, datasets = (sum(map(known, names)) for known in (_is_learner, _is_dataset))
    for role, own, other in (("learner", learners, datasets), ("dataset", datasets, learners)):
        if other == 0 and 2 * own >= len(names) > 0:
            return role
    return ""


def row_role(table: Table, column: str, columns: Sequence[str], request: Request) -> str:
    """What a column of words beside columns of numbers names: learners, or what the rows are that learners have.

    "" where learners are in columns and nothing tells what rows are; where nothing tells where they are, that is asked.
    """
    rows = table.text(column).used
    if request.learners is not None and set(request.learners) & {*rows, *columns}:
        return "learner" if not set(request.learners) <= set(columns) else ""
    if request.nameless_rows != "datasets" or request.rows is not None:
        return ""
    of_rows, of_columns = role_of_names(rows), role_of_names(columns)
    if of_rows != "learner" and (of_columns == "learner" or of_rows not in ("", of_columns)):
        return of_rows
    if of_columns != "learner" and (of_rows == "learner" or of_columns != ""):
        return "learner"
    raise _asked(table, column, rows, columns)


def _asked(table: Table, column: str, rows: Sequence[str], columns: Sequence[str]) -> InputError:
    down, across = (f"{', '.join(names[:2])}{' …' if len(names) > 2 else ''}" for names in (rows, columns))
    index, nameless = column in table.index, column.startswith("unnamed")
    what = "the index" if index else "the first column, which has no name," if nameless else f"the column {column}"
    learner, dataset = (
        f"frame.rename_axis({word!r})" if index else f"call it {word}" for word in ("learner", "dataset")
    )
    return InputError(
        f"{what} may name learners or data sets: are {down} learners and {across} data sets, or the other way round?",
        table.source if index or nameless else table.where(column=column),
        f"{learner} (or say --transpose) if {down} are learners, and name the measure (--measure accuracy); {dataset} "
        f"if {across} are.",
    )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.partition("(")[0].lower())


def _is_learner(name: str) -> bool:
    word = _plain(name)
    shorter = word.strip("0123456789")
    return bool({word, shorter} & _learners()) or shorter.endswith(("classifier", "regressor"))


def _is_dataset(name: str) -> bool:
    return _plain(name) in _datasets()


@cache
def _learners() -> frozenset[str]:
    from bestofk.design.learners import shelf

    return LEARNERS | {_plain(name) for name in shelf.LEARNERS if name != "mean"}


@cache
def _datasets() -> frozenset[str]:
    from bestofk.design.datasets import shelf

    return DATASETS | {_plain(name) for name in shelf.DATASETS}
