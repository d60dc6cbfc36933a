"""Two things the text prints of its examples: the weights w of Fig. 3, and the cliques of breast and spect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bestofk.ordering import cliques
from bestofk.replications.agreement import Agreement
from bestofk.replications.multivariate.counting import Counts
from bestofk.replications.multivariate.decisions import PairDecision, vectors
from bestofk.replications.multivariate.published import ACCEPTED, LEARNERS, TESTS, WEIGHTS, Pairs
from bestofk.stats.multivariate import hotelling

Cliques = frozenset[frozenset[str]]


def weight_lines(counts: Mapping[str, Counts]) -> list[Agreement]:
    """w of eq. 5 for c45 and qda on pima; the text concludes from it that fpr is the important measure."""
    if "pima" not in counts:
        return []
    lines = []
    for names, theirs in WEIGHTS.items():
        one, two = (vectors(counts["pima"][name], names) for name in ("c45", "qda"))
        found = np.asarray(hotelling(one, two).direction)
        met = bool(abs(found[1]) > abs(found[0])) if "fpr" in names else None
        asked = _weights(theirs) + (", fpr weighs more" if met is not None else " (told, not asked for)")
        lines.append(Agreement(f"pima, c45 and qda: w of ({', '.join(names)})", _weights(found), asked, met))
    return lines


def _weights(values: Sequence[float] | np.typing.NDArray[np.float64]) -> str:
    return f"({', '.join(f'{float(value):.3f}'.replace('-', '−') for value in values)})"


def clique_lines(made: Sequence[PairDecision]) -> list[Agreement]:
    """Cliques of two and more that the tests leave, ours beside those that the published pairs make."""
    lines = []
    for dataset, tests in ACCEPTED.items():
        own = [each for each in made if each.dataset == dataset]
        for test in TESTS if own else ():
            ours = cliques_of(frozenset(frozenset((e.first, e.second)) for e in own if not e.rejects(test)))
            theirs = cliques_of(tests[test])
            lines.append(Agreement(f"{dataset}: cliques by {test}", _told(ours), _told(theirs), ours == theirs))
    return lines


def cliques_of(accepted: Pairs) -> Cliques:
    """Maximal groups of two and more in which no pair is told apart.

    Examples
    --------
    >>> pairs = frozenset(map(frozenset, [("lda", "knn"), ("lda", "svm"), ("svm", "knn"), ("c45", "qda")]))
    >>> sorted(" ".join(sorted(each)) for each in cliques_of(pairs))
    ['c45 qda', 'knn lda svm']
    """
    table = [[a == b or frozenset((a, b)) in accepted for a in LEARNERS] for b in LEARNERS]
    return frozenset(frozenset(each) for each in cliques(table, names=LEARNERS) if len(each) > 1)


def _told(found: Cliques) -> str:
    named = sorted("{" + ", ".join(sorted(each)) + "}" for each in found)
    return ", ".join(named) or "none"
