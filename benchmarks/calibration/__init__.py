"""Calibration: the measured type I error and power of every test of ``bestofk.stats``.

``python -m benchmarks.calibration`` runs all studies and writes ``TABLE.md``; ``tests/test_calibration.py`` runs
the same studies with fewer runs and holds each measured size to what the literature says of it.

``measured``, ``claims``, ``study``      how a rate is measured, what is claimed of it, how a study runs
``theory``                               sizes and powers that are known exactly, computed without bestofk
``populations``, ``learners``, ``designs``  data sets, small learners and folds: a null that is true by construction
``*_model``                              nulls drawn exactly from a test's assumptions
``*_folds``                              nulls on the folds of real learners, training sets overlapping
``topics``, ``table``                    all studies; the table
"""
