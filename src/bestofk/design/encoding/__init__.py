"""Features as the learner wants them: 1-of-n, missing values filled in, scaled; learnt on the training rows alone."""

from bestofk.design.encoding.encoder import Encoder, encoded, encoded_folds
from bestofk.design.encoding.matrices import raw_rows

__all__ = ["Encoder", "encoded", "encoded_folds", "raw_rows"]
