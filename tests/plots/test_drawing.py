"""The drawing of figures: the same bytes every time, no words on words, nothing left behind in the process."""

import hashlib
import runpy
import subprocess
import sys
import threading
from functools import cache
from itertools import combinations, product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.plots.canvas.board import COLUMN, PAGE, Board, settings, sheet, spread
from bestofk.plots.canvas.text_width import SMALL, fitted, shortened, text_width, wrapped
from bestofk.plots.canvas.themes import DARK, LIGHT, MARKERS, theme_of
from bestofk.plots.figures.curves import CurveBandsInfo
from bestofk.plots.figures.order_graph import OrderGraphInfo
from bestofk.plots.figures.underlined_order import UnderlinedOrderInfo
from bestofk.plots.gallery import FIGURES, WIDTHS, figure, figure_of, figures_for

pytest.importorskip("matplotlib", reason="figures need the extra plots")
from makers import slow
from plot_cases import infos_of, names_of, verdict_of

KINDS = (*FIGURES, "order without preference")
FEW = ("order", "pairs", "losses", "curves", "pareto")  # text, lines, areas and marks
PHONE = WIDTHS["phone"]


@cache
def cases(k, kind="plain"):
    return infos_of(k, names_of(k, kind))


def drawn(info, width):
    """The texts that are really drawn."""
    from matplotlib.text import Text

    seen = []
    plain = Text.draw

    def draw(self, renderer, *args, **options):
        if self.get_visible() and self.get_text().strip():
            seen.append(self)
        return plain(self, renderer, *args, **options)

    with settings(), pytest.MonkeyPatch.context() as patch:
        ax = sheet(width, info.height(width), theme_of("light"), info.title)
        info.draw(ax=ax)
        patch.setattr(Text, "draw", draw)
        ax.figure.canvas.draw()
        return seen


def boxes_of(texts):
    """Words with their boxes in pixels, and the sheet's size."""
    with settings():
        boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    return boxes, texts[0].get_figure(root=True).canvas.get_width_height()


def refuse_overlap(info, width):
    texts = drawn(info, width)
    boxes, (across, down) = boxes_of(texts)
    for words, box in boxes:
        assert box.x0 > -0.5, f"{words!r} is cut off"
        assert box.y0 > -0.5, f"{words!r} is cut off"
        assert box.x1 < across + 0.5, f"{words!r} is cut off"
        assert box.y1 < down + 0.5, f"{words!r} is cut off"
    for (one, a), (two, b) in combinations(boxes, 2):
        apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 or b.y1 <= a.y0
        assert apart, f"{one!r} lies on {two!r}"
    return texts


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("names", ["plain", *slow("long", "wide")])
@pytest.mark.parametrize(
    ("k", "width"),
    [(5, PHONE), *slow((5, COLUMN), (5, PAGE), *product((2, 30), (PHONE, COLUMN, PAGE)), (8, PHONE), (12, PHONE))],
)
def test_no_words_on_words_none_cut_off_and_none_too_small(name, names, k, width):
    texts = refuse_overlap(cases(k, names)[name], width)
    assert width > PHONE or {text.get_text() for text in texts if text.get_fontsize() < SMALL} == set()


@pytest.mark.parametrize("k", [3, *slow(4, 6, 7, 8, 9, 13, 16, 21)])
def test_names_of_any_number_of_learners(k):
    verdict = verdict_of(k)
    for name in ("order", "underlined-order", "critical-difference", "pairs", "losses"):
        info = FIGURES[name].of(verdict)
        if info is None:
            assert name == "order"  # more arrows than can be followed
            continue
        words = [text.get_text() for text in refuse_overlap(info, COLUMN)]
        for learner in names_of(k)[3:]:  # the first three are too long for some
            assert learner in words, name
    refuse_overlap(figure("differences", verdict).info, COLUMN)
    refuse_overlap(figure("order-steps", verdict).info, COLUMN)


@pytest.mark.parametrize("name", [*FEW, *slow(*(each for each in KINDS if each not in FEW))])
def test_same_bytes_again_and_valid_xml(name):
    made = figure_of(cases(5)[name])
    first = made.svg()
    assert first == made.svg()
    root = ElementTree.fromstring(first)
    title, words = (root.find(f"{{http://www.w3.org/2000/svg}}{tag}").text for tag in ("title", "desc"))
    assert (title, words) == (made.title, made.alt)
    assert "<style" not in first
    assert "<metadata" not in first
    assert "http" not in first.replace("http://www.w3.org/", "")


def test_a_notebook_reads_a_figure_out():
    made = figure_of(cases(5)["order"])
    page = ElementTree.fromstring(made._repr_html_())
    assert (page.get("role"), page.get("aria-label")) == ("img", made.alt)


def digest():
    drawn = (figure_of(cases(5)[name]).svg() for name in FEW)
    return hashlib.sha256("".join(drawn).encode()).hexdigest()


@pytest.mark.slow
def test_same_bytes_in_another_process():
    here = str(Path(__file__).parents[1])
    code = f"import sys; sys.path.insert(0, {here!r}); import plots.test_drawing as tests; print(tests.digest())"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == digest()


def test_same_bytes_whatever_the_process_has_set():
    import matplotlib

    made = figure_of(cases(5)["order"])
    plain = made.svg()
    with matplotlib.rc_context({"font.size": 20, "lines.linewidth": 9, "axes.grid": True, "text.usetex": False}):
        assert made.svg() == plain


@pytest.mark.parametrize("name", FIGURES)
def test_drawing_into_given_axes_leaves_the_others_and_the_process_alone(name):
    import matplotlib
    from matplotlib.figure import Figure

    before = dict(matplotlib.rcParams)
    page = Figure(figsize=(8, 8))
    ours, other = page.subplots(2)
    other.plot([1, 2, 3])
    kept = (other.get_xlim(), other.get_ylim(), len(other.lines), other.get_position().bounds, page.get_facecolor())
    assert figure_of(cases(5)[name]).draw(ax=ours, theme="dark") is ours
    assert len(page.axes) == 2
    after = (other.get_xlim(), other.get_ylim(), len(other.lines), other.get_position().bounds, page.get_facecolor())
    assert after == kept
    assert dict(matplotlib.rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_a_sheet_of_its_own_without_axes():
    ax = cases(5)["order"].draw()
    assert ax.figure.get_size_inches()[0] * 25.4 == pytest.approx(84.0)


EVIL = ("<script>alert(1)</script>", "$x^2$ & co", "quote \" '", "日本語", "a\\$b]]>", "--><b>")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kinds", [FEW, *slow((KINDS,))], ids=len)
def test_names_stay_text(kinds):
    infos = infos_of(6, EVIL)
    for name in kinds:
        svg = figure_of(infos[name]).svg()
        assert "<script" not in svg, name
        assert "<b>" not in svg, name
        ElementTree.fromstring(svg)
    words = "".join(ElementTree.fromstring(figure_of(infos["losses"]).svg()).itertext())
    for learner in EVIL[1:]:
        assert learner in words
    texts = [text.get_text() for text in drawn(infos["order"], PAGE)]
    assert r"\$x^2\$ & co" in texts  # no formula


@pytest.mark.parametrize(
    "kinds",
    [("order",), *slow((("underlined-order", "critical-difference", "losses", "pairs", "curves", "contours"),))],
    ids=len,
)
def test_full_names_are_in_the_words_when_the_drawing_shortens_them(kinds):
    for name in kinds:
        info = cases(30)[name]
        shown = [text.get_text() for text in drawn(info, COLUMN)]
        assert any("…" in text for text in shown), name
        for learner in names_of(30):
            assert learner in info.alt, (name, learner)


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_saving(tmp_path, kind):
    made = figure_of(cases(5)["order"])
    starts = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}
    for name in ("a", "b"):
        made.save(tmp_path / f"{name}.{kind}", width="page")
    one, two = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("a", "b"))
    assert one == two
    assert one.startswith(starts[kind])


def test_wrong_wishes(tmp_path):
    made = figure_of(cases(5)["order"])
    with pytest.raises(InputError, match=r"\.svg, \.pdf or \.png"):
        made.save(tmp_path / "a.gif")
    with pytest.raises(InputError, match="width"):
        made.svg(width="wide")
    with pytest.raises(InputError, match="theme"):
        made.svg(theme="blue")
    assert not list(tmp_path.iterdir())


def test_threads_draw_what_one_alone_draws():
    wanted = {name: figure_of(cases(5)[name]).svg() for name in ("order", "pairs", "losses", "curves")}
    found = {}
    threads = [
        threading.Thread(target=lambda n=name: found.update({n: figure_of(cases(5)[n]).svg()})) for name in wanted
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


@pytest.mark.slow
def test_thirty_learners_on_a_hundred_data_sets_stay_small():
    sizes = {each.name: len(each.svg()) for each in figures_for(verdict_of(30, datasets=100))}
    assert sum(sizes.values()) < 600_000, sizes


def contrast(one, two):
    def light(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_stand_out(theme):
    assert contrast(theme.ink, theme.paper) > 12
    assert contrast(theme.muted, theme.paper) > 4.5  # small words, WCAG AA
    for colour in (*theme.colours, theme.accent, theme.against):
        assert contrast(colour, theme.paper) > 3  # marks and lines, WCAG AA


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_no_two_learners_look_alike(theme):
    styles = [theme.style(i) for i in range(35)]
    assert len({(style.colour, style.marker) for style in styles}) == 35
    assert len({(style.colour, str(style.line)) for style in styles}) == 35
    assert len({style.marker for style in styles[:8]}) == len(MARKERS)


def test_spread_keeps_order_and_distance():
    rng = np.random.default_rng(0)
    for _ in range(50):
        wanted = rng.uniform(0, 10, rng.integers(1, 9))
        moved = spread(wanted, 1.0, 0.0, 10.0)
        assert (np.argsort(moved, kind="stable") == np.argsort(wanted, kind="stable")).all()
        assert (np.diff(np.sort(moved)) >= 1.0 - 1e-9).all()
        assert moved.min() >= -1e-9
        assert moved.max() <= 10.0 + 1e-9
    assert spread([1.0, 5.0], 1.0, 0.0, 10.0).tolist() == [1.0, 5.0]  # nothing moves without need


def test_short_names_fit_and_differ():
    names = [f"a-very-long-name-of-a-learner-{i}-with-a-long-end" for i in range(30)]
    short = shortened(names, 20.0, 7.0)
    assert len(set(short)) == 30
    assert all(text_width(each, 7.0) <= 20.0 for each in short)
    assert fitted("short", 20.0, 7.0) == "short"
    forests = shortened(("random-forest-of-deep-trees", "random-forest-of-shallow-trees", "knn"), 22.0, 7.0)
    assert "deep" in forests[0]
    assert "shal" in forests[1]
    assert forests[2] == "knn"


GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
APART = ("all_figures", "gallery_paths", "size_and_power", "type_one_error")  # simulations, and what is no figure
SCRIPTS = sorted(each.stem for each in GALLERY.glob("*.py") if each.stem not in APART)
QUICK = ("losses", "order", "pairs")


@pytest.mark.parametrize("script", [*QUICK, *slow(*(each for each in SCRIPTS if each not in QUICK))])
def test_gallery(script, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(GALLERY)
    monkeypatch.setattr(sys, "argv", [script, str(tmp_path)])
    runpy.run_path(str(GALLERY / f"{script}.py"))
    written = sorted(each.name for each in tmp_path.glob("*.svg"))
    assert written
    assert len(written) == 2 * len(capsys.readouterr().out.splitlines())


def test_every_figure_has_a_script_and_a_row_in_the_docs():
    scripts = "".join(each.read_text(encoding="utf-8") for each in GALLERY.glob("*.py"))
    docs = (GALLERY.parent / "reference" / "figures.md").read_text(encoding="utf-8")
    without = {"acceptance", "null-histogram-interaction"}  # other forms of pairs and of null-histogram
    for name, kind in FIGURES.items():
        assert name in without or f'"{name}"' in scripts or kind.__name__ in scripts, name
        assert f"| `{name}` |" in docs, name


def test_of_long_names_a_title_loses_letters_and_no_words_of_its_own():
    title = f"Adjusted p of {'a' * 110} against {'b' * 110} without each data set"
    lines = wrapped(title, 82.0, 8.5)
    assert len(lines) <= 3
    assert max(text_width(line, 8.5) for line in lines) <= 82.0
    kept = " ".join(word for word in " ".join(lines).split() if "…" not in word)
    assert kept == "Adjusted p of against without each data set"


def test_the_axis_of_curves_is_named_in_whole_words_and_the_title_says_what_bands_and_grey_lines_are():
    rng = np.random.default_rng(0)
    for number, said in ((3, "bands: the middle 80 % of runs"), (12, "grey: 4 others")):
        info = CurveBandsInfo.from_curves({f"net-{i}": rng.random((4, 5)) for i in range(number)}, range(5))
        assert said in info.title
        for width in ("phone", "column"):
            ax = sheet(WIDTHS[width], info.height(WIDTHS[width]), LIGHT)
            info.paint(Board(ax, LIGHT))
            assert ax.child_axes[0].get_xlabel() == "step"


def test_names_of_a_word_are_whole_on_a_phone():
    names = ("logistic", "boosting", "forest", "network")
    ax = sheet(PHONE, 60.0, LIGHT)
    OrderGraphInfo(names, (("logistic", "forest"),), names, "boosting", preferred=True).paint(Board(ax, LIGHT))
    assert {each: sum(text.get_text() == each for text in ax.texts) for each in names} == dict.fromkeys(names, 2)


@pytest.mark.parametrize("names", [("a", "b", "c"), tuple(f"a rather long name, {i}" for i in range(3))])
def test_means_under_an_order_have_one_number_of_decimals(names):
    info = UnderlinedOrderInfo(names, (names[:2],), means=(0.8969, 0.88, 0.7), measure="correct")
    assert {"0.897", "0.880", "0.700"} <= {text.get_text() for text in drawn(info, COLUMN)}
