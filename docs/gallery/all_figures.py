"""Run every script of the gallery and make a page of what they wrote."""

import runpy
import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    """Write every figure into the folder named on the command line, and index.html beside them."""
    sys.path.insert(0, str(HERE))
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "pictures")
    for script in sorted(HERE.glob("*.py")):
        if script.stem not in ("all_figures", "gallery_paths"):
            runpy.run_path(str(script), run_name="__main__")
    pictures = sorted(folder.glob("*-light.svg"))
    parts = [
        f"<figure><figcaption>{escape(each.stem[:-6])}</figcaption>{each.read_text()}</figure>" for each in pictures
    ]
    style = "<style>figure{display:inline-block;vertical-align:top}</style>"
    page = f"<!doctype html><html lang=en><meta charset=utf-8><title>Figures of bestofk</title>{style}"
    (folder / "index.html").write_text(page + "\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
