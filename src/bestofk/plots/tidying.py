"""SVG for a page: small, without rules that reach beyond it, and with words for who cannot see it."""

from __future__ import annotations

import re
from html import escape

# Verdana has the widths of matplotlib's own font and most machines have it; other fonts are narrower.
_ROOT = "font-family: 'DejaVu Sans', Verdana, sans-serif; stroke-linejoin: round; stroke-linecap: butt"
_NUMBER = re.compile(r"-?\d+\.\d{3,}(?!\w)")
_TAG = re.compile(r"<[^>]*>")


def tidy(svg: str, *, title: str, words: str) -> str:
    """Leave out what a page does not need, and name the figure."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)  # it would rule the whole page
    used = set(re.findall(r"#([\w.-]+)", svg))
    svg = re.sub(r'\sid="([\w.-]+)"', lambda match: match.group() if match.group(1) in used else "", svg)
    svg = _TAG.sub(_shorter, svg)
    svg = re.sub(r'<path d="M \S+ \S+ ?"[^>]*/>', "", svg)  # a line of one point
    svg = re.sub(r"(<g[^>]*)>((?:\s*<use [^>]*/>)+\s*)</g>", _style_once, svg)
    while "<g>" in svg:  # groups that say nothing
        fewer = re.sub(r"<g>\s*(<(\w+)[^<]*?(?:/>|>[^<]*</\2>))?\s*</g>", lambda match: match.group(1) or "", svg)
        if fewer == svg:
            break
        svg = fewer
    return _named(re.sub(r"\n\s*", "\n", svg), title, words)


def _shorter(match: re.Match[str]) -> str:
    """Numbers to a hundredth of a point; no line breaks, no turning by nothing, the font said once for all."""
    tag = _NUMBER.sub(lambda number: f"{float(number.group()):.2f}", match.group())
    tag = re.sub(r' transform="rotate\(-?0 [^"]*\)"', "", tag)
    tag = re.sub(r"font-family: [^;\"]*(?:; )?", "", tag)
    return re.sub(r"\s+", " ", tag)


def _style_once(match: re.Match[str]) -> str:
    """The style of equal marks on their group."""
    styles = set(re.findall(r'style="([^"]*)"', match.group(2)))
    if len(styles) != 1 or "style=" in match.group(1):
        return match.group()
    inside = re.sub(r' style="[^"]*"', "", match.group(2))
    return f'{match.group(1)} style="{styles.pop()}">{inside}</g>'


def _named(svg: str, title: str, words: str) -> str:
    end = svg.index(">")
    root = svg[:end].replace("<svg ", f'<svg style="{_ROOT}" ', 1)
    return f"{root}>\n<title>{escape(title)}</title>\n<desc>{escape(words)}</desc>{svg[end + 1 :]}"
