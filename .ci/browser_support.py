"""Helpers of the tests in Chromium. Importing this module starts the service twice, until the process ends."""

import atexit
import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Logs, data and screenshots, such as target/browser_visitor/events.png
FOLDER = ROOT / "target" / pathlib.Path(sys.argv[0]).stem
CHROMIUM = shutil.which("chromium")
POSTER = ROOT / "tests/corpus/images/accepted/realistic.jpg"
MANAGER = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"
HOSTILE = "<img src=x onerror=alert(1)> & \"그들\""


def start_service(name, pattern, *flags):
    """Starts the local stack without data, waits until it prints the pattern, and returns the groups of the pattern."""
    log = FOLDER / f"{name}.log"
    command = ["cargo", "run", "--quiet", "--locked", "-p", "local", "--", "--port=0", f"--data={FOLDER / name}"]
    with log.open("wb") as file:
        service = subprocess.Popen([*command, *flags], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    atexit.register(service.terminate)
    while not (match := re.search(pattern, log.read_text(), re.DOTALL)):
        assert service.poll() is None, log.read_text()
        time.sleep(0.2)
    return match.groups()


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
# One service accepts every manager id. The other verifies managers by tokens, and its members' tokens expire soon.
URL, = start_service("open", r"runs at (\S+)")
VERIFIED, TOKEN = start_service("verified", r"runs at (\S+).* TOKEN=(\S+)\n", "--issuer", "--access-token-seconds=3")


def run(*tests):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for test in tests:
            test(browser)
            print(test.__name__, flush=True)


@contextlib.contextmanager
def open_page(browser, path, timezone_id="Asia/Seoul", expected=(), **options):
    """Opens a page for a visitor, and asserts that nothing fails on it: no script, request, or message in the console.

    A test may expect responses with some statuses, and network errors such as "net::ERR_FAILED".
    """
    context = browser.new_context(base_url=URL, locale="ko-KR", timezone_id=timezone_id, **options)
    page, failures = context.new_page(), []
    logged = tuple(f"Failed to load resource: {prefix}{failure}" for failure in expected
                   for prefix in ("", "the server responded with a status of "))
    page.on("console", lambda message: message.type in ("error", "warning")
            and not message.text.startswith(logged) and failures.append(message.text))
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("requestfailed", lambda request: request.failure not in expected
            and failures.append(f"{request.url}: {request.failure}"))
    page.on("response", lambda response: response.status >= 400 and response.status not in expected
            and failures.append(f"{response.url}: {response.status}"))
    page.goto(path, wait_until="networkidle")
    yield page
    assert not failures, failures
    context.close()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def check_page(page, name):
    """Takes a screenshot, and checks that a page is accessible, and no wider than a screen of 320 pixels."""
    # A button of a request that is under way is pale, as a disabled one may be.
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=True, animations="disabled")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    page.set_viewport_size({"width": 320, "height": 700})
    for part in [page.locator("html"), *page.locator("dialog[open]").all()]:
        assert part.evaluate("part => part.scrollWidth <= part.clientWidth"), f"{name} is too wide"
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


def register(request, fields, headers=None, url=URL, poster=POSTER, status=201):
    """Registers an event, expects this status, and returns the event or the failure."""
    response = request.post(
        f"{url}/api/v1/events",
        headers=headers or {"x-api-managerId": MANAGER},
        multipart={
            "request": {"name": "request.json", "mimeType": "application/json", "buffer": json.dumps(fields).encode()},
            "thumbnail": {"name": "poster.jpg", "mimeType": "image/jpeg", "buffer": poster.read_bytes()},
        },
    )
    assert response.status == status, response.text()
    return response.json().get("data") or response.json()
