"""What is done to the features before the last estimator: the learner's encoding, or a pipeline that is understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.collecting.sharing.pipelines import Steps, steps_of
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.learners.learner import Encoding


@dataclass(frozen=True)
class Preparation:
    """Features are filled in, categories become 1-of-n, columns are scaled; all of it learnt on the training rows.

    ``scaled_numbers`` and ``scaled_ones`` say whether numbers and 1-of-n columns have variance 1; ``usable`` is false
    where the estimator would see gaps or codes of categories, which only those that ignore the features take.
    ``refuses_unseen`` says that a category which the training rows lack is an error of the plain way.
    """

    scaled_numbers: bool
    scaled_ones: bool
    usable: bool = True
    refuses_unseen: bool = False


def preparation_of(estimator: Any, encoding: Encoding, dataset: Dataset) -> tuple[Any, Preparation] | None:
    """Return the estimator at the end and what comes before it, or None where something is not understood."""
    steps = steps_of(estimator, dataset)
    if steps is None:
        return None
    if encoding.none:
        return _of_raw(steps, dataset)
    if steps.one_of_n:
        return None
    scaled = encoding.scale or steps.scales_numbers
    return steps.last, Preparation(scaled, scaled, _complete(dataset, encoding.impute) and _spread(dataset, encoding))


def _of_raw(steps: Steps, dataset: Dataset) -> tuple[Any, Preparation] | None:
    nominal = matrices_of(dataset).nominal
    if not _in_double_precision(dataset.raw) or (nominal and not steps.one_of_n):
        return None
    whole = _complete(dataset, impute=False)
    return steps.last, Preparation(steps.scales_numbers, steps.scales_ones, whole, steps.refuses_unseen)


def _complete(dataset: Dataset, impute: bool) -> bool:
    data = matrices_of(dataset)
    return impute or not (data.gaps or bool((data.codes < 0).any()))


def _spread(dataset: Dataset, encoding: Encoding) -> bool:
    return encoding.one_of_n or not matrices_of(dataset).nominal


def _in_double_precision(raw: Any) -> bool:
    """Single precision rounds elsewhere: the plain way decides such data."""
    if raw is None:
        return True
    kinds = {np.dtype(raw.dtype)} if isinstance(raw, np.ndarray) else set(getattr(raw, "dtypes", ["?"]))
    return all(str(kind) not in ("float32", "float16", "Float32", "longdouble", "float128") for kind in kinds)
