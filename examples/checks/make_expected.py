"""Write ``expected.json``: what the example files are, and what scipy and statsmodels conclude from them.

Nothing here uses bestofk: its answers are held to these numbers. Needs numpy, scipy, pandas and statsmodels.
"""

import across_datasets
import curves
import entries
import folds
import items

for table in ("15_2", "15_5", "15_6", "15_7", "exercise"):
    across_datasets.bramer(table)
across_datasets.demsar()
folds.multitest_four()
folds.counts()
items.predictions()
items.language_models()
curves.curves()
entries.write()
