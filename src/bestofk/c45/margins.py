"""How near two numbers must be to count as equal; J48 has the same margins, and its ties are decided by them."""

from __future__ import annotations

#: Gains, ratios, weights and errors that differ by less are equal.
SMALL = 1e-6
#: Two values of a numeric feature that differ by no more are not separated.
GAP = 1e-5
#: A split's gain may fall short of the average gain by so much.
BELOW_AVERAGE = 1e-3
#: Collapsing: a subtree with so few training errors less than its leaf is not worth keeping.
WORTHLESS = 1e-3
#: Pruning: a simpler form may have so many estimated errors more.
BENEFIT = 0.1
#: A nominal feature with at least this share of the rows as levels does not enter the average gain.
MANY_LEVELS = 0.3
#: Numeric splits: least weight of a side is this share of the weight per class, within min_instances and the ceiling.
SHARE_OF_CLASS, CEILING = 0.1, 25.0
