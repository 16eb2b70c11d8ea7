"""A manager's desk: shows that are called off or moved, copies with other prices, the box office and its sales."""

import csv
import re
import time

import pytest
from playwright.sync_api import expect

from conftest import DAY, FOLDER, check_page, event, register
from pages import Desk, Hall, buy, enter, expect_error, expect_notified, hold, join, press

OWNER = "8a1e2c44-7d0f-4b6a-9b39-3c5d7e9f1a20"
HEADERS = {"x-api-managerId": OWNER}


def evening(days):
    """Returns an evening as a field takes it, some days from now."""
    return time.strftime("%Y-%m-%dT19:30", time.gmtime(time.time() + days * DAY))


@pytest.fixture
def managed(api):
    now = int(time.time())
    return register(api, event(title="여름 콘서트", eventDatetimes=[now + 9 * DAY, now + 10 * DAY]), HEADERS)


@pytest.fixture
def page(open_page):
    page = open_page("/manager")
    enter(page, OWNER)
    return page


def test_shows_are_changed(page, open_page, api, managed):
    """Postpones, moves, calls off and brings back shows, and looks at what visitors see."""
    page.expected = [412]
    desk, visitor = Desk(page, managed), open_page("/")
    check_page(page, "desk")
    first, second = desk.show(managed, 0), desk.show(managed, 1)

    def expect_visible(*texts):
        visitor.goto(f"/events/{managed['id']}")
        for text in texts:
            expect(visitor.locator("#shows")).to_contain_text(text)

    press(first, first.get_by_role("button", name="연기").get_attribute("aria-label"))
    check_page(page, "desk-postpone")
    desk.fill("연기하기", 안내문="출연자 사정으로 연기해요.")
    expect(first.locator(".badge")).to_have_text("연기")
    expect(first.get_by_role("link", name="좌석과 판매")).to_be_focused()
    expect_visible("연기", "출연자 사정으로 연기해요.")
    # Somebody else changes the event meanwhile.
    first.get_by_role("button", name="일시 변경").click()
    other = api.patch(f"/api/v1/events/{managed['id']}", headers=HEADERS, data={"artist": "잔나비"})
    assert other.ok, other.text()
    desk.fill("일시 바꾸기", 새_일시=evening(20), 안내문="")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("다른 사람이 이 공연을 바꿨어요.")
    desk.fill("일시 바꾸기")
    expect(first.locator(".badge")).to_have_text("예매 중")
    expect(page.locator(".desk-heading")).to_contain_text("잔나비")
    expect(first.locator("h3")).to_contain_text("오후 7:30")
    expect_visible("오후 7:30")
    second.get_by_role("button", name="취소").click()
    desk.fill("회차 취소하기", 안내문="태풍으로 취소해요.")
    expect(second.locator(".badge")).to_have_text("취소")
    press(page, "전체 취소")
    desk.fill("모두 취소하기")
    expect(first.locator(".badge")).to_have_text("취소")
    expect(second).to_contain_text("태풍으로 취소해요.")
    check_page(page, "desk-cancelled")
    second.get_by_role("button", name="다시 진행").click()
    desk.fill("다시 진행하기", 안내문="")
    expect(second.locator(".badge")).to_have_text("예매 중")
    expect_visible("예매하기")


def test_copy_with_another_price(page, managed):
    page.expected = [400]
    desk = Desk(page, managed)
    press(page, "복사")
    dialog = page.get_by_role("dialog")
    desk.fill("복사하기", 제목="앙코르 콘서트", 공연_일시_1회=evening(30), **{"2층 B": "비싸게"})
    expect(dialog.get_by_label("2층 B")).to_have_attribute("aria-invalid", "true")
    check_page(page, "desk-copy-error")
    desk.fill("복사하기", **{"2층 B": "88,000"})
    expect(page.get_by_role("heading", level=1)).to_have_text("앙코르 콘서트")
    expect_notified(page, "공연을 복사했어요.")
    page.get_by_role("link", name="좌석과 판매").click()
    expect(page.locator("tbody tr").nth(1)).to_contain_text("2층 B88,000원")
    check_page(page, "desk-draft")
    page.go_back()
    press(page, "공개")
    expect(page.locator(".desk-heading .badge")).to_have_text("예매 중")
    press(page, "비공개로 전환")
    expect(page.locator(".desk-heading .badge")).to_have_text("비공개")


def test_box_office(page, api, managed):
    page.expected = [400, 409]
    hold(api, join(api), managed, [9])
    desk, hall = Desk(page, managed, 0), Hall(page)
    hall.open_area("1층 A")
    hall.expect_state(1, 10, "선점됨")
    for number in (1, 2, 3):
        hall.choose(1, number)
    press(page, "판매 막기")
    desk.fill("3석 막기", 이름="보도진")
    expect_notified(page, "3석의 판매를 막았어요.")
    desk.expect_numbers(막음=3, 선점=1, 남음=28)
    hall.expect_state(1, 1, "판매 막음")
    hall.expect_state(1, 10, "선점됨")
    expect(page.locator(".blocks li")).to_have_text(["보도진3석1층 A구역 3석모두 풀기"])
    hall.choose(1, 3)
    press(page, "막기 해제")
    hall.expect_state(1, 3, "선택 가능")
    hall.choose(1, 2)
    hall.choose(1, 3)
    check_page(page, "desk-show")
    hall.choose(1, 4)
    press(page, "현장 판매")
    desk.fill("396,000원 판매하기", 주문_번호="한글")
    expect_error(page.get_by_label("주문 번호"), "")
    check_page(page, "desk-sell")
    hold(api, join(api), managed, [3])
    desk.fill("396,000원 판매하기", 주문_번호="=box-1")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("1층 A구역 1열 4번")
    page.keyboard.press("Escape")
    press(page, "현장 판매")
    desk.fill("264,000원 판매하기", 주문_번호="=box-1")
    expect(desk.sales).to_have_count(1)
    expect(desk.sales).to_contain_text("=box-1현장 판매1층 A구역 1열 2, 3번264,000원")
    hall.expect_state(1, 2, "판매됨")
    desk.expect_numbers(판매=2, 막음=1, 선점=2)
    expect(page.locator(".revenue")).to_have_text("매출 264,000원")
    page.locator(".sales").scroll_into_view_if_needed()
    check_page(page, "desk-sales")
    with page.expect_download() as download:
        press(page, "CSV 내려받기")
    assert download.value.suggested_filename == f"sales-{managed['eventDatetimes'][0]['id']}.csv"
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["order"], row["area"], row["row"], row["number"], row["price"]) for row in rows] == [
        ("'=box-1", "1층 A", "1", number, "132000") for number in "23"], rows
    press(page, "주문 =box-1 취소")
    press(page, "판매 취소하기")
    expect(desk.sales).to_have_count(0)
    hall.expect_state(1, 2, "선택 가능")
    desk.expect_numbers(판매=0, 남음=29)
    # Another sale of the same seats with the same order is not a repetition of the first one.
    for number in (2, 3):
        hall.choose(1, number)
    press(page, "현장 판매")
    desk.fill("264,000원 판매하기", 주문_번호="=box-1")
    expect(desk.sales).to_have_count(1)
    hall.expect_state(1, 2, "판매됨")


def test_sales_are_found_and_printed(page, api, managed):
    buyer = join(api)
    for indexes in ([5], [11, 12]):
        buy(api, buyer, managed, indexes)
    buy(api, join(api), managed, [0])
    desk = Desk(page, managed, 0)
    expect(desk.sales).to_have_count(3)
    search, sums = page.get_by_label("판매 찾기"), page.locator(".sales-search [role=status]")
    member = desk.sales.filter(has_text="6번").locator(".soft").inner_text().removeprefix("회원 ")
    search.fill(member.upper())
    expect(desk.sales).to_have_count(2)
    expect(sums).to_have_text("찾음 2건 · 3석 · 396,000원")
    desk.sales.filter(has_text="6번").get_by_role("checkbox").check()
    expect(sums).to_have_text("선택 1건 · 1석 · 132,000원")
    check_page(page, "desk-found")
    search.fill("없는 주문")
    expect(page.get_by_role("heading", name="찾는 판매가 없어요")).to_be_visible()
    search.fill("1열 1번")
    expect(desk.sales).to_have_count(1)
    search.fill("")
    expect(desk.sales).to_have_count(3)
    page.evaluate("print = () => {}")
    press(page, "명단 인쇄")
    expect(page.locator(".printed")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator("main")).to_be_hidden()
    rows = page.locator(".printed tbody tr")
    expect(rows).to_have_text([re.compile(f"^☐1층 A구역{seat}") for seat in ("11", "16", "22", "23")])
    page.screenshot(path=FOLDER / "desk-printed.png")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".printed")).to_have_count(0)


def test_labels_of_blocked_seats(page, api):
    draft = register(api, event(title="초대 공연", published=False), HEADERS)
    path = f"/api/v1/events/{draft['id']}/dates/{draft['eventDatetimes'][0]['id']}/blocks"
    seats = [seat["id"] for seat in draft["areas"][0]["seats"]]
    for ids, label in [(seats[:2], "후원사"), (seats[2:5], "보도진"), (seats[5:6], None)]:
        assert api.post(path, headers=HEADERS, data={"seatIds": ids, "label": label}).ok
    desk, hall = Desk(page, draft, 0), Hall(page)
    expect(page.locator(".blocks li")).to_have_text(
        ["이름 없음1석1층 A구역 1석", "보도진3석1층 A구역 3석모두 풀기", "후원사2석1층 A구역 2석모두 풀기"])
    hall.open_area("1층 A")
    hall.expect_state(1, 1, "판매 막음")
    page.locator(".blocks").scroll_into_view_if_needed()
    check_page(page, "desk-blocks")
    press(page, "‘보도진’ 좌석 모두 풀기")
    desk.fill("모두 풀기")
    expect_notified(page, "막아 둔 3석을 풀었어요.")
    expect(page.locator(".blocks li")).to_have_count(2)
    hall.expect_state(1, 3, "선택 가능")
    hall.choose(1, 1)
    press(page, "판매 막기")
    desk.fill("1석 막기", 이름="음향팀")
    expect(page.locator(".blocks strong")).to_have_text(["이름 없음", "음향팀", "후원사"])


def test_new_manager(open_page):
    """A new id stays in this browser."""
    page = open_page("/manager")
    press(page, "새 관리자 ID 만들기")
    press(page, "공연 관리 시작하기")
    expect(page.get_by_role("heading", name="공개한 공연이 없어요")).to_be_visible()
    other = page.context.new_page()
    other.goto("/manager")
    expect(other.get_by_role("heading", name="공개한 공연이 없어요")).to_be_visible()
