"""The page in a real Chromium: it asks for nothing, reads well everywhere, and follows the reader's preference."""

import json
import re
import shutil
import time
from dataclasses import astuple
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import permutations, product
from threading import Thread
from unicodedata import normalize

import numpy as np
import pytest

import bestofk as bk
from bestofk.reporting.first_screen import first_table
from bestofk.reporting.report import write_report
from bestofk.reporting.words import below_title, title
from makers import folds, separated, slow
from makers_measures import counts_of
from report_cases import EXAMPLES, ODD, demo, evil, large, scores

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("matplotlib", reason="pages are tested with their figures, and matplotlib is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def read(name, **options):
    return bk.read(EXAMPLES / name, **options)


TWO_CLASS = ("lda", "qda", "knn", "nb", "tree")
CASES = {
    "preferred": demo,
    "decided": lambda: bk.judge(read("predictions.csv")),
    "tied": lambda: bk.judge(read("demsar.csv", larger_is_better=True)),
    "undecided": lambda: bk.judge(read("language_models.csv")),
    "price": lambda: bk.judge(read("language_models.csv"), prior="price", groups="fixed"),
    "within": lambda: bk.judge(read("model_prices.csv"), prior="price", groups="fixed", within=0.15),
    "curves": lambda: bk.judge(read("curves.csv")),
    "measures": lambda: bk.judge(read("two_class.csv", on="tpr,fpr")),
    "preferred measures": lambda: bk.judge(read("two_class.csv", on="tpr,fpr"), prior=TWO_CLASS),
    "long": lambda: bk.judge(
        counts_of(
            {"a-learner-with-quite-a-long-name": (0.9, 0.1), "an_" + "unbroken" * 8: (0.85, 0.14), "c": (0.8, 0.2)}
        ),
        on="tpr,fpr,precision,accuracy",
    ),
    "evil": evil,
    "odd": lambda: bk.judge(scores(ODD, spread=0.002)),
    "percent": lambda: bk.judge(scores(("lasso 5 %", "ridge", "net"), spread=0.002)),
    "large": large,
    "small differences": lambda: bk.judge(folds(separated() / 90)),
}
MANY = [name for name in CASES if name not in ("preferred", "odd", "large")]
FEW = ["preferred", "odd", *slow(*MANY, "large")]


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return cache(lambda name: write_report(CASES[name](), folder / f"{name}.html"))


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


#: Every move of what is shown already, from the first picture on.
MOVES = """window.moved = []; new PerformanceObserver((list) => list.getEntries().forEach((each) =>
window.moved.push(each.value))).observe({type: 'layout-shift', buffered: true})"""


@pytest.fixture(scope="module")
def windows(browser):
    """An empty page; tests with the same options share it, since to make one takes longer than to show a report."""
    made = {}

    def window(**options):
        key = json.dumps(options, sort_keys=True)
        if key not in made:
            context = browser.new_context(**options)
            context.add_init_script(MOVES)
            page = made[key] = context.new_page()
            page.on("console", lambda message: page.said.append(message.text))
            page.on("pageerror", lambda error: page.said.append(str(error)))
            page.on("request", lambda request: page.asked.append(request.url))
        made[key].said, made[key].asked = [], []
        made[key].goto("about:blank")
        made[key].emulate_media(media="null")
        return made[key]

    return window


@pytest.fixture
def opened(windows, reports):
    """Open the page of a case; what its console says and what it asks the network for stand in ``said``, ``asked``."""

    def page_of(name, *, viewport=LAPTOP, **options):
        page = windows(viewport=viewport, **options)
        page.goto(reports(name).as_uri())
        return page

    return page_of


@pytest.mark.parametrize("name", FEW)
def test_nothing_moves_the_console_is_silent_and_nothing_is_asked_for(opened, reports, name):
    page = opened(name)
    page.wait_for_timeout(300)
    assert page.evaluate("window.moved") == []
    for section in page.locator("details.section > summary").all():
        section.click()
    assert page.said == []
    assert [url for url in page.asked if not url.startswith("data:")] == [reports(name).as_uri()]


@pytest.fixture
def slowly():
    """Serve a page on loopback line by line, so that a browser could draw every row before the next has come."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            head, body = self.server.page.split(b"<body>")
            lines = body.splitlines(keepends=True)
            for piece in (head + b"<body>", *lines[:60], b"".join(lines[60:])):
                self.wfile.write(piece)
                time.sleep(0.02)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("name", ["preferred", *slow("large", "tied", "measures", "long")])
def test_nothing_moves_however_slowly_the_page_arrives(opened, reports, slowly, name):
    slowly.page = reports(name).read_bytes()
    page = opened(name)
    page.goto(f"http://127.0.0.1:{slowly.server_port}/")
    page.wait_for_timeout(300)
    assert page.locator("footer").is_visible()
    assert page.evaluate("window.moved") == []


@pytest.mark.parametrize("scheme", ["light", *slow("dark")])
@pytest.mark.parametrize(
    ("name", "viewport"),
    [
        *[("preferred", LAPTOP), ("odd", PHONE)],
        *slow(("preferred", PHONE), ("odd", LAPTOP), *product(MANY, (LAPTOP, PHONE))),
    ],
)
def test_axe_finds_nothing(opened, name, viewport, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page = opened(name, viewport=viewport, color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == []


#: The size of every letter that can be seen, in pixels; letters of drawings as large as they are shown.
LETTERS = """() => {
  const sizes = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (!text || ['SCRIPT', 'STYLE', 'title'].includes(element.tagName) || !element.checkVisibility()) continue;
    const scale = element.ownerSVGElement ? Math.abs(element.getScreenCTM().a) || element.getScreenCTM().b : 1;
    sizes.push([Math.abs(scale) * parseFloat(getComputedStyle(element).fontSize), text]);
  }
  return sizes;
}"""


@pytest.mark.parametrize("viewport", [PHONE, *slow(LAPTOP)], ids=["phone", "laptop"])
@pytest.mark.parametrize("name", FEW)
def test_nothing_is_wider_than_the_window_and_letters_can_be_read(opened, name, viewport):
    page = opened(name, viewport=viewport)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert page.evaluate("[...document.querySelectorAll('figure, pre')].every((e) => e.scrollWidth <= e.clientWidth)")
    small = [(size, text) for size, text in page.evaluate(LETTERS) if size < 11.99]
    assert small == []


@pytest.mark.parametrize(
    "name",
    ["preferred", "preferred measures", *slow("decided", "tied", "undecided", "price", "within", "curves", "measures")],
)
def test_the_first_screen_is_short_and_seen_at_once(opened, name):
    page = opened(name)
    text = page.locator("header").inner_text() + " " + page.locator("#verdict").inner_text()
    assert len(re.findall(r"[^\W\d]\w*", text)) <= 120  # numbers are no words
    for part in ("h1", "#learners", ".note"):
        assert page.locator(part).first.bounding_box()["y"] < LAPTOP["height"]
    bottom = page.locator(".note").first.bounding_box()
    assert bottom["y"] + bottom["height"] <= LAPTOP["height"]


def test_a_phone_says_what_every_number_is_and_whom_learners_stand_beside(opened, windows, tmp_path):
    assert opened("preferred measures", viewport=PHONE).locator("#beside").is_visible()
    results = EXAMPLES / "gate" / "results"
    gate = bk.gate(results / "v2.csv", results / "v1.csv", margin=0.03)
    page = windows(viewport=PHONE)
    page.goto(gate.report(tmp_path / "gate.html").as_uri())
    labels = "(each) => getComputedStyle(each, '::before').content"
    numbers = page.locator("#learners td:not(.finding)")
    assert [numbers.nth(i).evaluate(labels) for i in range(4)] == [
        f'"{each} "' for each in ("new", "old", "worse by [bounds]", "margin")
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("name", ["preferred", "small differences"])
def test_all_rows_are_drawn_on_the_axis_of_the_heading(opened, name, viewport):
    middles = """() => [...document.querySelectorAll('#learners .zero, #learners .axis text')]
      .filter((each) => each.tagName === 'line' || each.textContent === '0')
      .map((each) => { const box = each.getBoundingClientRect(); return box.x + box.width / 2; })"""
    found = opened(name, viewport=viewport).evaluate(middles)
    assert len(found) > 3
    assert max(found) - min(found) < 1


def test_the_chosen_learner_is_seen_by_more_than_colour(opened):
    page = opened("preferred")
    looks = """(row) => { const style = getComputedStyle(row.cells[0]);
      return [row.cells[0].textContent, style.fontWeight, style.color, row.querySelector('.finding').textContent]; }"""
    chosen, still_open, worse = (
        page.locator(f"#learners tr.{state}").first.evaluate(looks) for state in ("chosen", "open", "worse")
    )
    assert (chosen[0], chosen[1], chosen[3]) == ("nmc", "700", "preferred")
    assert len({chosen[2], still_open[2], worse[2]}) == 3
    assert (worse[1], worse[3].split(",")[0]) == ("400", "worse")


# The reader's preference.


#: Everything that a preference may change, as the page shows it.
SHOWN = """() => {
  const text = (selector) => document.querySelector(selector)?.textContent ?? null;
  const place = (element, name) => element.getAttribute("visibility") === "hidden" ? null
    : Number(element.getAttribute(name).replace("%", ""));
  const mark = (drawn) => {
    const [zero, span] = drawn.querySelectorAll("line"), circle = drawn.querySelector("circle");
    return [place(zero, "x1"), place(span, "x1"), place(circle, "cx"), place(span, "x2")];
  };
  return {
    title: text("h1"),
    sentence: document.querySelector(".sentence").firstChild.textContent.trim(),
    careful: document.querySelector(".careful").hidden ? null : text(".careful span"),
    heading: text("#heading"),
    ticks: Array.from(document.querySelectorAll(".axis text"), (tick) => tick.textContent),
    rows: Array.from(document.querySelectorAll("#learners tbody tr"), (row) => [
      row.cells[0].textContent, row.querySelector(".drawn span, .rank").textContent,
      row.querySelector(".finding").textContent, row.className,
      row.querySelector(".drawn") ? mark(row.querySelector(".drawn")) : null]),
  };
}"""


def choice(page):
    """What the page says and draws now."""
    return json.loads(json.dumps(page.evaluate(SHOWN)).replace("\\u00a0", " "))


def expected(verdict):
    """What it should say and draw."""
    table = first_table(verdict, most=len(verdict.order))
    drawn = table.columns.index(table.drawn or "rank")
    rows = [
        [row[1], row[drawn], row[-1], state, [table.axis.zero, *astuple(mark)] if table.drawn else None]
        for row, state, mark in zip(table.rows, table.states, table.marks, strict=True)
    ]
    return {
        "title": title(verdict),
        "sentence": below_title(verdict),
        "careful": verdict.advice[0].seen if verdict.advice else None,
        "heading": table.drawn or None,
        "ticks": [text for _, text in table.axis.ticks] if table.drawn else [],
        "rows": rows,
    }


def swaps(number):
    """Places at which neighbours change until every order of so many things has been: Johnson and Trotter's."""
    if number < 2:
        return []
    made, inner = [], swaps(number - 1)
    for turn in range(len(inner) + 1):
        made += range(number - 1) if turn % 2 else range(number - 2, -1, -1)
        made += [inner[turn] + 1 - turn % 2] if turn < len(inner) else []
    return made


@pytest.mark.parametrize("name", ["preferred", "within", "percent", *slow("tied", "measures", "price")])
def test_every_preference_gives_the_choice_of_judge(opened, name):
    """By the keyboard, every order of the set of the best; learners outside of it may stand anywhere."""
    page, verdict = opened(name), CASES[name]()
    order = chips(page)
    chosen = verdict.best_set if verdict.within is None else verdict.within.learners
    given = tuple(order)
    assert set(order) == set(chosen)
    assert choice(page) == expected(verdict)
    seen = {} if verdict.prior is None else {tuple(order): choice(page)}
    for place in swaps(len(order)):
        page.locator(".choices li button").nth(place).press("ArrowRight")
        order[place], order[place + 1] = order[place + 1], order[place]
        assert chips(page) == order
        seen[tuple(order)] = choice(page)
    options = {"price": {"groups": "fixed"}, "within": {"groups": "fixed", "within": 0.15}}.get(name, {})
    others = tuple(each for each in verdict.order if each not in chosen)
    for turn, among in enumerate(seen):
        if not (verdict.ordering.prior_from and among == given):  # that is by the cost, and says so
            prior = (*among, *others) if turn % 2 else (*others, *among)
            assert seen[among] == expected(bk.judge(verdict.evidence, prior=prior, **options))
    assert len(seen) >= len(list(permutations(order))) - 1


def chips(page):
    return [each.inner_text().replace("\N{NO-BREAK SPACE}", " ") for each in page.locator(".choices li").all()]


def test_a_click_and_undo(opened):
    page = opened("preferred", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".choices button", has_text="tree").click()
    assert page.locator("h1").inner_text() == "Take tree: most preferred of those not shown to be worse"
    assert chips(page)[0] == "tree"
    assert page.locator("#changed").is_visible()
    assert page.locator("#below").is_visible()  # what is below speaks of the preference before
    page.locator(".sentence .copy").first.click()
    page.wait_for_function("document.querySelector('.sentence .copy').textContent !== 'Copy'")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Take tree: most preferred of those not shown to be worse.")
    assert "after the results were seen" in copied
    page.locator("#changed button").click()
    assert not page.locator("#changed").is_visible()
    assert not page.locator("#below").is_visible()
    assert choice(page) == expected(demo())


def middle(page, name):
    box = page.locator(".choices button", has_text=name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_dragging_by_the_mouse(opened):
    page = opened("preferred")
    page.mouse.move(*middle(page, "nn"))
    page.mouse.down()
    x, y = middle(page, "nmc")
    page.mouse.move(x - 10, y, steps=8)
    page.mouse.up()
    assert chips(page) == ["nn", "nmc", "lgc", "tree"]
    assert page.locator("#learners tr.chosen th").inner_text() == "nn"


def test_dragging_by_touch(opened):
    page = opened("preferred", viewport=PHONE, has_touch=True, is_mobile=True)
    session = page.context.new_cdp_session(page)
    x, y = middle(page, "lgc")
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    left, top = middle(page, "nmc")
    for share in np.linspace(0, 1, 8):
        point = {"x": x + share * (left - 10 - x), "y": y + share * (top - y)}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert chips(page)[0] == "lgc"
    assert page.locator("h1").inner_text() == "Take lgc: most preferred of those not shown to be worse"


@pytest.mark.parametrize("name", ["decided", "undecided"])
def test_no_preference_is_asked_for_where_none_could_choose(opened, name):
    assert opened(name).locator(".choices").count() == 0


# Tables, sections, paper.


def test_a_large_page_is_light_and_quick(opened, reports):
    assert reports("large").stat().st_size <= 400_000
    times = []
    for _ in range(3):
        page = opened("large")
        times.append(page.evaluate("performance.getEntriesByType('navigation')[0].domComplete"))
    assert min(times) < 1000
    rows = page.locator("#learners tbody tr")
    assert sum(row.is_visible() for row in rows.all()) == 8
    page.locator("#more").click()
    assert sum(row.is_visible() for row in rows.all()) == rows.count() == 30


def test_tables_sort_by_their_numbers(opened):
    page = opened("large")
    page.locator("#pairs-of-learners > summary").click()
    column = page.locator("#pairs thead th").all_inner_texts().index("adjusted p")
    head = page.locator("#pairs thead th").nth(column)
    read = f"(rows) => rows.map((row) => row.cells[{column}].textContent)"
    head.locator("button").click()
    up = [float(each) for each in page.locator("#pairs tbody tr").evaluate_all(read)]
    assert up == sorted(up)
    assert len(set(up)) > 100
    head.locator("button").click()
    assert [float(each) for each in page.locator("#pairs tbody tr").evaluate_all(read)] == up[::-1]


def test_sorting_takes_the_first_number_of_a_cell(opened):
    page = opened("preferred")
    cells = ["56 %", "0.1 or more", "·", "−2", "p < 1e-300", "1,200", "+0.5 [0, 1]"]
    page.locator("#pairs-of-learners > summary").click()
    page.evaluate(
        "(cells) => Array.from(document.querySelector('#pairs tbody').rows).forEach((row, i) => "
        "{ row.cells[2].textContent = cells[i % cells.length]; })",
        cells,
    )
    page.locator("#pairs thead th button").nth(2).click()
    shown = page.locator("#pairs tbody tr").evaluate_all("(rows) => rows.map((row) => row.cells[2].textContent)")
    assert list(dict.fromkeys(shown)) == ["−2", "p < 1e-300", "0.1 or more", "+0.5 [0, 1]", "56 %", "1,200", "·"]


def test_rows_are_found_by_words(opened):
    page = opened("large")
    page.locator("#pairs-of-learners > summary").click()
    page.locator("#filter-pairs").fill("learner-07 LEARNER-03")
    seen = "(rows) => rows.filter((row) => row.checkVisibility()).map((row) => row.innerText)"
    shown = page.locator("#pairs tbody tr").evaluate_all(seen)
    assert len(shown) == 1
    assert "learner-07" in shown[0]
    assert page.locator("output[for=filter-pairs]").inner_text() == "1 of 435 rows"


def test_a_code_leads_to_its_paragraph(opened):
    page = opened("preferred")
    code = page.locator(".careful a").first.inner_text()
    assert not page.locator(f"#advice-{code}").is_visible()
    page.locator(".careful a").first.click()
    page.locator(f"#advice-{code}").wait_for(state="visible", timeout=5000)


@pytest.mark.parametrize("part", ["#verdict", "#learners", "#%", "#nothing"])
def test_any_address_leaves_the_page_alive(opened, reports, part):
    page = opened("preferred")
    page.goto(reports("preferred").as_uri() + part)
    page.reload()
    page.locator(".choices button", has_text="tree").click()
    assert page.locator("h1").inner_text() == "Take tree: most preferred of those not shown to be worse"
    assert page.said == []


def test_dark_readers_print_dark_letters(opened):
    page = opened("preferred", color_scheme="dark")
    page.emulate_media(media="print")
    colours = page.evaluate(
        "() => ['--ink', '--fig-ink'].map((name) => getComputedStyle(document.body).getPropertyValue(name))"
    )
    assert all(int(colour.strip().lstrip("#")[:2], 16) < 0x40 for colour in colours)


def test_no_number_is_broken_on_paper(opened):
    page = opened("preferred")
    page.emulate_media(media="print")
    numbers = "[...document.querySelectorAll('.wide td:not(.t, .w)')]"
    assert page.evaluate(f"{numbers}.map((cell) => getComputedStyle(cell).whiteSpace)").count("nowrap") > 10
    assert page.evaluate(f"{numbers}.every((cell) => getComputedStyle(cell).whiteSpace === 'nowrap')")


def test_without_script_everything_is_there(opened):
    plain = opened("preferred", java_script_enabled=False)
    assert plain.said == []
    assert plain.locator("#learners tbody tr").count() == 5
    assert plain.locator(".hint").is_hidden()
    assert "The best is among" in plain.locator(".choices").inner_text()


@pytest.mark.parametrize("name", ["preferred", *slow("large", "measures")])
def test_every_row_is_whole_on_paper(opened, tmp_path, name):
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed")
    page = opened(name)
    page.pdf(path=tmp_path / "page.pdf", format="A4", prefer_css_page_size=True)

    def plain(text):  # without ligatures, and wherever lines end
        return "".join(normalize("NFKC", text).split())

    sheets = [plain(each.extract_text()) for each in pypdf.PdfReader(tmp_path / "page.pdf").pages]
    rows = page.locator("#learners tbody tr, #pairs tbody tr").evaluate_all(
        "(rows) => rows.map((row) => Array.from(row.cells, (cell) => cell.textContent.trim()).filter(Boolean))"
    )
    assert len(rows) > 10

    def whole(cells):
        return any(all(plain(cell) in sheet for cell in cells) for sheet in sheets)

    assert [cells for cells in rows if not whole(cells)] == []
