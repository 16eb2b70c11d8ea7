"""Tests of the pages of the local stack in Chromium, with screenshots in target/browser: `.ci/run browser`.

Afterwards it opens hostile drawings and posters, in the two contexts of each that are most dangerous.
"""

import time

from playwright.sync_api import expect, sync_playwright

import browser_account
import browser_guide
import browser_hostile
import browser_manager
import browser_seats
from browser_support import (
    CHROMIUM, HOSTILE, MANAGER, POSTER, SCREENSHOTS, URL, event, expect_accessible, expect_narrow, open_page, register,
    screenshot,
)


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
            page.wait_for_function("() => [...document.querySelectorAll('img.poster')].every(p => p.naturalWidth > 0)")
            expect_accessible(page)
            screenshot(page, f"events-{scheme}")
            page.get_by_role("button", name="더 보기").click()
            expect(cards).to_have_count(13)
            expect(page.get_by_role("button", name="더 보기")).to_be_hidden()
            expect(cards.nth(12).get_by_role("button", name="좌석 배치도")).to_be_focused()
    with open_page(browser, "/") as page:
        expect(page.locator("article")).to_have_count(12)
        expect_narrow(page, "events")


def times_elsewhere(browser):
    with open_page(browser, "/", timezone_id="America/New_York") as page:
        expect(page.locator("article").nth(0).locator("time").nth(1)).to_have_text("2025년 4월 26일 오후 2:00 KST")


def views(browser):
    with open_page(browser, "/") as page:
        for link, title in [("내 공연", "내 공연"), ("내 계정", "내 계정"), ("공연", "등록된 공연")]:
            page.get_by_role("link", name=link, exact=True).focus()
            page.keyboard.press("Enter")
            expect(page.get_by_role("heading", level=1)).to_have_text(title)
            expect(page.get_by_role("heading", level=1)).to_be_focused()
            expect(page.locator("nav [aria-current=page]")).to_have_text(link)
            expect(page).to_have_title(title)
            expect_accessible(page)


def list_failure(browser):
    failure = {"message": "잠시 후 다시 시도해 주세요.", "code": "S_003"}
    with open_page(browser, "/", expected=[503]) as page:
        page.route("**/api/v1/events?*", lambda route: route.fulfill(status=503, json=failure))
        page.get_by_role("button", name="더 보기").click()
        expect(page.get_by_role("alert").filter(has_text=failure["message"])).to_be_visible()
        expect(page.locator("article")).to_have_count(12)
        page.get_by_role("button", name="검색").click()
        expect(page.locator("article")).to_have_count(0)
        expect(page.get_by_role("alert").filter(has_text=failure["message"])).to_have_count(1)
        page.unroute("**/api/v1/events?*")
        page.get_by_role("button", name="검색").click()
        expect(page.locator("article")).to_have_count(12)
        expect(page.get_by_role("alert").filter(has_text=failure["message"])).to_have_count(0)


def search_errors(browser):
    with open_page(browser, "/", expected=[400]) as page:
        field = page.get_by_label("제목, 출연자, 장소, 장르")
        field.fill("가" * 51)
        page.keyboard.press("Enter")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_be_focused()
        expect(page.locator("#events form .error").first).not_to_be_empty()
        expect(page.locator("article")).to_have_count(0)
        expect_accessible(page)
        screenshot(page, "search-error")
        field.fill("")
        page.keyboard.press("Enter")
        expect(page.locator("article")).to_have_count(12)
        expect(field).not_to_have_attribute("aria-invalid", "true")


def search(browser):
    """Expects the events of section 3 of the interface, in its orders."""
    day, now = 86400, int(time.time())
    with open_page(browser, "/") as page:
        for title, ticketing, shows in [
            ("재즈 나잇", now - day, [now - day, now + 9 * day]),
            ("겨울 연극", now - 2 * day, [now + 3 * day]),
            ("여름 뮤지컬", now + day, [now + 5 * day]),
        ]:
            register(page, event(0, title=title, artist="뉴진스", ticketingOpenTime=ticketing, eventDatetimes=shows))
        for number in range(20, 23):
            register(page, event(number))
        register(page, event(0, title="지난 연극", artist="잔나비", ticketingOpenTime=now - day, eventDatetimes=[now - 60]))
    # A registration shows in searches within two seconds.
    time.sleep(2)
    with open_page(browser, "/") as page:
        titles = titles_of(page)
        field = page.get_by_label("제목, 출연자, 장소, 장르")
        for words, found in [("연극 뉴진스", ["겨울 연극"]), ("ㄴㅈㅅ", ["겨울 연극", "여름 뮤지컬", "재즈 나잇"])]:
            field.fill(words)
            page.keyboard.press("Enter")
            expect(titles).to_have_text(found)
            expect(page.locator("#events .count")).to_have_text(f"공연 {len(found)}개")
        for label, days, found in [("공연일 시작", 4, ["여름 뮤지컬", "재즈 나잇"]), ("공연일 끝", 7, ["여름 뮤지컬"])]:
            korean_date = time.gmtime(now + days * day + 9 * 3600)
            page.get_by_label(label).fill(time.strftime("%Y-%m-%d", korean_date))
            page.keyboard.press("Enter")
            expect(titles).to_have_text(found)
        for label in ["공연일 시작", "공연일 끝"]:
            page.get_by_label(label).fill("")
        page.get_by_label("정렬").select_option("최근 등록순")
        expect(titles).to_have_text(["여름 뮤지컬", "겨울 연극", "재즈 나잇"])
        page.get_by_label("정렬").select_option("예매 시작순")
        expect(titles).to_have_text(["겨울 연극", "재즈 나잇", "여름 뮤지컬"])
        page.get_by_label("예매", exact=True).select_option("예매 중")
        expect(titles).to_have_text(["겨울 연극", "재즈 나잇"])
        page.get_by_label("예매", exact=True).select_option("예매 예정")
        expect(titles).to_have_text(["여름 뮤지컬"])
        screenshot(page, "search")
        expect_narrow(page, "search")
    with open_page(browser, "/") as page:
        field = page.get_by_label("제목, 출연자, 장소, 장르")
        field.fill("봄")
        page.get_by_role("button", name="검색").click()
        expect(page.locator("#events .count")).to_have_text("공연 12개 (더 있음)")
        page.get_by_role("button", name="더 보기").click()
        # All 14 of with_events and of this test, and no other event.
        expect(titles_of(page)).to_have_count(14)
        assert all(title.startswith("봄 콘서트") for title in titles_of(page).all_text_contents())
        field.fill("잔나비")
        page.keyboard.press("Enter")
        expect(titles_of(page)).to_have_text(["지난 연극"])
        expect(page.get_by_text("종료된 공연", exact=True)).to_be_visible()
        field.fill("없는 공연")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="조건에 맞는 공연이 없습니다")).to_be_visible()
        expect(page.get_by_text("cargo run -p local -- --sample")).to_be_hidden()
        expect(titles_of(page)).to_have_count(0)


def titles_of(page):
    return page.locator("article h2")


def seat_map(browser):
    with open_page(browser, "/") as page:
        page.locator("article").nth(0).get_by_role("button", name="좌석 배치도").click()
        image = page.get_by_role("dialog").get_by_role("img")
        expect(image).to_be_visible()
        page.wait_for_function("() => document.querySelector('#seat-map img').naturalWidth > 0")
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
        expect(page.locator(".opblock").first).to_be_in_viewport()
        expect_accessible(page)
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
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        visitors = [without_events, with_events, times_elsewhere, views, list_failure, search_errors, search, seat_map]
        modules = [browser_manager, browser_account, browser_seats, browser_guide]
        for test in [*visitors, *(test for module in modules for test in module.TESTS), api_reference]:
            test(browser)
            print(test.__name__)
        browser.close()
        browser_hostile.check(playwright, ["detail", "seat map", "address", "script"])


main()
