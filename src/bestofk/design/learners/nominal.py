"""Estimators that take nominal columns as such, and wait to be told which they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: A parameter of this name, left at None or "from_dtype", is told which columns hold codes of categories.
NOMINAL = "nominal_features"


def waits_for_nominal_columns(params: Mapping[str, Any]) -> bool:
    """Whether an estimator of these parameters takes nominal columns, and the user has not named them."""
    value = params.get(NOMINAL, "none of its parameters")
    return value is None or (isinstance(value, str) and value == "from_dtype")
