"""How far below the best each language model may be, and the margin that was asked for."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

verdict = bk.judge(bk.read(example("model_prices.csv")), prior="price", within=0.05)
show(figure("bounds", verdict), "bounds")
