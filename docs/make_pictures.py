"""Take the pictures of README and docs from a real run, in Chromium: ``python docs/make_pictures.py``."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import bestofk as bk

HERE = Path(__file__).parent
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
SIZES = {"page": (1280, 700), "phone": (390, 844)}

verdict = bk.judge(bk.read(HERE.parent / "examples" / "model_prices.csv"), prior="price", within=0.05)
with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
    report = verdict.report(Path(folder) / "verdict.html")
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    (HERE / "pictures").mkdir(exist_ok=True)
    for name, (width, height) in SIZES.items():
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(report.as_uri())
        page.screenshot(path=HERE / "pictures" / f"{name}.png")
    browser.close()
