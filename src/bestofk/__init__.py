"""Which of my K models or learning algorithms is best, in what order do the others follow, and how sure may I be?

>>> import bestofk as bk
>>> bk.stats.pairwise.paired_t([.31, .28, .35], [.21, .22, .20]).df
(2.0,)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestofk.core.version import __version__

if TYPE_CHECKING:  # what editors and mypy see; at run time a name is imported when first used
    from bestofk import ordering, stats, testing
    from bestofk.core.errors import BestOfKError, InputError, MissingExtra, UnknownName
    from bestofk.design.plan.plan import Plan
    from bestofk.evidence import Battles, Curves, Items, Runs, Scores
    from bestofk.judging import Verdict
    from bestofk.sharing.cross_validation import cross_validate_many
    from bestofk.sklearn import compare_estimators, refit
    from bestofk.verbs import collect, compare, gate, judge, order, rank, read, report


# The front door: public name → where it lives.
_HOME = {
    "collect": "bestofk.verbs",
    "cross_validate_many": "bestofk.sharing.cross_validation",
    "compare": "bestofk.verbs",
    "compare_estimators": "bestofk.sklearn",
    "gate": "bestofk.verbs",
    "judge": "bestofk.verbs",
    "order": "bestofk.verbs",
    "rank": "bestofk.verbs",
    "read": "bestofk.verbs",
    "refit": "bestofk.sklearn",
    "report": "bestofk.verbs",
    "Battles": "bestofk.evidence",
    "Curves": "bestofk.evidence",
    "Items": "bestofk.evidence",
    "Plan": "bestofk.design.plan.plan",
    "Runs": "bestofk.evidence",
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
    "Battles",
    "BestOfKError",
    "Curves",
    "InputError",
    "Items",
    "MissingExtra",
    "Plan",
    "Runs",
    "Scores",
    "UnknownName",
    "Verdict",
    "__version__",
    "collect",
    "compare",
    "compare_estimators",
    "cross_validate_many",
    "gate",
    "judge",
    "order",
    "ordering",
    "rank",
    "read",
    "refit",
    "report",
    "stats",
    "testing",
]


if not TYPE_CHECKING:  # a checker would take any misspelt name for granted

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'bestofk' has no attribute {name!r}")
        home = _HOME[name]
        module = import_module(home)
        value = module if home == f"bestofk.{name}" else getattr(module, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
