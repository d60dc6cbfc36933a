"""What the papers' data sets must look like wherever they come from, and their numbers at OpenML.

Only sets whose copy at OpenML has the papers' rows and columns have a number. Left out for that reason: monks (training
and test rows together), horse (22 of 26 inputs), cylinder, musk2, satellite47 (all classes), bupa (another target).
"""

from __future__ import annotations

from dataclasses import dataclass

from bestofk.design.datasets.entries import AuthorsForm


@dataclass(frozen=True)
class PaperSet:
    """Rows, inputs and classes that a set must have, and its number at OpenML."""

    rows: int
    inputs: int
    classes: int
    openml: int


PAPER_SETS = {
    "australian": PaperSet(690, 14, 2, 40981),
    "balance": PaperSet(625, 4, 3, 11),
    "breast": PaperSet(699, 9, 2, 15),
    "car": PaperSet(1728, 6, 4, 40975),
    "cmc": PaperSet(1473, 9, 3, 23),
    "credit": PaperSet(690, 15, 2, 29),
    "dermatology": PaperSet(366, 34, 6, 35),
    "ecoli": PaperSet(336, 7, 8, 39),
    "german_nominal": PaperSet(1000, 20, 2, 31),
    "glass": PaperSet(214, 9, 6, 41),
    "haberman": PaperSet(306, 3, 2, 43),
    "heart": PaperSet(270, 13, 2, 53),
    "hepatitis": PaperSet(155, 19, 2, 55),
    "iris": PaperSet(150, 4, 3, 61),
    "ironosphere": PaperSet(351, 34, 2, 59),
    "krkopt": PaperSet(28056, 6, 18, 184),
    "krusk": PaperSet(3196, 36, 2, 3),
    "magic": PaperSet(19020, 10, 2, 1120),
    "mushroom": PaperSet(8124, 22, 2, 24),
    "nursery": PaperSet(12960, 8, 5, 26),
    "optdigits": PaperSet(5620, 64, 10, 28),
    "parkinsons": PaperSet(195, 22, 2, 1488),
    "pendigits": PaperSet(10992, 16, 10, 32),
    "pima": PaperSet(768, 8, 2, 37),
    "ringnorm": PaperSet(7400, 20, 2, 1496),
    "segment": PaperSet(2310, 19, 7, 36),
    "spambase": PaperSet(4601, 57, 2, 44),
    "tictactoe": PaperSet(958, 9, 2, 50),
    "titanic": PaperSet(2201, 3, 2, 40704),
    "transfusion": PaperSet(748, 4, 2, 1464),
    "twonorm": PaperSet(7400, 20, 2, 1507),
    "vote": PaperSet(435, 16, 2, 56),
    "wine": PaperSet(178, 13, 3, 187),
    "yeast": PaperSet(1484, 8, 10, 181),
    "zoo": PaperSet(101, 16, 7, 62),
}
#: Other names of the papers' sets.
ALIASES = {
    "monks": "monks1",
    "chess": "krkopt",
    "krvskp": "krusk",
    "kr-vs-kp": "krusk",
    "ionosphere": "ironosphere",
    "wisconsin": "breast",
}
_DEPTHS = (
    *(("draw", 2796), ("one", 78), ("two", 246), ("three", 81), ("four", 198), ("five", 471), ("six", 592)),
    *(("seven", 683), ("eight", 1433), ("nine", 1712), ("ten", 1985), ("eleven", 2854), ("twelve", 3597)),
    *(("thirteen", 4194), ("fourteen", 4553), ("fifteen", 2166), ("sixteen", 390), ("zero", 27)),
)
#: The authors' forms of the sets that a rule gives, so that they need no folder.
AUTHORS_FORMS = {
    "balance": AuthorsForm(625, "cccc", {"B": 49, "R": 288, "L": 288}),
    "car": AuthorsForm(1728, "cccccc", {"unacc": 1210, "acc": 384, "vgood": 65, "good": 69}),
    "krkopt": AuthorsForm(28056, "cncncn", dict(_DEPTHS)),
    "monks1": AuthorsForm(432, "nnnnnn", {"1": 216, "0": 216}),
    "nursery": AuthorsForm(
        12960,
        "cccccccc",
        {"recommend": 2, "priority": 4266, "not_recom": 4320, "very_recom": 328, "spec_prior": 4044},
    ),
    "tictactoe": AuthorsForm(958, "ccccccccc", {"positive": 626, "negative": 332}),
    "titanic": AuthorsForm(2201, "ccc", {"0": 1490, "1": 711}),
}
