"""A real Ray on this machine gives the results of the serial run."""

import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("ray", reason="Ray is not installed: pip install 'bestofk[ray]'")

SCRIPT = """
import sys
import bestofk as bk

if __name__ == "__main__":
    plan = bk.Plan(["nmc", "nn", "tree"], ["iris", "wine"], folds="5x2", seed=4)
    bk.collect(plan, sys.argv[1], engine="ray", progress=False)
"""


@pytest.mark.slow
def test_ray_equals_serial(tmp_path):
    import bestofk as bk

    script = tmp_path / "collecting.py"
    script.write_text(textwrap.dedent(SCRIPT))
    # A process of its own: Ray's processes end with it.
    subprocess.run([sys.executable, str(script), str(tmp_path / "ray.db")], check=True, timeout=180)
    plan = bk.Plan(["nmc", "nn", "tree"], ["iris", "wine"], folds="5x2", seed=4)
    serial = bk.collect(plan, tmp_path / "serial.db", engine="serial", progress=False)
    by_ray = bk.read(tmp_path / "ray.db")
    assert (by_ray.values == serial.values).all()
    assert (by_ray.fingerprints == serial.fingerprints).all()
