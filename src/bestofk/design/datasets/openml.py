"""OpenML: ``openml:61`` is fetched once by scikit-learn and kept in its data folder."""

from __future__ import annotations

from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.design.dataset import Dataset
from bestofk.design.datasets.building import dataset_of_table
from bestofk.design.datasets.frames import table_of_frame
from bestofk.design.datasets.table import Wishes

PREFIX = "openml:"


def dataset_of_openml(text: str, wishes: Wishes) -> Dataset:
    """Return a data set of OpenML by its id; its default target unless another is named."""
    where = f"data set {text}"
    number = text[len(PREFIX) :].strip()
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{text} has no number.", where, "write openml: and the data set's id, such as openml:61.")
    bunch = _fetched(int(number), where)
    name = wishes.name or str(bunch.details.get("name", f"openml-{number}"))
    target = wishes.target or _only_target(bunch, where)
    table = table_of_frame(bunch.frame, name, text.lower())
    settled = Wishes(name, target, wishes.groups, wishes.ordered, wishes.nominal, wishes.drop, wishes.task)
    return dataset_of_table(table, settled)


def _fetched(number: int, where: str) -> Any:
    need("pandas", purpose="data sets of OpenML")
    from sklearn.datasets import fetch_openml

    try:
        return fetch_openml(data_id=number, as_frame=True, parser="auto")
    except OSError as error:
        raise InputError(
            f"OpenML cannot be reached: {getattr(error, 'reason', None) or error}.",
            where,
            "check the network, or download the data set as ARFF and give the file.",
        ) from None
    except ValueError as error:
        raise InputError(
            f"OpenML has no such data: {str(error).strip().rstrip('.')}.", where, "look the id up at openml.org."
        ) from None


def _only_target(bunch: Any, where: str) -> str:
    names = list(bunch.target_names or [])
    if len(names) == 1:
        return str(names[0])
    raise InputError(
        f"OpenML names {len(names)} targets{': ' + ', '.join(names) if names else ''}.",
        where,
        f"name the target. Columns: {', '.join(map(str, bunch.frame.columns))}.",
    )
