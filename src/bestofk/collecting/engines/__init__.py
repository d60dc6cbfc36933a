"""Where cells run: here, in processes of this machine, on a Dask cluster, on Ray."""

from bestofk.collecting.engines.engine import Engine, engine_of

__all__ = ["Engine", "engine_of"]
