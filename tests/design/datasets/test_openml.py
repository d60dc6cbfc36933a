"""OpenML, by answers in its own format served on loopback: names, ids, cache, checksum, faults of the line."""

import gzip
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.design.datasets import dataset_of, openml
from bestofk.design.datasets.openml import cache_folder, fetched_set
from bestofk.design.plan.file import read_plan

ARFF = """@RELATION toys
@ATTRIBUTE id INTEGER
@ATTRIBUTE size REAL
@ATTRIBUTE 'the colour' {red, blue, 'green, dark'}
@ATTRIBUTE remark STRING
@ATTRIBUTE kind {no,yes}
@DATA
1,1.5,red,'it is, so',yes
2,?,'green, dark',x,no
3,2.5,?,y,yes
4,4,blue,?,no
"""
NAMED = "/api/v1/json/data/list/data_name/{}/status/active"
DESCRIBED = "/api/v1/json/data/{}"
FILE = "/data/v1/download/{}"
HANGING = object()


def described(number, text, **changes):
    """A description as OpenML writes it, ids as text."""
    return {
        "data_set_description": {
            "id": str(number),
            "name": "toys",
            "version": "1",
            "format": "ARFF",
            "licence": "CC0",
            "url": f"https://elsewhere.invalid/data/v1/download/{number}5/toys.arff",
            "file_id": f"{number}5",
            "default_target_attribute": "kind",
            "row_id_attribute": "id",
            "ignore_attribute": ["remark"],
            "status": "active",
            "md5_checksum": hashlib.md5(text.encode()).hexdigest(),
            **changes,
        }
    }


def flowers(rows=150, width=4, classes=3):
    head = "".join(f"@attribute x{place} real\n" for place in range(width))
    names = ",".join(f"k{place}" for place in range(classes))
    body = "".join(f"{','.join(['1'] * width)},k{row % classes}\n" for row in range(rows))
    return f"@relation f\n{head}@attribute kind {{{names}}}\n@data\n{body}"


class Server:
    """Answers by path; each is a body, or a list of (status, body) to be given one after the other."""

    def __init__(self):
        self.answers, self.asked, self.closing = {}, [], threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                if server.answers.get(self.path) is HANGING:
                    server.closing.wait()
                    return
                status, body, packed = server.answer(self.path)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body) if status != 206 else 10_000))
                if packed:
                    self.send_header("Content-Encoding", "gzip")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def answer(self, path):
        found = self.answers.get(path, [(412, {"error": {"code": "111", "message": "Unknown dataset"}})])
        status, body = (found.pop(0) if len(found) > 1 else found[0]) if isinstance(found, list) else (200, found)
        content = json.dumps(body).encode() if isinstance(body, dict) else body.encode()
        packed = path.startswith("/data/") and status == 200  # as OpenML does for those who say that they can unpack
        return (status, gzip.compress(content) if packed else content, packed)

    def offer(self, number, text, **changes):
        self.answers[DESCRIBED.format(number)] = described(number, text, **changes)
        self.answers[FILE.format(f"{number}5")] = text

    def close(self):
        self.closing.set()
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


@pytest.fixture
def server(tmp_path, monkeypatch):
    serving = Server()
    monkeypatch.setenv("BESTOFK_OPENML", serving.url)
    monkeypatch.setenv("BESTOFK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    monkeypatch.setattr(openml, "PAUSES", (0.0, 0.0))
    yield serving
    serving.close()


def test_by_number(server):
    server.offer(7, ARFF)
    data = dataset_of("openml:7")
    size, colour = data.features
    assert (data.name, data.target, data.source, data.classes) == ("toys", "kind", "openml:7", ("no", "yes"))
    assert np.array_equal(size.values, [1.5, np.nan, 2.5, 4], equal_nan=True)
    assert (size.name, colour.name) == ("size", "the colour")
    assert colour.categories == ("blue", "green, dark", "red")
    assert data.y.tolist() == [1, 0, 1, 0]
    assert fetched_set("openml:7").described["licence"] == "CC0"


def test_by_name_the_oldest_active_one(server):
    server.offer(7, ARFF)
    listed = [{"did": 9, "name": "toys", "version": 2, "status": "active"}, {"did": 7, "name": "toys", "version": 1}]
    server.answers[NAMED.format("toys")] = {"data": {"dataset": listed}}
    assert dataset_of("openml:toys", name="mine").source == "openml:7"


def test_kept_on_disk_and_not_asked_for_again(server):
    server.offer(7, ARFF)
    server.answers[NAMED.format("toys")] = {"data": {"dataset": [{"did": 7}]}}
    first = dataset_of("openml:toys")
    assert server.asked == [NAMED.format("toys"), DESCRIBED.format(7), FILE.format("75")]
    server.answers.clear()
    assert dataset_of("openml:toys").fingerprint == dataset_of("openml:7").fingerprint == first.fingerprint
    assert len(server.asked) == 3


def test_a_kept_file_that_is_damaged_is_fetched_again(server):
    server.offer(7, ARFF)
    kept = fetched_set("openml:7").file
    kept.write_text(ARFF.replace("1.5", "9.5"))
    assert dataset_of("openml:7").features[0].values[0] == 1.5
    (kept.parent / "description.json").write_text("{")
    assert dataset_of("openml:7").rows == 4
    assert not list(kept.parent.glob("*.part"))


def test_another_target_and_a_column_that_openml_ignores_as_groups(server):
    server.offer(7, ARFF.replace("3,2.5,?", "3,2.5,red"))
    data = dataset_of("openml:7", target="the colour", groups="id")
    assert [feature.name for feature in data.features] == ["size", "kind"]
    assert (data.classes, data.groups.tolist()) == (("blue", "green, dark", "red"), [0, 1, 2, 3])
    kept = dataset_of("openml:7", drop=["size"])
    assert [feature.name for feature in kept.features] == ["the colour"]


def test_in_a_plan(server, tmp_path):
    server.offer(7, ARFF.replace("?,'green, dark'", "2,red").replace("2.5,?", "2.5,blue"))
    plan = tmp_path / "plan.toml"
    plan.write_text('learners = ["max", "nmc"]\n[datasets]\ntoys = { openml = 7 }\n')
    assert [data.source for data in read_plan(plan).datasets] == ["openml:7"]


@pytest.mark.parametrize(
    ("shape", "wrong"),
    [
        ({"rows": 149}, "149 rows instead of 150"),
        ({"width": 5}, "5 inputs instead of 4"),
        ({"classes": 2, "rows": 148}, "148 rows instead of 150, 2 classes instead of 3"),
    ],
)
def test_a_set_of_the_papers_must_be_theirs(server, shape, wrong):
    server.offer(61, flowers(**shape), row_id_attribute=None, ignore_attribute=None)
    with pytest.raises(InputError, match=f"papers: it has {wrong}") as caught:
        dataset_of("openml:61")
    kept = caught.value.fix.removeprefix("to use it all the same, give its file: ").removesuffix(".")
    assert dataset_of(kept, target="kind").rows == shape.get("rows", 150)


def test_a_set_of_the_papers_by_its_plain_name(server):
    text = flowers(rows=1484, width=8, classes=10)
    server.offer(181, text, row_id_attribute=None, ignore_attribute=None)
    data = dataset_of("yeast")
    assert (data.name, data.source, data.rows) == ("yeast", "openml:181", 1484)
    with pytest.raises(InputError, match="Unknown dataset") as caught:
        dataset_of("glass")
    assert "BESTOFK_DATA" in caught.value.fix


def test_a_wrong_checksum(server):
    server.offer(7, ARFF, md5_checksum="0" * 32)
    with pytest.raises(InputError, match=r"not what OpenML promises: MD5 [0-9a-f]{32} instead of 0{32}"):
        dataset_of("openml:7")
    assert not list(cache_folder().rglob("data.arff"))
    server.offer(7, ARFF)
    assert dataset_of("openml:7").rows == 4  # the description is asked for again


def test_a_server_that_fails_is_asked_again(server):
    server.offer(7, ARFF)
    server.answers[DESCRIBED.format(7)] = [(503, "busy"), (503, "busy"), (200, described(7, ARFF))]
    assert dataset_of("openml:7").rows == 4
    assert server.asked.count(DESCRIBED.format(7)) == 3


FAULTS = {
    "busy": ([(503, "busy")], "cannot be reached: it answers 503"),
    "cut off": ([(206, "{")], "cannot be reached"),
    "unknown": ([(412, {"error": {"code": "111", "message": "Unknown dataset."}})], "no such data: Unknown dataset"),
    "no words": ([(404, "<html>")], "no such data: it answers 404"),
    "no JSON": ([(200, "<html>")], "no JSON"),
    "no description": ([(200, {})], "describes no data set 7"),
    "sparse": (described(7, ARFF, format="Sparse_ARFF"), "sparse"),
    "two targets": (described(7, ARFF, default_target_attribute="kind,size"), "names 2 targets: kind, size"),
    "no target": (described(7, ARFF, default_target_attribute=None), "names 0 targets"),
    "text": (described(7, ARFF, ignore_attribute=None), "column remark holds string values"),
}


@pytest.mark.parametrize(("answer", "wrong"), FAULTS.values(), ids=FAULTS)
def test_faults_in_three_lines(server, answer, wrong):
    server.offer(7, ARFF)
    server.answers[DESCRIBED.format(7)] = answer
    with pytest.raises(InputError, match=wrong) as caught:
        dataset_of("openml:7")
    assert "openml:7" in caught.value.where or "toys" in caught.value.where
    assert caught.value.fix


def test_a_server_that_does_not_answer_in_time(server, monkeypatch):
    monkeypatch.setattr(openml, "SECONDS", 0.05)
    server.answers[DESCRIBED.format(7)] = HANGING
    with pytest.raises(InputError, match="reached: timed out"):
        dataset_of("openml:7")
    assert len(server.asked) == 3


def test_a_name_that_nobody_has(server):
    server.answers[NAMED.format("nothing")] = [(412, {"error": {"code": "372", "message": "No results"}})]
    with pytest.raises(InputError, match="No results"):
        dataset_of("openml:nothing")
    server.answers[NAMED.format("a%2Fb")] = {"data": {"dataset": []}}
    with pytest.raises(InputError, match=r"active.*called a/b"):
        dataset_of("openml:a/b")
    with pytest.raises(InputError, match="names no data set"):
        dataset_of("openml: ")


def test_nobody_at_the_address(server, monkeypatch):
    monkeypatch.setenv("BESTOFK_OPENML", "http://127.0.0.1:9")  # the port of discard: nobody listens
    with pytest.raises(InputError, match=r"OpenML cannot be reached: .*refused") as caught:
        dataset_of("openml:7")
    assert "127.0.0.1:9" in caught.value.where
    assert "give the file" in caught.value.fix


@pytest.mark.parametrize("address", ["file:///etc", "openml.org", ""])
def test_an_address_that_is_none(server, monkeypatch, address):
    monkeypatch.setenv("BESTOFK_OPENML", address)
    with pytest.raises(InputError, match="no web address"):
        dataset_of("openml:7")


def test_a_cache_that_cannot_be_written(server, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BESTOFK_CACHE", str(tmp_path / "file"))
    server.offer(7, ARFF)
    with pytest.raises(InputError, match="cannot be written") as caught:
        dataset_of("openml:7")
    assert "BESTOFK_CACHE" in caught.value.fix


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.delenv("BESTOFK_CACHE", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "bestofk"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "bestofk"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder().parts[-3:] == ("Library", "Caches", "bestofk")
