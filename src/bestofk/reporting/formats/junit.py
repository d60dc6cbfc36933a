"""A gate as JUnit's XML, which every continuous integration reads: a test case for each check."""

from __future__ import annotations

from html import escape
from math import inf

from bestofk.core.errors import InputError
from bestofk.core.escapes import without_escapes
from bestofk.judging.gate import Check, Gate
from bestofk.reporting.document import Document, Request
from bestofk.reporting.gate import margin_text, named, worse_by


def junit_report(request: Request) -> Document:
    """Make the text: worse is a failure; undecided is one too, or is skipped where it does not fail the gate."""
    gate = request.subject
    if not isinstance(gate, Gate):
        raise InputError("JUnit's XML is of gates alone.", "report, format xml", "use .json, .html or .md.")
    kinds = [_kind(each, gate) for each in gate.checks]
    counts = f'tests="{len(kinds)}" failures="{kinds.count("failure")}" skipped="{kinds.count("skipped")}"'
    suite = _attribute(" against ".join(named(gate)))
    cases = "".join(map(_case, gate.checks, kinds))
    said = f"    <system-out>{escape(without_escapes(repr(gate)))}</system-out>\n"
    head = f'<testsuites name="bestofk gate">\n  <testsuite name={suite} {counts} errors="0">\n'
    return Document(f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{cases}{said}  </testsuite>\n</testsuites>\n')


def _kind(check: Check, gate: Gate) -> str:
    if check.outcome == "passed":
        return ""
    return "failure" if check.outcome in ("worse", gate.fail_on) else "skipped"


def _case(check: Check, kind: str) -> str:
    name = _attribute(check.measure if check.group is None else f"{check.measure}, {check.group}")
    case = f'    <testcase classname="bestofk.gate" name={name}'
    bounds = "" if check.low > -inf or check.high < inf else ", without bounds"
    said = f"{check.outcome}: worse by {worse_by(check)}{bounds}, margin {margin_text(check)}"
    return f"{case}><{kind} message={_attribute(said)}/></testcase>\n" if kind else f"{case}/>\n"


def _attribute(text: str) -> str:
    return f'"{escape(without_escapes(text))}"'
