"""Checks in Chromium that accepted drawings and posters run and fetch nothing, in whatever way a page shows them.

It opens the accepted drawings and posters of tests/corpus. As a control, it also opens drawings that the service
rejects: each of them must have a recorded effect. As a program it opens each file in every context, which takes
minutes: `.ci/nightly hostile-pages`.
"""

import collections
import http.server
import json
import re
import threading
import uuid

from playwright.sync_api import sync_playwright

from browser_support import CHROMIUM, MANAGER, ROOT, URL

CORPUS = ROOT / "tests/corpus"
SVG = "http://www.w3.org/2000/svg"
POLICY = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'"

# No request leaves this machine.
ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]

# Runs before the scripts of a page, in every frame. Pages cannot access the recordings.
RECORDER = """
for (const name of ['alert', 'confirm', 'prompt', 'print', 'open', 'canary', 'fetch'])
  window[name] = () => { recordEffect(`${name} was called`); };
for (const name of ['Worker', 'SharedWorker', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
  window[name] = class { constructor() { recordEffect(`${name} was created`); } };
navigator.sendBeacon = () => { recordEffect('a beacon was sent'); };
addEventListener('securitypolicyviolation', event => recordEffect(`policy violation: ${event.violatedDirective}`));
"""

# Sends every element the events that a visitor can cause.
TOUCH = """
() => {
  for (const element of document.querySelectorAll('*')) {
    for (const type of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'mousemove', 'mousedown', 'mouseup',
                        'click', 'dblclick', 'contextmenu', 'auxclick', 'wheel', 'touchstart', 'keydown', 'keyup',
                        'copy', 'cut', 'paste', 'dragstart', 'drop', 'scroll', 'animationend', 'transitionend',
                        'load', 'error', 'focusin', 'focusout', 'begin', 'end', 'toggle'])
      element.dispatchEvent(new Event(type, {bubbles: true, cancelable: true}));
    element.focus?.();
    element.getBoundingClientRect();
  }
}
"""

# Page that shows a drawing twice, as a client does that trusts the service: in a `div`, and inside another drawing.
COLUMN = 400
HTML = f"""<!doctype html><meta charset=utf-8><title>a</title><div></div>
<svg width="300" height="150" style="position: absolute; left: {COLUMN}px; top: 0"></svg>"""
SHOW = "text => { for (const parent of document.querySelectorAll('div, svg')) parent.innerHTML = text; }"

# Drawings that the service rejects, and the contexts in which each of them has an effect.
CONTROLS = {
    "script": (f'<svg xmlns="{SVG}"><script>alert(1)</script></svg>', ["document", "xhtml"]),
    "event": (f'<svg xmlns="{SVG}"><image href="data:x" onerror="alert(1)"/></svg>', ["html", "document", "xhtml"]),
    "click": (f'<svg xmlns="{SVG}"><rect width="99" height="99" onclick="canary()"/></svg>', ["html", "document", "xhtml"]),
    "mutation": (f'<svg xmlns="{SVG}"><desc><img src="x" onerror="alert(1)"/></desc></svg>', ["html"]),
    "picture": (f'<svg xmlns="{SVG}"><image href="https://evil.example/a.png"/></svg>', ["html", "document", "xhtml"]),
    "page itself": (f'<svg xmlns="{SVG}"><image href="#a"/></svg>', ["html", "document", "xhtml"]),
    "style": (f'<svg xmlns="{SVG}" style="background:url(//evil.example/a)"/>', ["html", "document", "xhtml"]),
    "cursor": (f'<svg xmlns="{SVG}"><rect width="300" height="150" cursor="url(#a),auto"/></svg>', ["html", "document", "xhtml"]),
    "import": (f'<svg xmlns="{SVG}"><style>@import "//evil.example/a.css";</style></svg>', ["html", "document", "xhtml"]),
    "animation": (f'<svg xmlns="{SVG}"><a><animate attributeName="href" values="javascript:alert(1)"/><rect width="99" '
                  'height="99"/></a></svg>', ["html", "document", "xhtml"]),
    "object": (f'<svg xmlns="{SVG}"><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" '
               'srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"/></foreignObject></svg>', ["html", "document", "xhtml"]),
    "inside": ('<image href="https://evil.example/a.png"/>', ["html"]),
    "prefetch": ('<g><link rel="prefetch" href="https://evil.example/"/></g>', ["html"]),
}


class Pages(http.server.BaseHTTPRequestHandler):
    """Server of a site that trusts the content of the service."""

    bodies = {}

    def do_GET(self):
        media_type, headers, body = self.bodies.get(self.path, ("text/plain", {}, b""))
        self.send_response(200)
        for name, value in {"Content-Type": media_type, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Recorder:
    """Browser that records the effects of a page."""

    def __init__(self, browser, site):
        self.site, self.effects, self.opening, self.also = site, [], None, ()
        # Pages are painted with few pixels, which takes less time.
        self.context = browser.new_context(service_workers="block", device_scale_factor=0.25)
        self.context.expose_function("recordEffect", lambda effect: self.effects.append(effect))
        self.context.add_init_script(RECORDER)
        self.context.on("request", self.record)
        self.context.on("page", self.watch)
        self.page = self.context.new_page()

    def watch(self, page):
        page.on("dialog", lambda dialog: (self.effects.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: self.effects.append(f"an error: {error}"))
        page.on("websocket", lambda socket: self.effects.append(f"a socket: {socket.url}"))
        page.on("worker", lambda worker: self.effects.append(f"a worker: {worker.url}"))
        page.on("download", lambda download: self.effects.append(f"a download: {download.url}"))
        page.on("popup", lambda popup: self.effects.append(f"a window: {popup.url}"))

    def record(self, request):
        url = request.url
        if url == self.opening:
            # Only once: a page that requests itself again is recorded.
            self.opening = None
        elif url not in self.also and not url.startswith(("data:", "blob:")):
            self.effects.append(f"a request: {url}")

    def open(self, url, also=(), script=None, argument=None):
        """Opens a page and the URLs that belong to it, and returns all other effects."""
        self.effects.clear()
        self.opening, self.also = url, also
        page = self.page
        page.goto(url)
        if script:
            page.evaluate(script, argument)
        page.mouse.move(5, 5)
        for left in [0, COLUMN]:
            page.mouse.click(left + 20, 20)
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        page.evaluate(TOUCH)
        # Painting requests all resources; a sandboxed page runs no script that could report them.
        page.screenshot()
        for other in self.context.pages[1:]:
            other.close()
        return list(self.effects)


def show_drawing(recorder, context, text):
    """Shows a drawing in one context, and returns the effects."""
    serve = Pages.bodies
    page = f"{recorder.site}/{uuid.uuid4()}"
    path = page.removeprefix(recorder.site)
    policy = {"Content-Security-Policy": POLICY}
    if context == "document":
        serve[path] = ("image/svg+xml", {}, text.encode())
        return recorder.open(page)
    if context == "xhtml":
        # These may only stand at the beginning of a document.
        body = re.sub(r"^\ufeff?\s*(<\?xml.*?\?>)?", "", text, count=1, flags=re.DOTALL)
        body = re.sub(r"<!DOCTYPE[^>]*>", "", body, count=1).replace("&nbsp;", "&#160;")
        xhtml = ('<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xlink="http://www.w3.org/1999/xlink"><head><title>a'
                 f"</title></head><body>{body}</body></html>")
        serve[path] = ("application/xhtml+xml; charset=utf-8", policy, xhtml.encode())
        return recorder.open(page)
    assert context == "html", context
    serve[path] = ("text/html", policy, HTML.encode())
    return recorder.open(page, script=SHOW, argument=text)


def register(request, title, drawing, poster, area=None):
    """Registers an event with a drawing of the hall and of its area, and returns the status and body of the response."""
    fields = {
        "title": title, "description": "a", "place": "a", "artist": "a", "eventOpenTime": 0, "ticketingOpenTime": 0,
        "eventDatetimes": [0], "totalMap": drawing,
        "areas": [{"label": "a", "price": 0, "areaMap": area or drawing,
                   "seats": [{"cx": 10, "cy": 10, "row": 1, "number": 1}]}],
    }
    response = request.post(
        f"{URL}/api/v1/events",
        headers={"x-api-managerId": MANAGER},
        multipart={
            "request": {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(fields).encode()},
            "thumbnail": {"name": "a", "mimeType": "text/html", "buffer": poster},
        },
    )
    return response.status, response.json()


def corpus(folder):
    return sorted(path for path in (CORPUS / folder).iterdir() if path.suffix)


class Tally:
    def __init__(self, contexts):
        self.selected, self.files, self.contexts, self.failures = contexts, 0, collections.Counter(), []

    def show(self, name, context, open, *arguments):
        """Opens a file in a context if the context is selected."""
        if self.selected is None or context in self.selected:
            self.contexts[context] += 1
            self.failures += [f"{name} as {context}: {effect}" for effect in open(*arguments)]


def drawings(recorder, request, poster, tally):
    inert = corpus("svg/inert")
    for file in inert + [file for file in corpus("exports") if file.suffix == ".svg"]:
        text = file.read_bytes().decode()
        status, body = register(request, f"{file.name} {uuid.uuid4()}", text, poster)
        if status == 400 and file not in inert:
            continue
        assert status == 201, f"{file.name}: {body}"
        tally.files += 1
        for context in ["document", "xhtml"]:
            tally.show(file.name, context, show_drawing, recorder, context, text)
        event = f"{URL}/api/v1/events/{body['data']['id']}"
        stored = request.get(f"{event}/detail").json()["data"]
        assert stored["totalMap"] == stored["areas"][0]["areaMap"] == text, f"{file.name} was stored differently"
        stored_drawings = stored["totalMap"] + stored["areas"][0]["areaMap"]
        tally.show(file.name, "detail", show_drawing, recorder, "html", stored_drawings)
        seat_map = request.get(f"{event}/seat-map.svg").text()
        tally.show(file.name, "seat map", recorder.open, f"{event}/seat-map.svg")
        for context in ["html", "document", "xhtml"]:
            tally.show(file.name, f"seat map as {context}", show_drawing, recorder, context, seat_map)


def posters(recorder, request, tally):
    drawing = f'<svg xmlns="{SVG}"/>'
    for file in corpus("images/polyglots") + corpus("images/accepted"):
        tally.files += 1
        status, body = register(request, f"{file.name} {uuid.uuid4()}", drawing, file.read_bytes())
        assert status == 201, f"{file.name}: {body}"
        url = f"{URL}/upload/{body['data']['thumbnail']}"
        tally.show(file.name, "address", recorder.open, url)
        for context, markup in {
            "img": f'<img src="{url}">',
            "script": f'<script src="{url}"></script>',
            "stylesheet": f'<link rel="stylesheet" href="{url}">',
            "frame": f'<iframe src="{url}"></iframe>',
            "object": f'<object data="{url}"></object>',
            "image of a drawing": f'<svg><image href="{url}"/></svg>',
        }.items():
            path = f"/{uuid.uuid4()}"
            Pages.bodies[path] = ("text/html", {}, f"<!doctype html><title>a</title>{markup}".encode())
            tally.show(file.name, context, recorder.open, recorder.site + path, [url])


def controls(recorder, request, poster):
    """Opens rejected drawings, each of which must have a recorded effect."""
    unrecorded, opened = [], 0
    for name, (text, contexts) in CONTROLS.items():
        status, body = register(request, name, text, poster)
        assert (status, body["code"]) == (400, "C_001"), f"{name} is not rejected: {body}"
        for context in contexts:
            opened += 1
            if not show_drawing(recorder, context, text):
                unrecorded.append(f"{name} as {context}")
    assert not unrecorded, f"effects not recorded: {unrecorded}"
    print(f"{opened} rejected drawings opened, {opened} with an effect")


def check(playwright, contexts=None):
    """Opens the files in these contexts, or in all of them."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    poster = (CORPUS / "images/accepted/rgb8.png").read_bytes()
    tally = Tally(contexts)
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    recorder = Recorder(browser, f"http://127.0.0.1:{server.server_port}")
    request = playwright.request.new_context()
    controls(recorder, request, poster)
    drawings(recorder, request, poster, tally)
    posters(recorder, request, tally)
    browser.close()
    shown = ", ".join(f"{count} as {context}" for context, count in tally.contexts.items())
    print(f"{tally.files} accepted files opened: {shown}; {len(tally.failures)} effects")
    assert not tally.failures, "\n".join(tally.failures)


if __name__ == "__main__":
    with sync_playwright() as playwright:
        check(playwright)
