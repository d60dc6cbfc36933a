"""The site: ``make docs`` builds it into ``docs/site``, offline, and every warning is an error (see CONTRIBUTING)."""

import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

sys.path.insert(0, str(Path(__file__).parent))
import made_pages

from bestofk.core.version import __version__

project = "bestofk"
author = "The bestofk developers"
project_copyright = f"%Y, {author}"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["site", "gallery"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4

autodoc_typehints = "none"  # numpydoc's Parameters say more
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
autosummary_generate = False

html_theme = "pydata_sphinx_theme"
html_title = "bestofk"
html_copy_source = False
smartquotes = False  # --on is an option
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def setup(app: Any) -> None:
    """Write the pages that are made, and turn formulas into MathML, which needs no script."""
    app.connect("builder-inited", lambda app: made_pages.write(Path(app.srcdir)))
    app.connect("source-read", _read)
    app.add_html_math_renderer("mathml", (_formula, None), (_formula, None))


def _read(app: Any, docname: str, source: list[str]) -> None:
    source[0] = made_pages.on_site(docname, source[0])


def _formula(self: Any, node: nodes.Element) -> None:
    self.body.append(tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode
