"""A visitor's journey: find events, read one, and look at the reference of the API."""

import time

from playwright.sync_api import expect

from conftest import DAY, area, check_page, edit_show, event, register
from pages import Hall, hold, join

FAILURE = {"message": "잠시 후 다시 시도해 주세요.", "code": "S_003"}
HOSTILE = "<img src=x onerror=alert(1)> & \"그들\""


def titles(page):
    return page.locator("main article h2")


def test_empty_list(open_page):
    page = open_page("/")
    page.route("**/api/v1/events?*", lambda route: route.fulfill(json={"message": "", "code": "0", "data": []}))
    page.reload()
    expect(page.get_by_role("heading", name="아직 등록된 공연이 없어요")).to_be_visible()
    check_page(page, "empty")


def test_list_and_pages(open_page, api):
    for number in range(1, 12):
        register(api, event(number))
    register(api, event(title=HOSTILE, artist=HOSTILE, place=HOSTILE, description=HOSTILE))
    register(api, event(title="두 날의 공연", eventDatetimes=["2099-11-28T19:30:00+09:00", "2099-11-29T15:00:00+09:00"]))
    time.sleep(2)  # until searches find a registration
    page = open_page("/?sort=recent")
    cards = page.locator("main article")
    expect(cards).to_have_count(12)
    expect(cards.nth(0)).to_contain_text("2099년 11월 28일(토) ~ 11월 29일(일)")
    expect(titles(page).nth(1)).to_have_text(HOSTILE)
    for poster in page.locator(".poster img:last-child").all():
        poster.scroll_into_view_if_needed()
    page.wait_for_function("() => [...document.querySelectorAll('.poster img')].every(p => p.naturalWidth > 0)")
    page.evaluate("scrollTo(0, 0)")
    check_page(page, "list")
    page.get_by_role("button", name="더 보기").click()
    expect(cards.nth(12)).to_be_visible()
    expect(titles(page).nth(12).get_by_role("link")).to_be_focused()


def test_search(open_page, api):
    now = int(time.time())
    for title, ticketing, shows in [
        ("재즈 나잇", now - DAY, [now - DAY, now + 9 * DAY]),
        ("겨울 연극", now - 2 * DAY, [now + 3 * DAY]),
        ("여름 뮤지컬", now + DAY, [now + 5 * DAY]),
        ("지난 무용", now - 9 * DAY, [now - 2 * DAY]),
    ]:
        register(api, event(title=title, artist="뉴진스", ticketingOpenTime=ticketing, eventDatetimes=shows))
    time.sleep(2)  # until searches find a registration
    page = open_page("/")
    page.expected = [503]
    words = page.get_by_role("searchbox", name="공연 검색")
    words.press_sequentially("ㄴㅈㅅ", delay=20)
    expect(titles(page)).to_have_text(["겨울 연극", "여름 뮤지컬", "재즈 나잇", "지난 무용"])
    for card, badge in enumerate(["예매 중", "예매 예정", "예매 중", "종료"]):
        expect(page.locator(".badge").nth(card)).to_contain_text(badge)
    page.get_by_label("예매", exact=True).select_option("예매 중")
    expect(titles(page)).to_have_text(["겨울 연극", "재즈 나잇"])
    page.get_by_label("공연일부터").fill(time.strftime("%Y-%m-%d", time.gmtime(now + 5 * DAY + 9 * 3600)))
    expect(titles(page)).to_have_text(["재즈 나잇"])
    # The address keeps the search.
    page.reload()
    expect(titles(page)).to_have_text(["재즈 나잇"])
    expect(words).to_have_value("ㄴㅈㅅ")
    words.fill("없는 공연")
    expect(page.get_by_role("heading", name="찾는 공연이 없어요")).to_be_visible()
    check_page(page, "nothing-found")
    page.route("**/api/v1/events?*", lambda route: route.fulfill(status=503, json=FAILURE))
    words.fill("뉴진스")
    expect(page.get_by_role("alert")).to_have_text(FAILURE["message"])
    check_page(page, "list-failure")
    page.unroute("**/api/v1/events?*")
    page.get_by_role("button", name="다시 시도").click()
    expect(titles(page)).to_have_text(["재즈 나잇"])


def test_event_page(open_page, api):
    shows = [f"2099-12-{day:02}T19:30:00+09:00" for day in range(1, 11)]
    shown = register(api, event(title="긴 공연", genre="뮤지컬", ageRating=8, runningMinutes=150, eventDatetimes=shows))
    page = open_page(f"/events/{shown['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("긴 공연")
    for text in ["우천 시에도 진행합니다.", "2099년 12월 1일(화) ~ 12월 10일(목)", "2시간 30분", "8세 이상", "132,000원", "99,000.5원"]:
        expect(page.locator("main").get_by_text(text).first).to_be_visible()
    expect(page.locator(".left")).to_have_text("32석 남음")
    page.wait_for_function("() => document.querySelector('.seat-map img').naturalWidth > 0")
    check_page(page, "event")
    page.get_by_role("button", name="2099년 12월 2일(수)").click()
    page.get_by_role("link", name="2099년 12월 2일(수) 오후 7:30 회차 예매하기").click()
    expect(page).to_have_url(f"/events/{shown['id']}/shows/{shown['eventDatetimes'][1]['id']}")



def test_whole_poster_fills_frame(open_page, api):
    """Posters of other ratios than the frame lose nothing, and no part of the frame is empty. The file is loaded once."""
    shown = register(api, event())
    page = open_page("/docs/")
    requests = []
    page.on("request", lambda request: "/upload/" in request.url and requests.append(request.url))
    page.goto(f"/events/{shown['id']}", wait_until="networkidle")
    frame = page.locator(".poster")
    behind, poster = frame.locator("img").all()
    assert [behind.get_attribute("src"), poster.get_attribute("src")] == [f"/upload/{shown['thumbnail']}"] * 2
    expect(behind).to_have_css("object-fit", "cover")
    expect(poster).to_have_css("object-fit", "contain")
    inner, outer = frame.bounding_box(), behind.bounding_box()
    assert outer["width"] > inner["width"] and outer["height"] > inner["height"]
    assert len(requests) == 1, requests


def test_calendar(open_page, api):
    """A visitor finds a day by keyboard, and the page reads only what is left of the month that it shows."""
    days = ["2099-11-30", "2099-12-01", "2099-12-02", "2099-12-10", "2100-01-03", "2100-01-04", "2100-01-05"]
    shows = [*(f"{day}T19:30:00+09:00" for day in days), "2099-12-01T15:00:00+09:00"]
    shown = register(api, event(areas=[area("1층 A", 132_000, 4, 20)], eventDatetimes=shows))
    ids = [show["id"] for show in sorted(shown["eventDatetimes"], key=lambda show: show["datetime"])]
    edit_show(api, {**shown, "eventDatetimes": [{"id": ids[3]}]}, status="CANCELLED")
    hold(api, join(api), {**shown, "eventDatetimes": [{"id": ids[4]}]}, [0, 1, 2, 3])
    read = []
    page = open_page("/docs/")
    page.on("request", lambda request: "/availability" in request.url and read.append(request.url))
    page.goto(f"/events/{shown['id']}", wait_until="networkidle")
    calendar = page.get_by_role("grid", name="2099년 11월")
    expect(calendar.locator("tr").first).to_have_text("일월화수목금토")
    expect(calendar.get_by_role("button", name="11월 30일(월) 4석 남음")).to_have_attribute("aria-pressed", "true")
    assert [url for url in read if ids[0] not in url] == []
    earlier, later = (page.get_by_role("button", name=name) for name in ["이전 달", "다음 달"])
    expect(earlier).to_be_disabled()
    later.click()
    names = ["2099년 12월 1일(화) 2회 8석 남음", "2099년 12월 2일(수) 취소", "2099년 12월 10일(목) 매진"]
    for name in names:
        expect(page.get_by_role("button", name=name)).to_be_visible()
    assert not any(id in url for url in read for id in ids[5:])
    check_page(page, "calendar")
    later.focus()
    for key, name in [("Tab", names[0]), ("ArrowRight", names[1]), ("ArrowRight", names[2]), ("ArrowLeft", names[1]), ("ArrowLeft", names[0])]:
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".days time")).to_have_text(["오후 3:00", "오후 7:30"])
    expect(page.locator(".days").get_by_role("link", name="예매하기")).to_have_count(2)
    later.click()
    expect(page.get_by_role("grid", name="2100년 1월")).to_be_visible()
    expect(later).to_be_disabled()


def test_shows_that_are_off(open_page, api):
    shows = [f"2099-12-{day:02}T19:30:00+09:00" for day in (1, 2)]
    shown = register(api, event(title="태풍 공연", eventDatetimes=shows))
    edit_show(api, shown, 0, status="POSTPONED", notice="태풍으로 연기합니다.\n새 일시는 곧 알려 드립니다.")
    page = open_page(f"/events/{shown['id']}")
    first, second = page.locator(".days .show").all()
    expect(first).to_contain_text("연기")
    expect(first.get_by_text("새 일시는 곧 알려 드립니다.")).to_be_visible()
    expect(first.get_by_role("link")).to_have_count(0)
    expect(second.get_by_role("link", name="예매하기")).to_be_visible()
    check_page(page, "postponed")
    page.goto(Hall.path(shown))
    expect(page.get_by_role("note")).to_contain_text("연기")
    expect(page.locator("header.show .badge")).to_have_text("연기")
    check_page(page, "hall-postponed")
    time.sleep(2)  # until searches find the change
    page.goto("/?q=태풍")
    expect(page.locator("main article .badge")).to_have_text(["예매 중", "2099년 12월 1일(화) 연기"])
    edit_show(api, shown, 1, status="CANCELLED")
    edit_show(api, shown, 0, status="CANCELLED")
    time.sleep(2)  # until searches find the change
    page.goto("/?q=태풍")
    expect(page.locator("main article .badge")).to_have_text(["취소"])


def test_sale_that_closed(open_page, api):
    tomorrow = int(time.time()) + DAY
    shown = register(api, event(title="마감 공연", eventDatetimes=[tomorrow], ticketingCloseMinutes=2 * 24 * 60, maxSeats=2))
    page = open_page(f"/events/{shown['id']}")
    for text in ["공연 시작 48시간 전", "한 회차에 2석"]:
        expect(page.locator(".facts").get_by_text(text)).to_be_visible()
    expect(page.locator("main .badge")).to_have_text("예매 마감")
    expect(page.locator(".days .show")).to_contain_text("예매 마감")
    expect(page.locator(".days .show").get_by_role("link")).to_have_count(0)
    check_page(page, "closed")
    page.goto(Hall.path(shown))
    expect(page.get_by_role("note")).to_contain_text("이 회차는 예매가 마감됐어요.")
    hall = Hall(page)
    hall.open_area("1층 A")
    hall.choose(1, 1)
    expect(page.locator(".toast")).to_have_text("예매가 마감된 회차예요.")


def test_sold_out_and_unknown_event(open_page, api):
    full = event(title="매진 공연")
    full["areas"] = [{**full["areas"][1], "seats": []}]
    shown = register(api, full)
    page = open_page(f"/events/{shown['id']}")
    expect(page.locator(".badge")).to_have_text("매진")
    page.expected = [404]
    page.goto(f"/events/{shown['eventDatetimes'][0]['id']}")
    expect(page.get_by_role("heading", name="이 공연은 찾을 수 없어요")).to_be_visible()
    check_page(page, "unknown-event")


def test_api_reference(open_page):
    page = open_page("/docs")
    expect(page.get_by_role("link", name="공연 사이트")).to_be_visible()
    paths = page.request.get("/openapi.json").json()["paths"]
    expect(page.locator(".opblock")).to_have_count(sum(len(methods) for methods in paths.values()))
    section = page.locator("[id$='-members-join']")
    section.locator(".opblock-summary-control").click()
    section.get_by_role("button", name="Execute").click()
    expect(section.locator(".live-responses-table .response-col_status").last).to_contain_text("201")


def test_skip_to_content(open_page):
    page = open_page("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="본문으로 건너뛰기")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_bar_leads_to_shows_and_goes(open_page, api):
    now = int(time.time())
    shown = register(api, event(eventDatetimes=[now + 9 * DAY, now + 10 * DAY]))
    page = open_page(f"/events/{shown['id']}", "phone")
    bar = page.get_by_role("link", name="날짜 고르기")
    bar.click()
    expect(page.get_by_role("heading", name="공연 일정")).to_be_in_viewport()
    expect(bar).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")
    expect(bar).to_be_visible()
