"""The command report says where it wrote, or why it could not."""

import json
from pathlib import Path

from collecting_plans import collected_beside_max, plan_file
from makers import EXAMPLES, command, read_only, three_lines


def test_a_report_is_told_in_a_whole_sentence(tmp_path):
    store, page = tmp_path / "r.db", tmp_path / "r.md"
    command("collect", plan_file(tmp_path), "--into", store, "--engine", "serial")
    said = command("report", store, "-o", page).stdout
    assert said.endswith(f"\nThe report is in {page}\n")


def test_several_reports_are_told_once(tmp_path):
    page, text = tmp_path / "v.html", tmp_path / "v.md"
    words = ("report", EXAMPLES / "five_by_two.csv", "-o", page, "-o", text)
    said = command(*words)
    assert said.exit_code == 0
    assert page.exists()
    assert text.exists()
    assert said.stdout.endswith(f"\nThe reports are in {page} and {text}\n")
    assert len(said.stdout.splitlines()) == 2
    answer = json.loads(command(*words, "--json").stdout)
    assert answer["reports"] == [{"report": str(page), "format": "html"}, {"report": str(text), "format": "md"}]
    assert answer["status"] == "tied"
    beside = command("report", EXAMPLES / "five_by_two.csv", "--format", "json", "-o", "-", "-o", text)
    assert json.loads(beside.stdout)["status"] == "tied"
    assert beside.stderr.endswith(f"The report is in {text}\n")


def test_a_report_that_cannot_be_written_is_told_in_three_lines(tmp_path, monkeypatch):
    store = collected_beside_max(tmp_path, "nmc", folds="5x2")
    told = three_lines(command("report", store, "-o", tmp_path / f"{'r' * 300}.md"))
    assert told[0] == "the report cannot be written: File name too long."
    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setattr(Path, "write_text", read_only)
    told = three_lines(command("report", store, "-o", tmp_path / "r.md"))
    assert told[0] == "the report cannot be written: Read-only file system."
