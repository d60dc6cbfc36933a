"""Learners: those that a plan can name, by family, and a door for estimators and pipelines of scikit-learn."""

from bestofk.design.learners.estimators import with_seed
from bestofk.design.learners.learner import refuse_wrong_task
from bestofk.design.learners.shelf import learner_of

__all__ = ["learner_of", "refuse_wrong_task", "with_seed"]
