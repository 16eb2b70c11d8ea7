"""Tests of the pages of the local stack in Chromium.

usage: browser_tests.py URL FOLDER   URL of a service without data, and the folder for screenshots
"""

import contextlib
import json
import pathlib
import shutil
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

URL, SCREENSHOTS = sys.argv[1], pathlib.Path(sys.argv[2])
POSTER = pathlib.Path(__file__).resolve().parent.parent / "tests/corpus/images/accepted/realistic.jpg"
MANAGER = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"
HOSTILE = "<img src=x onerror=alert(1)> & \"그들\""


class Failures:
    """Invisible failures on a page: console messages, script errors and failed requests."""

    def __init__(self, page):
        self.seen = []
        page.on("console", lambda message: message.type in ("error", "warning") and self.seen.append(message.text))
        page.on("pageerror", lambda error: self.seen.append(str(error)))
        page.on("requestfailed", lambda request: self.seen.append(f"{request.url}: {request.failure}"))
        page.on("response", lambda response: response.status >= 400
                and self.seen.append(f"{response.url}: {response.status}"))


@contextlib.contextmanager
def open_page(browser, path, timezone_id="Asia/Seoul", **options):
    """Opens a page for a visitor in a time zone, and asserts that nothing fails on it."""
    context = browser.new_context(base_url=URL, locale="ko-KR", timezone_id=timezone_id, **options)
    page = context.new_page()
    failures = Failures(page)
    page.goto(path, wait_until="networkidle")
    yield page
    assert not failures.seen, failures.seen
    context.close()


def screenshot(page, name):
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True, animations="disabled")


def expect_accessible(page):
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


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


def register(page, fields):
    response = page.request.post(
        f"{URL}/api/v1/events",
        headers={"x-api-managerId": MANAGER},
        multipart={
            "request": {"name": "request.json", "mimeType": "application/json", "buffer": json.dumps(fields).encode()},
            "thumbnail": {"name": "poster.jpg", "mimeType": "image/jpeg", "buffer": POSTER.read_bytes()},
        },
    )
    assert response.status == 201, response.text()


def without_events(browser):
    for scheme in ["light", "dark"]:
        with open_page(browser, "/", color_scheme=scheme) as page:
            expect(page.get_by_role("heading", name="아직 등록된 공연이 없습니다")).to_be_visible()
            expect(page.get_by_text("cargo run -p local -- --sample")).to_be_visible()
            expect(page.get_by_role("button", name="더 보기")).to_be_hidden()
            expect_accessible(page)
            screenshot(page, f"empty-{scheme}")


def with_events(browser):
    with open_page(browser, "/") as page:
        for number in range(1, 12):
            register(page, event(number))
        register(page, event(12, title=HOSTILE, artist=HOSTILE, place=HOSTILE, description=HOSTILE))
        register(page, event(13, title="여러 날의 공연", eventDatetimes=[1745643600 + 86400 * day for day in range(5)]))
    for scheme in ["light", "dark"]:
        with open_page(browser, "/", color_scheme=scheme) as page:
            cards = page.locator("article")
            expect(cards).to_have_count(12)
            newest, hostile = cards.nth(0), cards.nth(1)
            expect(newest.get_by_role("heading")).to_have_text("여러 날의 공연")
            expect(newest.locator("time").nth(1)).to_have_text("2025년 4월 26일 오후 2:00 KST")
            newest.get_by_text("외 2회").click()
            expect(newest.get_by_text("2025년 4월 30일 오후 2:00 KST")).to_be_visible()
            for text in [".artist", "h2", ".description", ".place"]:
                expect(hostile.locator(text)).to_have_text(HOSTILE)
            posters = page.locator("img.poster")
            for index in range(posters.count()):
                posters.nth(index).scroll_into_view_if_needed()
            page.wait_for_function("[...document.querySelectorAll('img.poster')].every(p => p.naturalWidth > 0)")
            expect_accessible(page)
            screenshot(page, f"events-{scheme}")
            page.get_by_role("button", name="더 보기").click()
            expect(cards).to_have_count(13)
            expect(page.get_by_role("button", name="더 보기")).to_be_hidden()
    with open_page(browser, "/", viewport={"width": 390, "height": 844}) as page:
        expect(page.locator("article")).to_have_count(12)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is too wide for a phone"
        page.screenshot(path=SCREENSHOTS / "events-narrow.png")


def times_elsewhere(browser):
    with open_page(browser, "/", timezone_id="America/New_York") as page:
        expect(page.locator("article").nth(0).locator("time").nth(1)).to_have_text("2025년 4월 26일 오후 2:00 KST")


def seat_map(browser):
    with open_page(browser, "/") as page:
        page.locator("article").nth(0).get_by_role("button", name="좌석 배치도").click()
        image = page.get_by_role("dialog").get_by_role("img")
        expect(image).to_be_visible()
        page.wait_for_function("document.querySelector('#seat-map img').naturalWidth > 0")
        expect_accessible(page)
        page.screenshot(path=SCREENSHOTS / "seat-map.png")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()


def open_operation(page, slug):
    """Expands the section of an operation, and returns it."""
    section = page.locator(f"[id$='-{slug}']")
    section.locator(".opblock-summary-control").click()
    return section


def api_reference(browser):
    with open_page(browser, "/docs") as page:
        expect(page.get_by_role("heading", name="Member and Event Service")).to_be_visible()
        expect(page.locator(".opblock")).to_have_count(len(operations(page)))
        screenshot(page, "docs")

        join = open_operation(page, "members-join")
        join.get_by_role("button", name="Execute").click()
        expect(join.locator(".live-responses-table tr.response .response-col_status").first).to_contain_text("201")
        expect(join.locator(".live-responses-table")).to_contain_text("kim@example.com")
        join.screenshot(path=SCREENSHOTS / "docs-join.png")

        create = open_operation(page, "events-create")
        create.get_by_placeholder("x-api-managerId").fill(MANAGER)
        create.locator("input[type=file]").set_input_files(POSTER)
        create.get_by_role("button", name="Execute").click()
        expect(create.locator(".live-responses-table tr.response .response-col_status").first).to_contain_text("201")
        create.screenshot(path=SCREENSHOTS / "docs-create.png")


def operations(page):
    paths = page.request.get(f"{URL}/openapi.json").json()["paths"]
    return [operation for methods in paths.values() for operation in methods.values()]


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for test in [without_events, with_events, times_elsewhere, seat_map, api_reference]:
            test(browser)
            print(f"browser: {test.__name__}")
        browser.close()


main()
