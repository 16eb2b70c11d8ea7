"""Checks that accepted drawings and posters run and fetch nothing, in whatever way a page shows them.

It opens the drawings and posters of tests/corpus in the most dangerous contexts, or with `--all` in every context, which
takes minutes. As a control, it also opens drawings that the service rejects: each of them must have a recorded effect.
"""

import collections
import http.server
import re
import threading
import uuid

import pytest

from conftest import CHROMIUM, ROOT, event, register

CORPUS = ROOT / "tests/corpus"
CONTEXTS = ["detail", "seat map", "address", "script"]
SVG = "http://www.w3.org/2000/svg"
# Violations of this policy are recorded.
POLICY = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'"

# Runs before the scripts of a page, in every frame. Pages cannot access the recordings.
RECORDER = """
for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'canary', 'fetch'])
  window[name] = () => { recordEffect(`${name} was called`); };
for (const name of ['Worker', 'SharedWorker', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
  window[name] = class { constructor() { recordEffect(`${name} was created`); } };
addEventListener('securitypolicyviolation', event => recordEffect(`policy violation: ${event.violatedDirective}`));
"""

# Sends every element the events that a visitor can cause.
TOUCH = """() => {
  for (const element of document.querySelectorAll('*')) {
    for (const type of ['mouseover', 'mouseenter', 'mousemove', 'mousedown', 'click', 'wheel', 'touchstart', 'keydown',
                        'copy', 'paste', 'drop', 'scroll', 'animationend', 'load', 'error', 'focusin', 'begin', 'toggle'])
      element.dispatchEvent(new Event(type, {bubbles: true, cancelable: true}));
    element.focus?.();
  }
}"""

# Page that shows a drawing twice, as a client does that trusts the service: in a `div`, and inside another drawing.
HTML = """<!doctype html><meta charset=utf-8><title>a</title><div></div>
<svg width="300" height="150" style="position: absolute; left: 400px; top: 0"></svg>"""
SHOW = "text => { for (const parent of document.querySelectorAll('div, svg')) parent.innerHTML = text; }"

# Drawings that the service rejects, and the contexts in which each of them has an effect.
CONTROLS = {
    f'<svg xmlns="{SVG}"><script>alert(1)</script></svg>': ["document", "xhtml"],
    f'<svg xmlns="{SVG}"><rect width="99" height="99" onclick="canary()"/></svg>': ["html", "document", "xhtml"],
    f'<svg xmlns="{SVG}"><desc><img src="x" onerror="alert(1)"/></desc></svg>': ["html"],
    f'<svg xmlns="{SVG}"><image href="https://evil.example/a.png"/></svg>': ["html", "document", "xhtml"],
    f'<svg xmlns="{SVG}"><a><animate attributeName="href" values="javascript:alert(1)"/><rect width="99" height="99"/></a>'
    '</svg>': ["html", "document", "xhtml"],
}


class Pages(http.server.BaseHTTPRequestHandler):
    """Server of a site that trusts the content of the service."""

    bodies = {}

    def do_GET(self):
        media_type, policy, body = self.bodies.get(self.path, ("text/plain", "", ""))
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


class Recorder:
    """Browser that records the effects of a page."""

    def __init__(self, browser, contexts):
        self.contexts = contexts
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.site = f"http://127.0.0.1:{server.server_port}"
        self.effects, self.opening, self.also, self.failures = [], None, None, []
        self.opened = collections.Counter()
        # Pages are painted with few pixels, which takes less time.
        self.context = browser.new_context(service_workers="block", device_scale_factor=0.25)
        self.context.expose_function("recordEffect", lambda effect: self.effects.append(effect))
        self.context.add_init_script(RECORDER)
        self.context.on("request", self.record)
        self.context.on("page", self.watch)
        self.page = self.context.new_page()

    def watch(self, page):
        page.on("dialog", lambda dialog: (self.effects.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        for kind in ["pageerror", "websocket", "worker", "download", "popup"]:
            page.on(kind, lambda value, kind=kind: self.effects.append(f"{kind}: {value}"))

    def record(self, request):
        if request.url == self.opening:
            # Only once: a page that requests itself again is recorded.
            self.opening = None
        elif request.url != self.also and not request.url.startswith(("data:", "blob:")):
            self.effects.append(f"a request: {request.url}")

    def open(self, url, also=None, script=None, argument=None):
        """Opens a page and the URL that belongs to it, and returns all other effects."""
        self.effects.clear()
        self.opening, self.also = url, also
        self.page.goto(url)
        if script:
            self.page.evaluate(script, argument)
        for left in [20, 420]:
            self.page.mouse.click(left, 20)
            self.page.keyboard.press("Tab")
            self.page.keyboard.press("Enter")
        self.page.evaluate(TOUCH)
        # Painting requests all resources; a sandboxed page runs no script that could report them.
        self.page.screenshot()
        for other in self.context.pages[1:]:
            other.close()
        return list(self.effects)

    def serve(self, media_type, body, policy="", **options):
        path = f"/{uuid.uuid4()}"
        Pages.bodies[path] = media_type, policy, body
        return self.open(self.site + path, **options)

    def show(self, context, text):
        """Shows a drawing as a document of its own, or within one of XML or HTML, and returns the effects."""
        if context == "document":
            return self.serve("image/svg+xml", text)
        if context == "html":
            return self.serve("text/html", HTML, POLICY, script=SHOW, argument=text)
        # These may only stand at the beginning of a document.
        body = re.sub(r"^\ufeff?\s*(<\?xml.*?\?>)?", "", text, count=1, flags=re.DOTALL)
        body = re.sub(r"<!DOCTYPE[^>]*>", "", body, count=1).replace("&nbsp;", "&#160;")
        page = ('<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xlink="http://www.w3.org/1999/xlink"><head><title>a'
                f"</title></head><body>{body}</body></html>")
        return self.serve("application/xhtml+xml; charset=utf-8", page, POLICY)

    def check(self, file, context, open, *arguments, **options):
        """Opens a file in a context if the context is selected, and notes its effects as failures."""
        if self.contexts is None or context in self.contexts:
            self.opened[context] += 1
            self.failures += [f"{file.name} as {context}: {effect}" for effect in open(*arguments, **options)]


def fields(drawing):
    return event(0, title=str(uuid.uuid4()), totalMap=drawing, areas=[{**event(0)["areas"][0], "areaMap": drawing}])


@pytest.fixture
def recorder(chromium, request):
    # No request leaves this machine.
    rules = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox", rules])
    recorder = Recorder(browser, None if request.config.getoption("--all") else CONTEXTS)
    yield recorder
    browser.close()
    assert recorder.opened and not recorder.failures, "\n".join(recorder.failures)


def test_drawings(recorder, api, service):
    for text, contexts in CONTROLS.items():
        assert register(api, fields(text), status=400)["code"] == "C_001", text
        for context in contexts:
            assert recorder.show(context, text), f"no effect recorded: {text} as {context}"
    for file in sorted((CORPUS / "svg/inert").glob("*.svg")):
        text = file.read_bytes().decode()
        path = f"{service}/api/v1/events/{register(api, fields(text))['id']}"
        detail = api.get(f"{path}/detail").json()["data"]
        assert detail["totalMap"] == detail["areas"][0]["areaMap"] == text, f"{file.name} was stored differently"
        recorder.check(file, "detail", recorder.show, "html", text * 2)
        recorder.check(file, "seat map", recorder.open, f"{path}/seat-map.svg")
        seat_map = api.get(f"{path}/seat-map.svg").text()
        for context in ["html", "document", "xhtml"]:
            recorder.check(file, context, recorder.show, context, text)
            recorder.check(file, f"seat map as {context}", recorder.show, context, seat_map)


def test_posters(recorder, api, service):
    for folder in ["images/polyglots", "images/accepted"]:
        for file in sorted(file for file in (CORPUS / folder).iterdir() if file.suffix):
            registered = register(api, fields(f'<svg xmlns="{SVG}"/>'), poster=file)
            url = f"{service}/upload/{registered['thumbnail']}"
            recorder.check(file, "address", recorder.open, url)
            for context, markup in {
                "img": f'<img src="{url}">',
                "script": f'<script src="{url}"></script>',
                "stylesheet": f'<link rel="stylesheet" href="{url}">',
                "frame": f'<iframe src="{url}"></iframe>',
                "object": f'<object data="{url}"></object>',
            }.items():
                page = f"<!doctype html><title>a</title>{markup}"
                recorder.check(file, context, recorder.serve, "text/html", page, also=url)
