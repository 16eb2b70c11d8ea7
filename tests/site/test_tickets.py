"""A member's tickets: the best seats, own tickets on any device, shows that are off, and what a withdrawal leaves."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from conftest import check_page, edit_show, event, register
from pages import Hall, buy, cancel_order, hold, join, log_in, log_in_dialog, press, release_held


@pytest.fixture
def shown(api):
    return register(api, event(title="달빛 콘서트"))


def ask_for_best(page, count, area):
    press(page, "자동으로 고르기")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(f"{count}석").check(force=True)
    dialog.get_by_label("어디에 앉을까요?").select_option(area)
    press(page, "좌석 잡기")
    return dialog


def test_best_seats_become_tickets(open_page, api, shown):
    page, member = open_page(Hall.path(shown), "phone"), join(api)
    page.expected = [401, 409]
    hall, first, second = Hall(page), "1층 A구역 132,000원 · 30석 남음", "2층 B구역 99,000.5원 · 2석 남음"
    ask_for_best(page, 3, second)
    log_in_dialog(page, member)
    expect(hall.alert).to_have_text("고른 곳에는 3석이 남아 있지 않아요. 다른 구역을 고르거나 좌석 수를 줄여 보세요.")
    expect(ask_for_best(page, 4, second).get_by_role("alert")).to_contain_text("고른 곳에는 4석이")
    check_page(page, "best-seats")
    press(page, "닫기")
    ask_for_best(page, 3, first)
    seats = hall.panel.locator(".chosen li > span:first-child")
    expect(seats).to_have_text([re.compile(r"^1층 A구역 \d열 \d+번$")] * 3)
    expect(page.locator("hall-map circle[data-state=mine]")).to_have_count(3)
    press(page, "결제하기(연습)")
    expect(page.get_by_role("heading", level=1)).to_have_text("예매 완료")


def test_tickets_on_another_device(open_page, api, shown):
    member = join(api)
    buy(api, member, shown, [0, 1, 2])
    page = open_page("/tickets", "phone")
    check_page(page, "tickets-logged-out")
    log_in(page, member, "/tickets")
    tickets = page.locator("main article")
    expect(tickets).to_contain_text("396,000원")
    page.goto(Hall.path(shown))
    expect(page.get_by_text("이 회차를 3석 예매했어요.")).to_be_visible()
    Hall(page).open_area("1층 A")
    expect(page.locator("hall-map circle[data-state=mine]")).to_have_count(3)
    check_page(page, "hall-bought")
    press(page, "자동으로 고르기")
    expect(page.get_by_role("dialog").get_by_role("radio")).to_have_count(1)
    press(page, "좌석 잡기")
    expect(page.get_by_role("timer")).to_be_visible()
    page.goto("/tickets")
    expect(page.get_by_role("heading", level=2)).to_have_text(["결제를 기다리는 좌석", "다가오는 공연"])
    check_page(page, "tickets")
    cancel_order(page)
    expect(page.get_by_role("heading", level=2)).to_have_text(["결제를 기다리는 좌석", "취소한 예매"])
    page.get_by_role("link", name="결제하거나 취소하기").click()
    release_held(page)
    page.goto("/tickets")
    expect(page.get_by_role("heading", name="다가오는 예매가 없어요")).to_be_visible()
    check_page(page, "tickets-empty")


def test_ticket_of_show_that_is_off(open_page, api, shown):
    """A postponed show has not begun, whatever its old time; one that is over is folded. A withdrawal tells of tickets."""
    page, member, other = open_page("/"), join(api), register(api, event(title="지난 콘서트"))
    buy(api, member, shown, [0])
    buy(api, member, other, [3, 4])
    edit_show(api, shown, status="POSTPONED", notice="태풍으로 연기합니다.\n새 일시는 곧 알려 드립니다.")
    page.clock.set_fixed_time(datetime.datetime.now() + datetime.timedelta(days=20))
    log_in(page, member, "/tickets")
    postponed, over = page.locator("main article").first, page.locator("main article").last
    expect(postponed.locator(".badge")).to_have_text("공연 연기")
    expect(postponed).to_contain_text("새 일시는 곧 알려 드립니다.")
    expect(over).to_be_hidden()
    page.get_by_text("지난 공연 1건 보기").click()
    expect(over).to_contain_text("지난 콘서트")
    check_page(page, "tickets-off")
    hold(api, member, other, [5])
    page.goto("/account")
    press(page, "회원 탈퇴")
    expect(page.get_by_role("dialog")).to_contain_text("다가오는 공연 예매가 1건(1석) 있어요.")
    expect(page.get_by_role("dialog")).to_contain_text("결제하지 않은 1석은 잡아 둔 시간이 지나면 풀려요.")
    check_page(page, "account-withdrawal")
