"""Shared folds against ``cross_validate`` on the same folds: CPU time in one process, on one thread."""

import os
import sys

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

if "numpy" in sys.modules:
    raise ImportError("numpy is already loaded, too late to hold it to one thread: run `python -m benchmarks.sharing`.")
os.environ.update(dict.fromkeys(THREADS, "1"))
