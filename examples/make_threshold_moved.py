"""Make ``threshold_moved.csv``: confusion counts of one classifier with its threshold at 2, and at 3.

Negatives are normal about 2, positives about 3, both with standard deviation 0.3, 100 of each (Fig. 1 of Yıldız, Aslan
and Alpaydın 2011), on 10 folds of 10 + 10. What is above the threshold is called positive. Needs numpy.
"""

from pathlib import Path

import numpy as np

rng = np.random.default_rng(1)
negative, positive = (rng.normal(mean, 0.3, size=(10, 10)) for mean in (2.0, 3.0))
lines = ["learner,fold,tp,fn,fp,tn"]
for fold in range(10):
    for name, threshold in (("threshold-2", 2.0), ("threshold-3", 3.0)):
        tp, fp = (int((x[fold] > threshold).sum()) for x in (positive, negative))
        lines.append(f"{name},{fold + 1},{tp},{10 - tp},{fp},{10 - fp}")
Path(__file__).with_name("threshold_moved.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
