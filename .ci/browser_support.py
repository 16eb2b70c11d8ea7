"""Helpers of the tests in Chromium. Importing this module starts the service twice, until the process ends."""

import atexit
import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCREENSHOTS = ROOT / "target/browser"
POSTER = ROOT / "tests/corpus/images/accepted/realistic.jpg"
MANAGER = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"
HOSTILE = "<img src=x onerror=alert(1)> & \"그들\""


def start_service(name, pattern, *flags):
    """Starts the local stack without data, waits until it prints the pattern, and returns the groups of the pattern."""
    log = SCREENSHOTS / f"{name}.log"
    command = ["cargo", "run", "--quiet", "--locked", "-p", "local", "--", "--port=0", f"--data={SCREENSHOTS / name}"]
    with log.open("wb") as file:
        service = subprocess.Popen([*command, *flags], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    atexit.register(service.terminate)
    while not (match := re.search(pattern, log.read_text(), re.DOTALL)):
        assert service.poll() is None, log.read_text()
        time.sleep(0.2)
    return match.groups()


CHROMIUM = shutil.which("chromium")
shutil.rmtree(SCREENSHOTS, ignore_errors=True)
SCREENSHOTS.mkdir(parents=True)
# One service accepts every manager id. The other verifies managers by tokens, and its members' tokens expire soon.
URL, = start_service("open", r"runs at (\S+)")
VERIFIED, TOKEN = start_service("verified", r"runs at (\S+).* TOKEN=(\S+)\n", "--issuer", "--access-token-seconds=3")


class Failures:
    """Invisible failures on a page: console messages, script errors and failed requests.

    A test may expect responses with some statuses, and network errors such as "net::ERR_FAILED".
    """

    def __init__(self, page, expected):
        self.seen = []
        logged = [f"Failed to load resource: {error}" for error in expected]
        logged += [f"Failed to load resource: the server responded with a status of {status}" for status in expected]
        page.on("console", lambda message: message.type in ("error", "warning")
                and not message.text.startswith(tuple(logged)) and self.seen.append(message.text))
        page.on("pageerror", lambda error: self.seen.append(str(error)))
        page.on("requestfailed", lambda request: request.failure not in expected
                and self.seen.append(f"{request.url}: {request.failure}"))
        page.on("response", lambda response: response.status >= 400 and response.status not in expected
                and self.seen.append(f"{response.url}: {response.status}"))


@contextlib.contextmanager
def open_page(browser, path, timezone_id="Asia/Seoul", expected=(), **options):
    """Opens a page for a visitor in a time zone, and asserts that nothing else than expected fails on it."""
    context = browser.new_context(base_url=URL, locale="ko-KR", timezone_id=timezone_id, **options)
    page = context.new_page()
    failures = Failures(page, expected)
    page.goto(path, wait_until="networkidle")
    yield page
    assert not failures.seen, failures.seen
    context.close()


def screenshot(page, name):
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True, animations="disabled")


def expect_accessible(page):
    # A button of a request that is under way is pale, as a disabled one may be.
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def expect_narrow(page, name):
    """Asserts that a page fits into 320 pixels without scrolling sideways."""
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is too wide"
    for dialog in page.locator("dialog[open]").all():
        assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth"), f"{name} is too wide"
    page.screenshot(path=SCREENSHOTS / f"{name}-narrow.png")
    page.set_viewport_size({"width": 1280, "height": 720})


def event(number, **fields):
    return {
        "title": f"봄 콘서트 {number}회",
        "description": "봄밤의 야외 콘서트입니다.\n우천 시에도 진행합니다.",
        "place": "올림픽공원 올림픽홀",
        "artist": "아이유",
        "eventOpenTime": 1745557200,
        "ticketingOpenTime": 1744952400,
        "eventDatetimes": [1745643600],
        "totalMap": '<svg viewBox="0 0 400 300"><rect width="400" height="300" fill="#eef2f7"/></svg>',
        "areas": [{
            "label": "1층 A",
            "price": 132000,
            "areaMap": '<g><path class="area-data" d="M10 10h80v60h-80z" fill="#e11d48"/></g>',
            "seats": [{"cx": 20 + 12 * n, "cy": 60, "row": 1, "number": n} for n in range(1, 21)],
        }],
        **fields,
    }


def register(page, fields, headers=None, url=URL):
    """Registers an event, and returns it."""
    response = page.request.post(
        f"{url}/api/v1/events",
        headers=headers or {"x-api-managerId": MANAGER},
        multipart={
            "request": {"name": "request.json", "mimeType": "application/json", "buffer": json.dumps(fields).encode()},
            "thumbnail": {"name": "poster.jpg", "mimeType": "image/jpeg", "buffer": POSTER.read_bytes()},
        },
    )
    assert response.status == 201, response.text()
    return response.json()["data"]
