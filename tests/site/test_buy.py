"""A buyer's journey: choose seats in the hall, log in or join, hold, pay, cancel; and what gets in the way."""

import re
import time

import pytest
from playwright.sync_api import expect

from conftest import DAY, area, check_page, event, register
from pages import (
    Hall, authorize, cancel_order, expect_notified, expect_order, hold, join, log_in, log_in_dialog, new_member, press, release, release_held)


@pytest.fixture
def shown(api):
    return register(api, event())


@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_hold_and_buy(open_page, api, shown, screen):
    page, member = open_page(Hall.path(shown), screen), join(api)
    page.expected = [401]
    hall = Hall(page)
    check_page(page, "hall")
    hall.open_area("1층 A")
    hall.choose(1, 1)
    hall.choose(1, 2)
    hall.open_area("2층 B")
    hall.choose(1, 1)
    chosen = ["1층 A구역 1열 1번", "1층 A구역 1열 2번", "2층 B구역 1열 1번"]
    hall.expect_panel("선택한 좌석", *chosen)
    expect(hall.panel).to_contain_text("363,000.5원")
    check_page(page, "hall-chosen")
    press(page, "예매하기")
    log_in_dialog(page, member)
    hall.expect_panel("좌석을 잡아 뒀어요", *chosen)
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^(10:00|9:5\d) 안에 결제해 주세요$"))
    check_page(page, "hall-held")
    # The hold is the same in another tab, and after a reload.
    other = page.context.new_page()
    for tab in [other, page]:
        tab.goto(Hall.path(shown))
        Hall(tab).expect_panel("좌석을 잡아 뒀어요", *chosen)
    press(page, "선점 취소")
    expect(page.get_by_role("dialog")).to_contain_text(chosen[0])
    expect(page.get_by_role("button", name="좌석 유지하기")).to_be_focused()
    check_page(page, "hall-release")
    page.keyboard.press("Enter")
    hall.expect_panel("좌석을 잡아 뒀어요", *chosen)
    release_held(page)
    for tab in [page, other]:
        Hall(tab).expect_panel("선택한 좌석")
    hall.open_area("1층 A")
    hall.choose(2, 5)
    press(page, "예매하기")
    press(page, "결제하기(연습)")
    expect_order(page, "예매 완료", "1층 A구역 2열 5번")
    # The other tab does not pay again.
    Hall(other).expect_panel("선택한 좌석")
    expect(other.get_by_text("이 회차를 1석 예매했어요.")).to_be_visible()


def test_join_on_the_way(open_page, shown):
    page = open_page(Hall.path(shown), "phone")
    page.expected = [401]
    hall, member = Hall(page), new_member()
    hall.open_area("1층 A")
    hall.choose(1, 3)
    press(page, "예매하기")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("tab", name="회원가입").click()
    for label, name in [("이메일", "email"), ("이름", "name"), ("닉네임", "nickname"), ("비밀번호", "password")]:
        dialog.get_by_label(label, exact=True).fill(member[name])
    dialog.locator("button[type=submit]").click()
    hall.expect_panel("좌석을 잡아 뒀어요", "1층 A구역 1열 3번")


@pytest.mark.parametrize("way", ["로그인", "회원가입"])
def test_header_keeps_seats(open_page, api, shown, way):
    page, member = open_page(Hall.path(shown)), join(api)
    hall = Hall(page)
    hall.open_area("1층 A")
    hall.choose(1, 4)
    page.get_by_role("banner").get_by_role("link", name=way).click()
    log_in_dialog(page, member)
    expect(page.get_by_role("banner").get_by_role("link", name="내 정보")).to_be_visible()
    hall.expect_panel("선택한 좌석", "1층 A구역 1열 4번")


def test_unverified_address(open_page, chromium, required):
    """A member who has to verify the address first gets the mail where the hold fails, and then holds the seats."""
    context = chromium.new_context(base_url=required)
    api, member = context.request, new_member()
    shown = register(api, event())
    assert api.post("/api/v1/auth/join", data=member).status == 201
    page = open_page("/docs/", base_url=required)
    page.expected = [403]
    log_in(page, member, Hall.path(shown))
    hall = Hall(page)
    hall.open_area("1층 A")
    hall.choose(1, 1)
    press(page, "예매하기")
    expect(hall.alert).to_contain_text("예매하려면 이메일을 인증해야 해요. 고른 좌석은 그대로 있어요.")
    check_page(page, "hall-unverified")
    press(page, "인증 메일 보내기")
    expect(hall.alert).to_contain_text("인증 메일을 보냈어요.")
    other = page.context.new_page()
    mail = api.get("/mail.json").json()[0]
    other.goto(next(word for word in mail["text"].split() if "/verify-email#token=" in word))
    expect(other.get_by_role("heading", name="이메일을 인증했어요")).to_be_visible()
    press(page, "예매하기")
    hall.expect_panel("좌석을 잡아 뒀어요", "1층 A구역 1열 1번")
    context.close()


def test_unknown_area(open_page, shown):
    page = open_page(Hall.path(shown))
    field = page.get_by_label("구역 찾기")
    field.fill("9층 Z")
    field.press("Enter")
    expect_notified(page, "‘9층 Z’ 구역을 찾지 못했어요. 이름을 다시 확인해 주세요.")


def test_keyboard(open_page, api, shown):
    hold(api, join(api), shown, [0])
    page = open_page(Hall.path(shown))
    hall = Hall(page)
    page.get_by_role("group", name="좌석 배치도").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="확대")).to_be_focused()
    hall.open_area("1층 A")
    page.wait_for_timeout(500)
    expect(hall.seat(1, 1)).to_be_focused()
    for key, row, number in [("ArrowRight", 1, 2), ("ArrowDown", 2, 2), ("ArrowRight", 2, 3), ("ArrowUp", 1, 3)]:
        page.keyboard.press(key)
        expect(hall.seat(row, number)).to_be_focused()
    page.keyboard.press(" ")
    hall.expect_state(1, 3, "선택함")
    hall.expect_state(1, 1, "선택 불가")
    hall.expect_panel("선택한 좌석", "1층 A구역 1열 3번")


def test_keys_scroll_nothing(open_page, api):
    """The arrow keys move along a row that is wider than the window, and pointers still find the seats."""
    wide = area("1층 A", 132_000, 0, 20)
    wide["seats"] = [{"cx": 20 + 24 * n, "cy": 20 + 24 * row, "row": row + 1, "number": n + 1} for row in range(3) for n in range(70)]
    drawing = '<svg viewBox="0 0 1800 300"><rect width="1800" height="300" fill="#eef2f7"/></svg>'
    page = open_page(Hall.path(register(api, event(totalMap=drawing, areas=[wide]))))
    hall = Hall(page)
    hall.open_area("1층 A")
    page.wait_for_timeout(500)
    for _ in range(65):
        page.keyboard.press("ArrowRight")
    expect(hall.seat(1, 66)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(300)
    scrolled = "() => [...document.querySelectorAll('*')].filter(({ scrollLeft, scrollTop }) => scrollLeft || scrollTop).length"
    assert page.evaluate(scrolled) == 0
    for number in (65, 67):
        box = hall.seat(2, number).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hall.expect_panel("선택한 좌석", "1층 A구역 2열 65번", "1층 A구역 2열 67번")


def test_focus_survives_polls(open_page, api, shown):
    page, other = open_page(Hall.path(shown)), join(api)
    page.expected = [401]
    hall = Hall(page)
    hall.open_area("1층 A")
    for number in (1, 2, 3):
        hall.choose(1, number)
    button = page.get_by_role("button", name="예매하기")
    button.focus()
    hold(api, other, shown, [9])
    hall.expect_state(1, 10, "선택 불가")
    expect(button).to_be_focused()
    hold(api, other, shown, [0])
    hall.expect_panel("선택한 좌석", "1층 A구역 1열 2번", "1층 A구역 1열 3번")
    expect(button).to_be_focused()
    page.get_by_role("button", name="1열 3번 선택 취소").press("Enter")
    expect(hall.panel.get_by_role("heading", level=2)).to_be_focused()
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_practice_payment_with_issuer(open_page, chromium, verified):
    """Where managers are verified, members of the site pay and cancel, too, but nobody else's holds."""
    context = chromium.new_context(base_url=verified.url)
    api = context.request
    shown = register(api, event(7), {"Authorization": f"Bearer {verified.token}"}, verified.url)
    member, other = join(api), join(api)
    page = open_page("/", base_url=verified.url)
    page.expected = [401]
    log_in(page, member, Hall.path(shown))
    hall = Hall(page)
    hall.open_area("1층 A")
    hall.choose(1, 1)
    press(page, "예매하기")
    expect(hall.panel).to_contain_text("돈은 오가지 않아요.")
    press(page, "결제하기(연습)")
    expect_order(page, "예매 완료", "1층 A구역 1열 1번")
    cancel_order(page)
    expect_order(page, "예매를 취소했어요", "1층 A구역 1열 1번")
    held = hold(api, member, shown, [5])
    path = f"/practice/{held['eventId']}/{held['eventDatetimeId']}/{held['id']}"
    own = {"Origin": verified.url}
    assert api.put(path, headers={**authorize(api, member), "Origin": "http://page.example"}).status == 403
    assert api.put(path, headers=authorize(api, member)).status == 403
    assert api.put(path, headers={**authorize(api, other), **own}).status == 404
    assert api.put(path, headers=own).status == 401
    assert api.put(path, headers={**authorize(api, member), **own}).json()["data"]["status"] == "CONFIRMED"
    context.close()


def test_pointer_opens_area_and_zooms(open_page, shown):
    page = open_page(Hall.path(shown))
    hall, scale = Hall(page), "() => document.querySelector('.stage').style.transform"
    page.locator("hall-map .area").first.click(position={"x": 8, "y": 8})
    expect(page.get_by_role("group", name="1층 A구역 좌석")).to_be_attached()
    page.wait_for_timeout(500)
    before = page.evaluate(scale)
    press(page, "확대")
    assert page.evaluate(scale) != before
    press(page, "전체 보기")
    expect(page.locator("hall-map circle")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^132,000원")).click()
    expect(page.locator("hall-map .area.other")).to_have_count(1)


def test_event_that_allows_fewer_seats(open_page, api):
    page = open_page(Hall.path(register(api, event(maxSeats=2))))
    hall = Hall(page)
    hall.open_area("1층 A")
    for number in (1, 2, 3):
        hall.choose(1, number)
    expect(page.locator(".toast")).to_have_text("한 번에 2석까지 고를 수 있어요.")
    hall.expect_panel("선택한 좌석", "1층 A구역 1열 1번", "1층 A구역 1열 2번")


def test_taken_seats(open_page, api, shown):
    """Another member takes chosen seats, before and after the page knows it."""
    page, member, other = open_page(Hall.path(shown)), join(api), join(api)
    page.expected = [401, 409]
    hall = Hall(page)
    hall.open_area("1층 A")
    for number in (1, 2, 3, 4, 5):
        hall.choose(1, number)
    expect(page.locator(".toast")).to_have_text("한 번에 4석까지 고를 수 있어요.")
    hold(api, other, shown, [0])
    expect(hall.alert).to_have_text("그사이 다른 분이 예매한 좌석이 있어서 선택에서 뺐어요.\n1층 A구역 1열 1번")
    path = f"/api/v1/events/{shown['id']}/dates/{shown['eventDatetimes'][0]['id']}/availability"
    stale = api.get(path).text()
    page.route("**/availability", lambda route: route.fulfill(body=stale, content_type="application/json"))
    held = hold(api, other, shown, [1])
    press(page, "예매하기")
    log_in_dialog(page, member)
    expect(hall.alert).to_contain_text("1층 A구역 1열 2번")
    hall.expect_panel("선택한 좌석", "1층 A구역 1열 3번", "1층 A구역 1열 4번")
    hall.expect_state(1, 2, "선택 불가")
    check_page(page, "hall-lost")
    # Free again, the seat can be chosen.
    release(api, other, held)
    page.unroute("**/availability")
    hall.expect_state(1, 2, "선택 가능")
    hall.choose(1, 2)
    expect(hall.alert).to_be_empty()


def test_error_stays_until_it_is_answered(open_page, api, shown):
    """Neither polls nor seats that others take hide why a hold or a payment failed."""
    page, member = open_page("/"), join(api)
    page.expected = [429, 503]
    log_in(page, member, Hall.path(shown))
    hall, failure = Hall(page), "오늘은 더 예매할 수 없어요."
    fail = lambda route: route.fulfill(status=429, json={"code": "H_099", "message": failure})
    page.route("**/dates/*/holds", lambda route: fail(route) if route.request.method == "POST" else route.continue_())
    hall.open_area("1층 A")
    for number in (1, 2):
        hall.choose(1, number)
    press(page, "예매하기")
    expect(hall.alert).to_have_text(failure)
    hold(api, join(api), shown, [0])
    expect(hall.alert).to_have_text(f"{failure}\n그사이 다른 분이 예매한 좌석이 있어서 선택에서 뺐어요.\n1층 A구역 1열 1번")
    check_page(page, "hall-failed")
    hall.seat(1, 1).click(force=True)
    expect(page.locator(".toast")).to_have_text("다른 분이 먼저 선택한 좌석이에요.")
    expect(hall.alert).to_contain_text(failure)
    hall.choose(1, 3)
    expect(hall.alert).to_be_empty()
    press(page, "예매하기")
    expect(hall.alert).to_have_text(failure)
    press(page, "알림 닫기")
    expect(hall.alert).to_be_empty()
    page.unroute("**/dates/*/holds")
    page.route("**/practice/**", lambda route: route.fulfill(status=503, json={"code": "S_003", "message": failure}))
    press(page, "예매하기")
    press(page, "결제하기(연습)")
    expect(hall.alert).to_have_text(failure)
    hold(api, join(api), shown, [9])
    hall.expect_state(1, 10, "선택 불가")
    expect(hall.alert).to_have_text(failure)
    page.unroute("**/practice/**")
    press(page, "결제하기(연습)")
    expect_order(page, "예매 완료", "1층 A구역 1열 2번, 3번")


def test_lost_response(open_page, api, shown):
    """A hold whose response is lost is found by the next attempt. Another member does not see it."""
    page, member = open_page(Hall.path(shown)), join(api)
    page.expected = [401, 404, "net::ERR_FAILED"]
    hall, keys = Hall(page), []

    def lose(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) != 2:
            return route.continue_()
        assert route.fetch().status == 201
        route.abort()

    page.route("**/dates/*/holds", lose)
    hall.open_area("1층 A")
    hall.choose(1, 1)
    press(page, "예매하기")
    log_in_dialog(page, member)
    expect(hall.alert).to_contain_text("서비스에 연결하지 못했어요.")
    press(page, "예매하기")
    hall.expect_panel("좌석을 잡아 뒀어요", "1층 A구역 1열 1번")
    assert len(keys) == 3 and keys[1] == keys[2], keys
    press(page, "로그아웃")
    hall.expect_panel("선택한 좌석")


def test_expired_hold(open_page, api, shown):
    page, member = open_page(Hall.path(shown)), join(api)
    page.expected = [401]

    def change(route):
        response = route.fetch()
        body = response.json()
        if isinstance(body.get("data"), list):
            body["data"] = []
        elif response.ok and route.request.method == "POST":
            body["data"]["expiresAt"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
        elif response.ok:
            body["data"]["status"] = "EXPIRED"
        route.fulfill(response=response, json=body)

    page.route("**/holds**", change)
    hall = Hall(page)
    hall.open_area("1층 A")
    hall.choose(1, 1)
    press(page, "예매하기")
    log_in_dialog(page, member)
    hall.expect_panel("시간이 지나 좌석이 풀렸어요", "1층 A구역 1열 1번")
    check_page(page, "hall-expired")
    press(page, "다른 좌석 예매하기")
    hall.expect_panel("선택한 좌석")


def test_show_before_sale(open_page, api):
    """The page says when the sale begins, and lets nobody choose seats before."""
    opens = {"ticketingOpenTime": "2099-06-08T20:00:00+09:00", "eventDatetimes": [4_090_000_000]}
    shown = register(api, event(title="예정 공연", **opens))
    page = open_page(Hall.path(shown), "phone")
    expect(page.get_by_role("note")).to_have_text("예매는 2099년 6월 8일(월) 오후 8:00에 시작해요. 지금은 좌석만 둘러볼 수 있어요.")
    hall = Hall(page)
    hall.open_area("1층 A")
    hall.choose(1, 1)
    expect(page.locator(".toast")).to_have_text("아직 예매를 시작하지 않았어요.")
    hall.expect_panel("선택한 좌석")
    expect(page.get_by_role("button", name="예매하기")).to_be_disabled()


def test_unusual_drawings(open_page, api):
    """Drawings with equal classes, without outlines, and from an address are shown with all seats."""
    styled = '<svg viewBox="0 0 400 300"><style>.st0{fill:#fde68a}</style><rect class="st0" width="400" height="300"/></svg>'
    plain = {**area("자유석", 1_000, 4_000, 20), "areaMap": "/areas/free.svg"}
    plain["seats"] = [{"cx": 5 + 6 * (n % 60), "cy": 5 + 4 * (n // 60), "row": n // 60 + 1, "number": n % 60 + 1} for n in range(4_000)]
    shown = register(api, event(title="특이한 도면", totalMap=styled, areas=[plain]))
    page = open_page(Hall.path(shown))
    hall = Hall(page)
    hall.open_area("자유석")
    page.wait_for_timeout(600)
    assert 0 < page.locator("hall-map circle").count() <= 1_500


def test_drawing_as_tools_save_it(open_page, api):
    """Visitors see a drawing that begins as a file, and has a space that only HTML knows."""
    saved = ('<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator -->\n<!DOCTYPE svg>\n'
             '<svg viewBox="0 0 500 300"><rect width="500" height="300" fill="#fde68a"/><text>1층&nbsp;무대</text></svg>')
    page = open_page(Hall.path(register(api, event(title="저장한 도면", totalMap=saved))))
    drawing = page.locator("img.drawing")
    expect(drawing).to_be_visible()
    assert drawing.evaluate("async image => { await image.decode(); return image.naturalWidth }") == 500
    assert "%23fde68a" in drawing.get_attribute("src")


def test_unknown_show(open_page, shown):
    page = open_page("/")
    page.expected = [404]
    page.goto(f"/events/{shown['id']}/shows/{shown['id']}")
    expect(page.get_by_role("heading", name="이 공연은 찾을 수 없어요")).to_be_visible()
