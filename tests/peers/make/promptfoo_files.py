"""Results of promptfoo: the program is real, the questions and the two models are invented.

Usage: promptfoo_files.py SCRATCH_FOLDER, with promptfoo 0.123.1 in its node_modules (npm install promptfoo). What is
not read (responses, how they were graded, settings) is taken out.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent
SUMS = [(1, 2), (2, 2), (3, 4), (9, 4), (5, 8), (7, 7), (6, 3), (8, 9)]
UNREAD = ("gradingResult", "response", "metadata")
MODEL = """
module.exports = class {
  constructor(options) { this.label = options.label; }
  id() { return 'invented'; }
  async callApi(prompt, context) {
    const {a, b} = context.vars, large = this.label === 'large';
    if (!large && a === 9) return {error: 'the model is gone'};
    const knows = large ? a !== 2 : a > 5;
    const tokenUsage = {total: large ? 40 : 20, prompt: 15, completion: large ? 25 : 5};
    return {output: `It is ${knows ? a + b : a * b + 100}.`, tokenUsage, cost: large ? 0.001 : 0.0001};
  }
};
"""


def config():
    """One prompt, two providers, eight sums."""
    right = [{"type": "contains", "value": "is {{sum}}.", "metric": "right"}]
    tests = [{"vars": {"a": a, "b": b, "sum": str(a + b)}, "assert": right} for a, b in SUMS]
    providers = [{"id": "file://model.js", "label": label} for label in ("small", "large")]
    return {"prompts": ["What is {{a}} + {{b}}?"], "providers": providers, "tests": tests}


if __name__ == "__main__":
    scratch = Path(sys.argv[1]).resolve()
    (scratch / "model.js").write_text(MODEL, encoding="utf-8")
    (scratch / "promptfooconfig.json").write_text(json.dumps(config()), encoding="utf-8")
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": "settings"}
    call = ["npx", "promptfoo", "eval", "-c", "promptfooconfig.json", "--no-cache", "--no-table", "-o", "out.json"]
    subprocess.run(call, cwd=scratch, env=os.environ | quiet)  # ends with 100 where a test fails
    found = json.loads((scratch / "out.json").read_text("utf-8"))
    results = [{k: v for k, v in each.items() if k not in UNREAD} for each in found["results"]["results"]]
    version = found["results"]["version"]
    kept = {"evalId": "eval-sums", "results": {"version": version, "prompts": [], "results": results}}
    (PEERS / "promptfoo.json").write_text(json.dumps(kept), encoding="utf-8")
    fine = [each for each in results if each["vars"]["a"] != 9]  # those without an error
    (PEERS / "promptfoo.jsonl").write_text("".join(json.dumps(each) + "\n" for each in fine), encoding="utf-8")
