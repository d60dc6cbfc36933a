"""The HTML report in a real Chromium: nothing moves, the console is silent, tables sort, a phone is wide enough."""

import re
from functools import cache

import pytest

import bestofk as bk
from bestofk.reporting.report import write_report
from browser_probe import CHROMIUM, LAPTOP, PHONE, asked, browse
from makers import slow
from makers_measures import counts_of
from report_cases import demo, evil, large

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("reports")
    return {
        name: write_report(verdict(), folder / f"{name}.html")
        for name, verdict in {"demo": demo, "evil": evil, "large": large, "measures": of_measures}.items()
    }


def of_measures():
    """Four measures, of learners with long names."""
    long = {"a-learner-with-quite-a-long-name": (0.9, 0.1), "an_" + "unbroken" * 8: (0.85, 0.14), "c": (0.8, 0.2)}
    return bk.judge(counts_of(long), on="tpr,fpr,precision,accuracy")


def test_the_probe_sees_a_page_that_moves(tmp_path):
    """The measure itself: a page that puts a block on top of what is shown already has moved."""
    path = tmp_path / "moving.html"
    path.write_text(
        "<!doctype html><html><head></head><body><p>text</p><script>setTimeout(() => document.body.insertAdjacentHTML("
        "'afterbegin', '<div style=\"height:400px\">late</div>'), 300); console.error('seen')</script></body></html>",
        encoding="utf-8",
    )
    assert sum(asked(path, "window.moved")) > 0.01
    assert any("seen" in line for line in browse(path, "--dump-dom")[1])


#: What is asked of every page at every size in one start of the browser; the clicks come last.
QUESTIONS = {
    "moved": "[...window.moved]",
    "wide": "[document.documentElement.scrollWidth, window.innerWidth]",
    "bottoms": """['h1', '.sentence', '#learners', '#learners tbody tr', '.graph svg', '.careful'].map((each) =>
      [...document.querySelectorAll(each)].find((one) => one.checkVisibility())?.getBoundingClientRect().bottom)""",
    "states": """['chosen', 'open', 'worse'].map((state) => {
      const row = document.querySelector(`#learners tr.${state}`);
      if (!row) return null;
      const style = getComputedStyle(row.cells[0]);
      return [row.cells[0].textContent, style.fontWeight, style.color, row.cells[row.cells.length - 1].textContent];
    })""",
    "sorted": """(() => {
      const heads = [...document.querySelectorAll('#learners thead th')];
      const button = heads[1].querySelector('button');
      const rows = () => [...document.querySelectorAll('#learners tbody tr')];
      const values = () => rows().map((row) => Number(row.cells[1].textContent));
      button.click(); const up = values(); const said = heads[1].getAttribute('aria-sort');
      button.click(); return [up, values(), said];
    })()""",
    "filtered": """(() => {
      const input = document.querySelector('#filter-pairs');
      if (!input) return null;
      input.value = 'learner-07 LEARNER-03'; input.dispatchEvent(new Event('input'));
      const rows = [...document.querySelectorAll('#pairs tbody tr')].filter((row) => !row.hidden);
      return [rows.length, rows[0]?.textContent, input.parentElement.querySelector('output').textContent];
    })()""",
}


@pytest.fixture(scope="module")
def page(reports):
    @cache
    def answers(name, size=LAPTOP):
        script = "{" + ", ".join(f"{key}: {expression}" for key, expression in QUESTIONS.items()) + "}"
        return asked(reports[name], script, size=size)

    return answers


@pytest.mark.parametrize(
    ("name", "size"),
    [("demo", PHONE), ("demo", LAPTOP), ("large", LAPTOP), ("evil", PHONE), ("measures", PHONE),
     *slow(("large", PHONE), ("evil", LAPTOP), ("measures", LAPTOP))],
)  # fmt: skip
def test_nothing_moves_and_nothing_is_wider_than_the_window(page, name, size):
    found = page(name, size)
    assert found["moved"] == []
    wide, window = found["wide"]
    assert wide <= window


@pytest.mark.parametrize("name", ["demo", "evil", *slow("large", "measures")])
def test_the_console_is_silent(reports, name):
    """With its own policy in force: a blocked script, style or request would be said here."""
    dom, said = browse(reports[name], "--dump-dom")
    assert said == []
    assert 'class="js"' in dom


def test_a_large_report_is_below_two_megabytes(reports):
    assert reports["large"].stat().st_size < 2_000_000


def test_the_first_screen_of_a_laptop_has_verdict_table_graph_and_caution(page):
    heading, *others = page("demo")["bottoms"]
    assert heading < 150
    assert max(others) <= LAPTOP[1]


def test_the_first_screen_of_a_large_report_has_the_verdict_and_the_first_rows(page):
    heading, _, _, row, *_ = page("large")["bottoms"]
    assert heading < 200
    assert row < LAPTOP[1] / 2


def test_the_first_screen_of_a_phone_has_every_learner(page):
    assert page("demo", PHONE)["bottoms"][2] <= PHONE[1]


def test_the_chosen_learner_is_seen_by_more_than_colour(page):
    chosen, still_open, worse = page("demo")["states"]
    assert (chosen[0], chosen[1], chosen[3]) == ("nmc", "700", "preferred")
    assert (still_open[1], worse[1]) == ("400", "400")
    assert len({chosen[2], still_open[2], worse[2]}) == 3
    assert worse[3].startswith("worse")


def test_tables_sort_by_a_click(page):
    up, down, said = page("demo")["sorted"]
    assert up == sorted(up)
    assert down == sorted(up, reverse=True)
    assert len(set(up)) == 5
    assert said == "ascending"


def test_rows_are_found_by_words(page):
    number, text, said = page("large")["filtered"]
    assert number == 1
    assert "learner-07" in text
    assert said == "1 of 435 rows"


def test_without_script_everything_is_there(reports, tmp_path):
    path = tmp_path / "plain.html"
    text = reports["demo"].read_text(encoding="utf-8")
    path.write_text(re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL), encoding="utf-8")
    dom, said = browse(path, "--dump-dom")
    assert said == []
    assert dom.count("<table") == text.count("<table") >= 3
    assert "<button" not in dom


def test_it_prints_to_pages_with_all_its_rows(reports, tmp_path):
    path = tmp_path / "demo.pdf"
    _, said = browse(reports["demo"], "--no-pdf-header-footer", f"--print-to-pdf={path}")
    assert said == []
    pages = len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))
    assert 3 <= pages <= 8


@pytest.mark.parametrize(("scheme", "theme"), [(0, "dark"), *slow((1, "light"))])
def test_dark_and_light_show_their_own_drawing_of_each_figure(reports, scheme, theme):
    script = """[...document.querySelectorAll('figure')].map((each) =>
      [...each.querySelectorAll('.sheet')].filter((one) => one.checkVisibility()).map((one) => one.className))"""
    shown = asked(reports["demo"], script, f"--blink-settings=preferredColorScheme={scheme}")
    assert shown
    assert {tuple(each) for each in shown} == {(f"sheet {theme}",)}
