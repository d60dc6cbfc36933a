"""The learners of the table, each with scikit-learn's own as the peer, and what is demanded of their ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bestofk.design.learners import learner_of


@dataclass(frozen=True)
class Contest:
    """A registered learner, the peer's estimator, and times faster demanded, on sets below so many rows.

    ``same``: our side is the peer's very estimator, on the very matrix that the peer is given.
    """

    name: str
    peer: Any
    demand: float
    below: int | None = None
    params: tuple[tuple[str, Any], ...] = ()
    same: bool = False

    def learner(self) -> Any:
        """Our side."""
        if self.same:
            return learner_of(self.peer)
        return learner_of(self.name, params=dict(self.params) or None)


def contests() -> list[Contest]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    return [
        Contest("nn, not scaled", KNeighborsClassifier(1), 1000, same=True),
        Contest("nn", make_pipeline(StandardScaler(), KNeighborsClassifier(1)), 1000),
        Contest("max", DummyClassifier(strategy="most_frequent"), 400),
        Contest("nmc", make_pipeline(StandardScaler(), NearestCentroid()), 40),
        Contest("lda", LinearDiscriminantAnalysis(), 20, below=1000),
        # scikit-learn's own refuses classes with few rows: the peer is bestofk's, which takes them.
        Contest("qda", make_pipeline(StandardScaler(), learner_of("qda").make()), 20, below=1000),
        Contest("naive-bayes", GaussianNB(), 20, below=1000),
        Contest("c45", DecisionTreeClassifier(criterion="entropy", random_state=0), 5),
        Contest("lgc", make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)), 10),
    ]
