"""Make ``more_negatives.csv`` and ``skewed_classes.csv``: a classifier, and its equal on other data (Fig. 4).

Both have a true positive rate of 0.8 and a false positive rate of 0.2 on 10 folds of 100 + 100. In the first file the
second has twice the true negatives (λ = 1): precision and recall stay, the false positive rate falls. In the second its
positives are halved and its negatives half as many more (α = 0.5): tpr and fpr stay, precision falls (Fig. 4 of Yıldız,
Aslan and Alpaydın 2011). Needs numpy.
"""

from pathlib import Path

import numpy as np

CHANGES = {"more_negatives": (1.0, 1.0, 1.0, 2.0), "skewed_classes": (0.5, 0.5, 1.5, 1.5)}  # of tp, fn, fp, tn

rng = np.random.default_rng(1)
for file, factors in CHANGES.items():
    lines = ["learner,fold,tp,fn,fp,tn"]
    for fold in range(1, 11):
        for name, change in (("plain", (1.0,) * 4), (file.replace("_", "-"), factors)):
            tp, fp = rng.binomial(100, 0.8), rng.binomial(100, 0.2)
            counts = [round(n * factor) for n, factor in zip((tp, 100 - tp, fp, 100 - fp), change, strict=True)]
            lines.append(",".join([name, str(fold), *map(str, counts)]))
    Path(__file__).with_name(f"{file}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
