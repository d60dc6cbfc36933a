"""Speed against peers: one file per kind of work, each with ``rows()``.

A ratio is taken in one process, in CPU time, best of several, on one thread. Thread counts are read when numpy is
first imported, so they are set here, before anything else of this package.
"""

import os
import sys

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

if "numpy" in sys.modules:
    raise ImportError("numpy is already loaded, too late to hold it to one thread: run `python -m benchmarks.run`.")
os.environ.update(dict.fromkeys(THREADS, "1"))
