"""One data set of several: the scores or the curves of it alone."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.evidence.curves import Curves
from bestofk.evidence.items import Items
from bestofk.evidence.scores import Scores

WHERE = "argument dataset"


def of_dataset(evidence: Scores | Items | Curves, dataset: str) -> Scores | Items | Curves:
    """Return the evidence of this data set; items are chosen by the rows of their table, before they are read."""
    if isinstance(evidence, Items):
        return evidence
    known = datasets_of(evidence)
    if not known:
        raise no_datasets(dataset)
    if dataset not in known:
        raise unknown(dataset, known, what="data set", where=WHERE)
    return evidence.without(datasets=[name for name in known if name != dataset])


def datasets_of(evidence: Scores | Curves) -> tuple[str, ...]:
    """The data sets by name; none where curves do not tell them apart."""
    if isinstance(evidence, Scores):
        return evidence.datasets
    return tuple(dict.fromkeys(name for names in evidence.datasets for name in names))


def no_datasets(dataset: str) -> InputError:
    """The error where nothing names data sets."""
    return InputError(f"dataset is {dataset!r}, and there are no data sets.", WHERE, "leave it out.")


def refuse_items_read_already(evidence: Scores | Items | Curves, dataset: str | None) -> None:
    """Items keep no data sets: they are to be chosen where the items are read."""
    if dataset is not None and isinstance(evidence, Items):
        raise InputError(
            f"dataset is {dataset!r}, and these items were read already, without the names of their data sets.",
            f"{WHERE}, {evidence.origin.source}",
            f"read the file or the frame itself with it: bk.read(source, dataset={dataset!r}).",
        )
