"""A real browser asked about a page: it is shown in real time and posts its answer to a server on the loopback."""

import json
import re
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PHONE, LAPTOP = (390, 844), (1366, 768)
FIXED = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")

#: Every move of what is shown already, from the first picture on.
EARLY = """<script>window.moved = []; new PerformanceObserver((list) => list.getEntries().forEach((each) =>
window.moved.push(each.value))).observe({type: 'layout-shift', buffered: true})</script>"""
#: A second after all is loaded.
LATE = """<script>addEventListener('load', () => setTimeout(() => fetch('/answer', {method: 'POST', body:
JSON.stringify(%s)}), 1000))</script>"""


def browse(path, *options, size=LAPTOP):
    """Output of the browser for a file, and what its console said."""
    run = subprocess.run(
        [*_command(path.parent, size), "--enable-logging=stderr", *options, path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return run.stdout, [line for line in run.stderr.splitlines() if "CONSOLE" in line]


def asked(path, script, *options, size=LAPTOP):
    """What an expression is worth in the page; the page's policy is lifted for the question alone."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy".*?>', "", path.read_text(encoding="utf-8"), count=1)
    page = text.replace("<head>", "<head>" + EARLY).replace("</body>", LATE % script + "</body>")
    with _Server(page) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        browser = subprocess.Popen(
            [*_command(path.parent, size), *options, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            assert server.answered.wait(60), "the browser did not answer"
        finally:
            browser.terminate()
            browser.wait(20)
    return server.answer


def _command(folder, size):
    return [CHROMIUM, *FIXED, f"--user-data-dir={folder / 'profile'}", f"--window-size={size[0]},{size[1]}"]


class _Server(ThreadingHTTPServer):
    """Serves one page and takes one answer."""

    def __init__(self, page):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.page, self.answer, self.answered = page.encode(), None, threading.Event()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self._send(self.server.page if self.path == "/" else b"")

    def do_POST(self):
        self.server.answer = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._send(b"")
        self.server.answered.set()

    def _send(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *said):
        """Stay silent."""
