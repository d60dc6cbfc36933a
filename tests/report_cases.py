"""Verdicts, names that must stay text, and figures without drawing, for the tests of reports."""

from html import escape
from pathlib import Path

import numpy as np

import bestofk as bk

EXAMPLES = Path(__file__).parent.parent / "examples"
PRIOR = ("max", "nmc", "lgc", "tree", "nn")

#: What a name must not become: a tag, an attribute, a command, a heading, a list, a link, a table cell, a dash.
EVIL = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    r"a_b & 100% $x$ {y} #1 ~^ \end{document}",
    "| [link](http://x.y) `tick` *bold* ![p](q)",
    "# 1. --- ''quoted'' www.x.y a@b.c &lt;",
    "{{ 7 * 7 }} {% raw %} << 1 >>",
)

#: Names that lines and letters must stand: 110 letters, Chinese, right to left, emoji, one the beginning of another.
ODD = ("x" * 110, "学习者的名字很长", "لومسا", "model 🦊", "model 5 %", "model")


def demo():
    return bk.judge(bk.read(EXAMPLES / "five_by_two.csv"), prior=PRIOR)


def scores(names, spread=0.1, seed=1, datasets=None):
    """Errors of learners that grow by ``spread`` from one to the next: 5 × 2 folds, or many data sets."""
    rng = np.random.default_rng(seed)
    shape = (1, 5, 2) if datasets is None else (datasets, 1, 1)
    level = 0.2 + spread * np.arange(len(names))[:, None, None, None]
    values = level + rng.normal(0, 0.01, (len(names), *shape))
    labels = ("data",) if datasets is None else tuple(f"d{i}" for i in range(datasets))
    return bk.Scores(learners=names, values=values, measure="error", larger_is_better=False, datasets=labels)


def evil():
    return bk.judge(scores(EVIL), prior=EVIL)


def large(k=30, datasets=100):
    names = tuple(f"learner-{i:02d} with a name of some length" for i in range(k))
    evidence = scores(names, spread=0.006, seed=3, datasets=datasets)
    return bk.judge(evidence, prior=names)


class Sketch:
    """A figure that is not drawn: what the report needs of one."""

    words = ""

    def __init__(self, name, alt="Two learners; the first is better."):
        self.name, self.title, self.alt = name, f"The {name} & its <title>", alt

    def svg(self, *, theme="light", width="column"):
        return (
            '<?xml version="1.0"?><!-- a comment --><svg xmlns="http://www.w3.org/2000/svg" width="9pt" height="4pt" '
            f'viewBox="0 0 9 4"><metadata>x</metadata><defs><path id="mark"/></defs><use href="#mark"/><text>{theme}'
            f"</text><text>{escape(self.words)}</text></svg>"
        )

    def save(self, path):
        if str(path).endswith(".pdf"):
            Path(path).write_bytes(smallest_pdf())
        else:
            Path(path).write_text(self.svg(), encoding="utf-8")


def smallest_pdf():
    """An empty page that LaTeX can include."""
    parts = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 90 40]/Resources<<>>/Contents 4 0 R>>",
        b"<</Length 0>>stream\n\nendstream",
    )
    text, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(parts) + 1
    trailer = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(text))
    return text + b"xref\n0 %d\n" % size + table + trailer


def sketched(monkeypatch, *names):
    """Let every report have these figures in place of drawn ones."""
    monkeypatch.setattr("bestofk.reporting.page.figures_of", lambda verdict: tuple(map(Sketch, names)))
