"""Learners: named ones, one per file, and a door for estimators and pipelines of scikit-learn."""

from bestofk.design.learners.learner import refuse_wrong_task
from bestofk.design.learners.naming import learner_of
from bestofk.design.learners.seeding import with_seed

__all__ = ["learner_of", "refuse_wrong_task", "with_seed"]
