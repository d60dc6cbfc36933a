"""What the paper prints: its data sets, its learners, which pairs its tests do not tell apart, and counts of ranks."""

from __future__ import annotations

REFERENCE = (
    "O. T. Yıldız, Ö. Aslan, E. Alpaydın, Multivariate Statistical Tests for Comparing Classification Algorithms, "
    "LION 5, 2011"
)

#: Section 4.1, in the paper's order.
DATASETS = (
    *("artificial", "australian", "breast", "bupa", "credit", "cylinder", "german", "haberman", "heart", "hepatitis"),
    *("horse", "ironosphere", "krusk", "magic", "mammographic", "monks", "mushroom", "parkinsons", "pima"),
    *("polyadenylation", "promoters", "satellite47", "spambase", "spect", "tictactoe", "transfusion", "vote"),
    *("ringnorm", "titanic", "twonorm", "acceptors", "ads", "dlbcl", "donors", "musk2", "prostatetumor"),
)
LEARNERS = ("c45", "lda", "qda", "svm", "knn")
TESTS = ("UniErr", "MultiTF", "MultiPR")

Pairs = frozenset[frozenset[str]]


def _pairs(*listed: str) -> Pairs:
    return frozenset(frozenset(pair.split("-")) for pair in listed)


_BREAST = _pairs("lda-svm", "lda-knn", "svm-knn")

#: Pairs that are not told apart. Table 2 prints lda–qda as accepted in one row and rejected in the other; the text's
#: cliques make it a rejection. UniErr on spect is told by its cliques alone.
ACCEPTED: dict[str, dict[str, Pairs]] = {
    "breast": {
        "UniErr": _pairs("lda-qda", "lda-svm", "lda-knn", "qda-svm", "qda-knn", "svm-knn"),
        "MultiTF": _BREAST,
        "MultiPR": _BREAST,
    },
    "spect": {
        "UniErr": _pairs("c45-qda", "c45-svm", "qda-svm", "knn-c45", "lda-c45", "lda-knn", "svm-knn"),
        "MultiTF": _pairs("c45-qda", "c45-svm", "lda-knn", "qda-svm"),
        "MultiPR": _pairs("lda-knn", "qda-svm"),
    },
}
TABLES = {"breast": "Table 2", "spect": "Table 3"}

#: Best first, as printed; the underlines are lost in the scan.
ORDERS: dict[str, dict[str, str]] = {
    "breast": {
        "error": "knn svm lda qda c45",
        "tpr": "lda knn svm qda c45",
        "fpr": "qda knn svm c45 lda",
        "precision": "qda knn svm c45 lda",
    },
    "spect": {
        "error": "qda svm c45 knn lda",
        "tpr": "knn lda svm qda c45",
        "fpr": "qda c45 svm knn lda",
        "precision": "qda svm knn lda c45",
    },
}

#: Two pairs the text is about: what each test decides (True: rejects).
CASES: dict[str, tuple[str, str, str, dict[str, bool]]] = {
    "Fig. 2": ("breast", "lda", "qda", {"UniErr": False, "MultiTF": True}),
    "Fig. 3": ("pima", "c45", "qda", {"UniErr": False, "MultiTF": True, "MultiPR": False}),
}
PIMA_FPR_PVALUE = 0.006
#: Elements of w (eq. 5) of c45 and qda on pima, below Fig. 3.
WEIGHTS = {("tpr", "fpr"): (0.499, -25.898), ("precision", "recall"): (2.014, -4.374)}

#: Rank of S of the four counts, in 2,740 comparisons.
RANKS = {1: 98, 2: 2582, 4: 60}
