"""Where evidence came from and how it was understood."""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.stats.results import Fields

#: Code of a reading to confirm, and the sentence that goes with it: folds in a row may be repeated, or random splits.
ONE_REPLICATION = "one-replication"
ONE_REPLICATION_NOTE = (
    "nothing says whether the folds are repeated or are random splits: read as one replication "
    "(replications= or test_fraction= otherwise)"
)


@dataclass(frozen=True, eq=False, repr=False)
class Origin(Fields):
    """Source of evidence: a path or a kind of object, the hash of its content, and how it was read.

    ``notes`` say back what was not plain from the names alone, one sentence each ("column 'model' was read as
    learner"); ``assumed`` are the codes of readings that a person should confirm (``"rows-are-datasets"``,
    ``"one-replication"``).
    """

    source: str = "arrays"
    sha256: str = ""
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
