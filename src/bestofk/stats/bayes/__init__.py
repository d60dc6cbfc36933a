"""Bayesian answers: how probable is it that one learner is better, or that the two are practically equal?

Losses go in; ``probabilities`` come out as (first better, within the rope, second better). The rope is the region
of practical equivalence: differences of loss between −rope and rope do not matter.
"""

from bestofk.stats.bayes.correlated_t import correlated_t
from bestofk.stats.bayes.dirichlet import sign, signed_rank
from bestofk.stats.bayes.hierarchical import hierarchical

__all__ = ["correlated_t", "hierarchical", "sign", "signed_rank"]
