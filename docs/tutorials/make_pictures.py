"""Make the pictures of the tutorials from their own files: ``python docs/tutorials/make_pictures.py``."""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import bestofk as bk
from bestofk.judging.verdict import Verdict
from bestofk.plots import figure

HERE = Path(__file__).resolve().parent
PICTURES = HERE / "pictures"
EXAMPLES = HERE.parents[1] / "examples"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))


def file_of(page: str, name: str) -> Path:
    """Write the first file of this name that a tutorial shows, and return its path."""
    text = (HERE / page).read_text("utf-8")
    Path(name).write_text(re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", text, re.M | re.S)[1], encoding="utf-8")
    return Path(name)


def screenshot(verdict: Verdict, name: str) -> None:
    """Take the first screen of the page of a verdict."""
    report = verdict.report(Path("verdict.html")).resolve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 490})
        page.goto(report.as_uri())
        page.screenshot(path=PICTURES / f"{name}.png")
        browser.close()
    with Image.open(PICTURES / f"{name}.png") as picture:
        picture.convert("RGB").quantize(64).save(PICTURES / f"{name}.png", optimize=True)


def draw(kind: str, name: str, source: object, **settings: object) -> None:
    """Draw a figure of the verdict on a source."""
    figure(kind, bk.judge(source, **settings)).save(PICTURES / f"{name}.svg")


def make() -> None:
    """All pictures, in the order of the tutorials."""
    results = bk.read(file_of("verdict_from_csv.md", "results.csv"), measure="accuracy")
    screenshot(bk.judge(results, prior=["logistic", "forest", "boosting"]), "verdict_from_csv")
    draw("bounds", "bounds", bk.read(EXAMPLES / "model_prices.csv"), prior="price", within=0.05)
    draw("losses", "seeds", bk.read(file_of("networks_and_seeds.md", "runs.csv"), learner="network"))
    plan = file_of("first_experiment.md", "plan.toml")
    draw("differences", "first_experiment", bk.collect(plan, "results.db", engine="serial", progress=False))
    draw("curves", "curves", bk.read(EXAMPLES / "curves.csv"))
    script = [sys.executable, file_of("learning_curves.md", "make_crossing.py")]
    Path("crossing.csv").write_text(subprocess.run(script, capture_output=True, text=True, check=True).stdout)
    draw("curves", "crossing", bk.read("crossing.csv"))


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        make()
