"""Where the scripts of the gallery read examples and write figures."""

import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def example(name):
    """Path of one of the example files."""
    return str(EXAMPLES / name)


def show(figure, name):
    """Write a figure, light and dark, into the folder that the command line names."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        figure.save(folder / f"{name}-{theme}.svg", theme=theme)
    print(f"{folder / name}-light.svg: {figure.alt}")
