"""A member's tickets: the best seats, own tickets on any device, shows that are off, and what a withdrawal leaves."""

import re

import pytest
from playwright.sync_api import expect

from conftest import check_page, edit_show, event, register
from pages import Hall, buy, expect_notified, hold, join, log_in, log_in_dialog, press


@pytest.fixture
def shown(api):
    return register(api, event(title="달빛 콘서트"))


def tickets(page):
    return page.locator("main article")


def test_best_seats_become_tickets(open_page, api, shown):
    page, member = open_page(Hall.path(shown), "phone"), join(api)
    page.expected = [401, 409]
    hall, dialog = Hall(page), page.get_by_role("dialog")
    press(page, "자동으로 고르기")
    check_page(page, "best-seats")
    dialog.get_by_label("3석").check(force=True)
    dialog.get_by_label("어디에 앉을까요?").select_option("1층 A구역 132,000원 · 30석 남음")
    press(page, "좌석 잡기")
    log_in_dialog(page, member)
    seats = hall.panel.locator(".chosen li > span:first-child")
    expect(seats).to_have_text([re.compile(r"^1층 A구역 \d열 \d+번$")] * 3)
    expect(page.get_by_role("group", name="1층 A구역 좌석")).to_be_attached()
    expect(page.locator("hall-map circle[data-state=mine]")).to_have_count(3)
    press(page, "결제했다고 치기")
    hall.expect_panel("예매를 마쳤어요", *seats.all_inner_texts())
    # Another device knows them, with nothing remembered.
    other = open_page("/tickets", "phone")
    check_page(other, "tickets-logged-out")
    log_in(other, member, "/tickets")
    expect(tickets(other)).to_have_count(1)
    expect(tickets(other)).to_contain_text("396,000원")
    expect(other.get_by_role("link", name="내 예매")).to_have_attribute("aria-current", "page")
    other.goto(Hall.path(shown))
    expect(other.get_by_text("이 회차를 3석 예매했어요.")).to_be_visible()
    Hall(other).open_area("1층 A")
    expect(other.locator("hall-map circle[data-state=mine]")).to_have_count(3)
    check_page(other, "hall-bought")
    # The limit allows one more.
    press(other, "자동으로 고르기")
    expect(other.get_by_role("dialog").get_by_role("radio")).to_have_count(1)
    press(other, "좌석 잡기")
    expect(Hall(other).panel.get_by_role("timer")).to_be_visible()
    other.goto("/tickets")
    expect(other.get_by_role("heading", level=2)).to_have_text(["결제를 기다리는 좌석", "다가오는 공연"])
    check_page(other, "tickets")
    press(other, re.compile("예매 취소$"))
    press(other, "취소하기")
    expect_notified(other, "예매를 취소했어요.")
    expect(tickets(other)).to_have_count(1)
    other.get_by_role("link", name="결제하거나 취소하기").click()
    press(other, "선점 취소")
    other.goto("/tickets")
    expect(other.get_by_role("heading", name="다가오는 예매가 없어요")).to_be_visible()
    check_page(other, "tickets-empty")


def test_no_such_seats(open_page, api, shown):
    """A hall without the seats says what else to try."""
    page = open_page("/", "phone")
    page.expected = [409]
    log_in(page, join(api), Hall.path(shown))
    Hall(page).open_area("2층 B")
    press(page, "자동으로 고르기")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("어디에 앉을까요?")).to_contain_text("2층 B구역")
    dialog.get_by_label("3석").check(force=True)
    press(page, "좌석 잡기")
    expect(dialog.get_by_role("alert")).to_contain_text("나란히 앉을 3석이 없어요.")
    check_page(page, "best-seats-none")


def test_show_that_is_off(open_page, api, shown):
    """Tickets, the page of the show and the card tell that a show is postponed; past shows are folded."""
    member, past = join(api), register(api, event(title="지난 콘서트"))
    buy(api, member, shown, [0])
    buy(api, member, past, [3, 4])
    edit_show(api, shown, status="POSTPONED", notice="태풍으로 연기합니다.\n새 일시는 곧 알려 드립니다.")

    def make_past(route):
        response = route.fetch()
        body = response.json()
        for each in body["data"]:
            each["datetime"] = "2020-11-28T10:30:00Z"
        route.fulfill(response=response, json=body)

    page = open_page("/")
    page.route("**/api/v1/members/*/holds", make_past)
    log_in(page, member, "/tickets")
    expect(tickets(page).first.locator(".badge")).to_have_text("연기")
    expect(tickets(page).first).to_contain_text("새 일시는 곧 알려 드립니다.")
    expect(tickets(page).nth(1)).to_be_hidden()
    page.get_by_text("지난 공연 1건 보기").click()
    expect(tickets(page).nth(1)).to_contain_text("지난 콘서트")
    check_page(page, "tickets-off")
    page.goto(Hall.path(shown))
    expect(page.locator("header.show .badge")).to_have_text("연기")
    expect(page.get_by_text("태풍으로 연기합니다.")).to_be_visible()
    check_page(page, "hall-postponed")


def test_withdrawal_keeps_tickets(open_page, api, shown):
    member = join(api)
    buy(api, member, shown, [0, 1])
    hold(api, member, shown, [5])
    page = open_page("/")
    log_in(page, member, "/account")
    press(page, "회원 탈퇴")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("다가오는 공연 예매가 1건(2석) 있어요.")
    expect(dialog).to_contain_text("결제하지 않은 1석은 잡아 둔 시간이 지나면 풀려요.")
    check_page(page, "account-withdrawal")
