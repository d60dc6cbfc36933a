"""Measurements of bestofk: how fast it is (``benchmarks.run``) and how well its tests keep their level."""
