"""The page of an order: the confirmation after a payment, the cancellation, and what becomes of holds and shows."""

import re
import time

import pytest
from playwright.sync_api import expect

from conftest import area, check_page, edit_show, event, register
from pages import Hall, buy, cancel_order, expect_order, hold, join, log_in, press, release


@pytest.fixture
def shown(api):
    wide = [area("1층 A", 132_000, 30, 20, {3: "RESTRICTED_VIEW"}), area("2층 B", 99_000.5, 20, 200)]
    return register(api, event(title="별빛 콘서트", address="서울 송파구 올림픽로 424", runningMinutes=120, areas=wide))


def path_of(held):
    return f"/tickets/{held['eventId']}/{held['eventDatetimeId']}/{held['id']}"


def held_by(page, api, member, shown, *indexes):
    """Opens the page of the show, where the member is to pay for seats."""
    held = hold(api, member, shown, indexes)
    log_in(page, member, Hall.path(shown))
    Hall(page)
    return held


def test_payment_leads_to_order(open_page, api, shown):
    page, member = open_page("/", "phone"), join(api)
    page.expected = [404]
    held = held_by(page, api, member, shown, 1, 2, 3)
    press(page, "결제하기(연습)")
    expect(page).to_have_url(path_of(held))
    order = lambda: expect_order(page, "예매 완료", "1층 A구역 1열 2번, 3번, 4번 시야제한석")
    order()
    for text in ["별빛 콘서트", "올림픽공원 올림픽홀 · 서울 송파구 올림픽로 424", "132,000원 × 3", "396,000원", f"order-{held['id'][24:]}"]:
        expect(page.locator(".ticket")).to_contain_text(text)
    own = page.get_by_role("img", name="1층 A구역에서 내 좌석의 위치").locator("[data-seat][data-state=mine]")
    expect(own).to_have_count(3)
    page.wait_for_timeout(500)  # the flight to the seats
    check_page(page, "order")
    page.reload()
    order()
    with page.expect_download() as download:
        page.get_by_role("link", name="달력에 추가").click()
    assert "SUMMARY:별빛 콘서트\r\n" in download.value.path().read_bytes().decode()
    # The hall is not in the history, since nobody pays twice.
    page.go_back()
    expect(page).not_to_have_url(re.compile("/shows/"))
    page.goto(f"/tickets/{shown['id']}/{held['eventDatetimeId']}/{shown['id']}")
    expect(page.get_by_role("heading", name="이 예매는 찾을 수 없어요")).to_be_visible()
    check_page(page, "order-unknown")


def test_order_of_another_member(open_page, api, shown):
    held = hold(api, join(api), shown, [0])
    page, member = open_page(path_of(held), "phone"), join(api)
    page.expected = [404]
    expect(page.get_by_text("예매 내역을 보려면 로그인해 주세요.")).to_be_visible()
    log_in(page, member, path_of(held))
    expect(page.get_by_role("heading", name="이 예매는 찾을 수 없어요")).to_be_visible()


@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_double_tap_only_pays(open_page, api, shown, screen):
    page, member, payments = open_page("/", screen), join(api), []
    page.clock.install()
    held = held_by(page, api, member, shown, 0)
    page.on("request", lambda request: "/practice/" in request.url and payments.append(request.method))
    button = page.get_by_role("button", name="결제하기(연습)")
    box = button.bounding_box()
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tap = page.touchscreen.tap if screen == "phone" else page.mouse.click
    page.clock.pause_at(time.time() + 1)
    with page.expect_response("**/practice/**"):
        tap(*place)
    page.wait_for_timeout(100)
    tap(*place)
    expect(page).to_have_url(Hall.path(shown))
    page.clock.run_for(500)
    expect_order(page, "예매 완료", "1층 A구역 1열 1번")
    expect(page).to_have_url(path_of(held))
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert payments == ["PUT"]


def test_order_is_kept_or_cancelled(open_page, api, shown):
    page, member = open_page("/"), join(api)
    held = held_by(page, api, member, shown, 0, 1)
    press(page, "결제하기(연습)")
    expect_order(page, "예매 완료", "1층 A구역 1열 1번, 2번")
    page.get_by_role("button", name="예매 취소").click()
    expect(page.get_by_role("button", name="예매 유지하기")).to_be_focused()
    for text in [shown["title"], "1층 A구역 1열 1번, 2번 · 264,000원"]:
        expect(page.get_by_role("dialog")).to_contain_text(text)
    check_page(page, "order-cancel")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_order(page, "예매 완료", "1층 A구역 1열 1번, 2번")
    cancel_order(page)
    expect_order(page, "예매를 취소했어요", "1층 A구역 1열 1번, 2번")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("link", name="달력에 추가")).to_have_count(0)
    check_page(page, "order-cancelled")
    page.reload()
    expect_order(page, "예매를 취소했어요", "1층 A구역 1열 1번, 2번")
    released = hold(api, member, shown, [5])
    release(api, member, released)
    page.goto(path_of(released))
    expect_order(page, "선점을 취소했어요", "1층 A구역 1열 6번")


def test_time_to_pay_ends_in_place(open_page, api, shown):
    page, member = open_page("/", "phone"), join(api)
    hold(api, member, shown, [0])
    page.clock.install()
    log_in(page, member, "/tickets")
    expect(page.get_by_role("timer")).to_be_visible()
    page.clock.fast_forward("10:05")
    ticket = page.locator(".ticket")
    expect(ticket).to_contain_text("시간이 지나 좌석이 풀렸어요")
    expect(page.get_by_role("timer")).to_have_count(0)
    check_page(page, "tickets-expired")
    page.get_by_role("link", name="좌석 다시 고르기").click()
    expect(page).to_have_url(Hall.path(shown))


def test_show_that_was_called_off(open_page, api, shown):
    page, member = open_page("/"), join(api)
    buy(api, member, shown, [0])
    edit_show(api, shown, status="CANCELLED", notice="출연자 사정으로 공연을 취소합니다.")
    log_in(page, member, "/tickets")
    expect(page.locator("main section h2")).to_have_text(["취소된 공연", "다가오는 예매가 없어요"])
    expect(page.get_by_text("환불은 공연 안내를 확인하고")).to_be_visible()
    expect(page.locator(".ticket")).to_contain_text("출연자 사정으로 공연을 취소합니다.")
    check_page(page, "tickets-called-off")
    page.get_by_role("link", name="예매 내역").click()
    expect_order(page, "취소된 공연이에요", "1층 A구역 1열 1번")
    expect(page.get_by_text("출연자 사정으로 공연을 취소합니다.")).to_be_visible()
    expect(page.get_by_role("link", name="달력에 추가")).to_have_count(0)
    check_page(page, "order-called-off")


def test_cancelled_order_stays_in_list(open_page, api, shown):
    page, member = open_page("/", "phone"), join(api)
    held = held_by(page, api, member, shown, 0, 1)
    press(page, "결제하기(연습)")
    expect_order(page, "예매 완료", "1층 A구역 1열 1번, 2번")
    page.get_by_role("link", name="내 예매").last.click()
    cancel_order(page)
    expect(page.get_by_role("heading", level=2)).to_have_text(["다가오는 예매가 없어요", "취소한 예매"])
    ticket = page.locator(".ticket")
    for text in ["예매 취소됨", "1층 A구역 1열 1번, 2번", "264,000원", f"order-{held['id'][24:]}"]:
        expect(ticket).to_contain_text(text)
    expect(ticket.get_by_role("button")).to_have_count(0)
    check_page(page, "tickets-cancelled")
