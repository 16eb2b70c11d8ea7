"""Fixtures of the tests of the site: running services, and pages that fail on any error."""

import json
import pathlib
import re
import shutil
import subprocess
import time
import types

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "target/site"
CHROMIUM = shutil.which("chromium")
POSTER = ROOT / "tests/corpus/images/accepted/realistic.jpg"
MANAGER = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"
DAY = 86_400
SCREENS = {
    "phone": {"width": 360, "height": 740},
    "desktop": {"width": 1280, "height": 800},
    "landscape": {"width": 740, "height": 360},
}

# Pages may be slow on a busy machine, but what is expected comes.
expect.set_options(timeout=30_000)


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="open each drawing and poster in every context")


def start_service(name, pattern, *flags):
    """Starts the local stack without data, and yields the groups of the pattern that it prints."""
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "log"
    command = ["cargo", "run", "--quiet", "--locked", "-p", "local", "--", "--port=0", f"--data={folder / 'data'}"]
    with log.open("wb") as file:
        process = subprocess.Popen([*command, *flags], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    while not (match := re.search(pattern, log.read_text(), re.DOTALL)):
        assert process.poll() is None, log.read_text()
        time.sleep(0.2)
    yield match.groups()
    process.terminate()
    process.wait()


@pytest.fixture(scope="session")
def service():
    """URL of a service that accepts every manager id."""
    yield from (url for url, in start_service("open", r"runs at (\S+)"))


@pytest.fixture(scope="session")
def verified():
    """URL of a service that verifies managers, with a token; its members' tokens expire soon."""
    flags = ["--issuer", "--access-token-seconds=3"]
    for url, token in start_service("verified", r"runs at (\S+).* TOKEN=(\S+)\n", *flags):
        yield types.SimpleNamespace(url=url, token=token)


@pytest.fixture(scope="session")
def required():
    """URL of a service whose members verify their addresses before they hold seats."""
    yield from (url for url, in start_service("required", r"runs at (\S+)", "--email-verification=required"))


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--use-fake-device-for-media-stream"])


@pytest.fixture
def api(chromium, service):
    """Requests to the service beside the page."""
    context = chromium.new_context(base_url=service)
    yield context.request
    context.close()


@pytest.fixture
def open_page(chromium, service):
    """Opens pages, and asserts afterwards that nothing failed on them: no script, request, or message in the console.

    A test expects responses with some statuses and network errors by adding them to `page.expected`.
    """
    contexts, failures = [], []

    def open_page(path, screen="desktop", base_url=service, **options):
        context = chromium.new_context(base_url=base_url, locale="ko-KR", viewport=SCREENS[screen],
                                       has_touch=screen == "phone", timezone_id="America/New_York", **options)
        contexts.append(context)
        page = context.new_page()
        page.expected, page.is_examined = [], False
        page.on("console", lambda message: message.type in ("error", "warning") and not page.is_examined
                and not message.text.startswith(("Failed to load resource", "Applying inline style"))
                and failures.append(message.text))
        page.on("pageerror", lambda error: str(error) in page.expected or failures.append(str(error)))
        page.on("request", lambda request: page.is_examined or request.url.startswith((base_url, "data:")) or failures.append(request.url))
        page.on("requestfailed", lambda request: not page.is_examined and request.failure not in ["net::ERR_ABORTED", *page.expected]
                and failures.append(f"{request.url}: {request.failure}"))
        # The last ones are style sheets that axe looks for at wrong addresses, even after its examination.
        page.on("response", lambda response: response.status >= 400 and not page.is_examined and response.status not in page.expected
                and (not response.url.endswith(".css") or "/site/" in response.url)
                and failures.append(f"{response.url}: {response.status}"))
        page.goto(path, wait_until="networkidle")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not failures, failures


def run_axe(page):
    """Runs axe. The policy of the page rejects its styles, and it looks for style sheets at wrong addresses."""
    page.is_examined = True
    results = Axe().run(page)
    page.wait_for_timeout(50)
    page.is_examined = False
    return results


def check_page(page, name):
    """Checks the page at both sizes in light and dark: accessible, with a screenshot, and not wider than the screen."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    size = page.viewport_size
    for screen, scheme in [("desktop", "light"), ("phone", "dark"), ("phone", "light"), ("desktop", "dark")]:
        page.set_viewport_size(SCREENS[screen])
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(250)
        FOLDER.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=FOLDER / f"{name}-{screen}-{scheme}.png", caret="initial")
        results = run_axe(page)
        assert results.violations_count == 0, results.generate_report()
        for part in [page.locator("html"), *page.locator("dialog[open]").all()]:
            assert part.evaluate("part => part.scrollWidth <= part.clientWidth"), f"{name} is too wide"
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="light")


def event(number=0, **fields):
    """Returns the request of an event that is on sale."""
    now = int(time.time())
    return {
        "title": f"봄 콘서트 {number}회",
        "description": "봄밤의 야외 콘서트입니다.\n우천 시에도 진행합니다.",
        "place": "올림픽공원 올림픽홀",
        "artist": "아이유",
        "eventOpenTime": now - DAY,
        "ticketingOpenTime": now - DAY,
        "eventDatetimes": [now + 9 * DAY],
        "totalMap": '<svg viewBox="0 0 400 300"><rect width="400" height="300" fill="#eef2f7"/></svg>',
        "areas": [
            area("1층 A", 132_000, 30, 20),
            area("2층 B", 99_000.5, 2, 200),
        ],
        **fields,
    }


def edit_show(api, event, show=0, **fields):
    """Calls off, postpones or moves a show."""
    path = f"/api/v1/events/{event['id']}/dates/{event['eventDatetimes'][show]['id']}"
    response = api.patch(path, headers={"x-api-managerId": MANAGER, "Content-Type": "application/json"}, data=json.dumps(fields))
    assert response.ok, response.text()


def area(label, price, seats, top, kinds={}):
    """Returns an area with rows of ten seats, some of which may have kinds by their indexes."""
    return {
        "label": label,
        "price": price,
        "areaMap": f'<g><path class="area-data" d="M10 {top - 10}h240v80h-240z" fill="#e11d48"/></g>',
        "seats": [{"cx": 20 + 24 * (n % 10), "cy": top + 24 * (n // 10), "row": n // 10 + 1, "number": n % 10 + 1, "kind": kinds.get(n)}
                  for n in range(seats)],
    }


def register(api, fields, headers=None, url="", poster=POSTER, status=201):
    """Registers an event, expects this status, and returns the event or the failure."""
    response = api.post(
        f"{url}/api/v1/events",
        headers=headers or {"x-api-managerId": MANAGER},
        multipart={
            "request": {"name": "request.json", "mimeType": "application/json", "buffer": json.dumps(fields).encode()},
            "thumbnail": {"name": "poster.jpg", "mimeType": "image/jpeg", "buffer": poster.read_bytes()},
        },
    )
    assert response.status == status, response.text()
    return response.json().get("data") or response.json()
