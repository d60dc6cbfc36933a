"""Build the reference pages from the docstrings into ``docs/site``."""

from pathlib import Path

import pdoc

pdoc.render.configure(docformat="numpy", math=True, search=True)
pages = Path(__file__).parent / "site"
pdoc.pdoc("bestofk", "bestofk.stats", "bestofk.ordering", output_directory=pages)
print(f"open {pages.relative_to(Path.cwd())}/index.html")
