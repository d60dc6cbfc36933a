"""Right answers of four language models against their price."""

from gallery_paths import example, show

import bestofk as bk
from bestofk.plots import figure

evidence = bk.read(example("language_models.csv"))
show(figure("pareto", bk.judge(evidence, prior="price"), evidence), "pareto")
