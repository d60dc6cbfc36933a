"""bestofk: which of my K learning algorithms is best, in what order do the others follow, and how sure may I be?

>>> import bestofk as bk
>>> bk.stats.pairwise.paired_t([.31, .28, .35], [.21, .22, .20]).df
(2.0,)
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# The front door: public name → where it lives, imported when first used.
_HOME = {
    "collect": "bestofk.verbs",
    "cross_validate_many": "bestofk.collecting.sharing.many",
    "compare": "bestofk.verbs",
    "judge": "bestofk.verbs",
    "order": "bestofk.verbs",
    "read": "bestofk.verbs",
    "report": "bestofk.verbs",
    "Curves": "bestofk.evidence",
    "Items": "bestofk.evidence",
    "Plan": "bestofk.design.plan",
    "Scores": "bestofk.evidence",
    "Verdict": "bestofk.judging",
    "stats": "bestofk.stats",
    "ordering": "bestofk.ordering",
    "testing": "bestofk.testing",
    "BestOfKError": "bestofk.core.errors",
    "InputError": "bestofk.core.errors",
    "UnknownName": "bestofk.core.errors",
    "MissingExtra": "bestofk.core.errors",
}

__all__ = [
    "BestOfKError",
    "Curves",
    "InputError",
    "Items",
    "MissingExtra",
    "Plan",
    "Scores",
    "UnknownName",
    "Verdict",
    "collect",
    "compare",
    "cross_validate_many",
    "judge",
    "order",
    "ordering",
    "read",
    "report",
    "stats",
    "testing",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'bestofk' has no attribute {name!r}")
    home = _HOME[name]
    module = import_module(home)
    value = module if home == f"bestofk.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
