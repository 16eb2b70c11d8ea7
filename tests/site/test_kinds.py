"""Seats that differ: wheelchair places, companions and restricted views in the hall, as best seats, and at the desk."""

import re

import pytest
from playwright.sync_api import expect

from conftest import MANAGER, area, check_page, event, register
from pages import Desk, Hall, buy, enter, hold, join, log_in, log_in_dialog, press, release_held

# Row 3 of the first area begins with two places, a companion beside each, and a seat of restricted view.
KINDS = {20: "WHEELCHAIR", 21: "COMPANION", 22: "COMPANION", 23: "WHEELCHAIR", 24: "RESTRICTED_VIEW"}


@pytest.fixture
def shown(api):
    areas = [area("1층 A", 132_000, 30, 20, KINDS), area("2층 B", 99_000, 8, 200, {7: "WHEELCHAIR"})]
    return register(api, event(title="함께 보는 공연", areas=areas))


@pytest.mark.parametrize("screen", ["phone", "desktop"])
def test_hall_tells_kinds_apart(open_page, api, shown, screen):
    hold(api, join(api), shown, [20, 21])
    page = open_page(Hall.path(shown), screen)
    hall = Hall(page)
    legend = page.get_by_role("group", name="좌석 종류")
    for name in ["휠체어석", "동반석", "시야제한석"]:
        expect(legend.get_by_role("button", name=name)).to_be_visible()
    hall.open_area("1층 A")
    expect(hall.seat(3, 4)).to_have_attribute("aria-label", "3열 4번 휠체어석, 132,000원, 선택 가능")
    hall.expect_state(3, 1, "선택 불가")
    shapes = [hall.seat(3, number).evaluate("seat => seat.localName") for number in range(1, 7)]
    assert shapes == ["rect", "circle", "circle", "rect", "circle", "circle"]
    signs = lambda kind: page.locator(f".seats .sign[data-kind={kind}]").get_attribute("d").count("M")
    assert [signs(kind) for kind in ["WHEELCHAIR", "COMPANION", "RESTRICTED_VIEW"]] == [1, 1, 1]
    hall.choose(3, 4)
    hall.expect_panel("선택한 좌석", "1층 A구역 3열 4번 휠체어석")
    assert signs("WHEELCHAIR") == 0, "the mark of a choice is over the sign"
    expect(page.locator(".described")).to_have_text("1층 A구역 3열 4번 휠체어석 · 132,000원")
    check_page(page, "kinds-hall")


def test_hall_without_kinds(open_page, api):
    page = open_page(Hall.path(register(api, event())))
    page.expected = [401]
    hall = Hall(page)
    hall.open_area("1층 A")
    expect(page.get_by_role("group", name="좌석 종류")).to_have_count(0)
    press(page, "자동으로 고르기")
    expect(page.get_by_role("checkbox", name="떨어져")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("checkbox")).to_have_count(1)
    with page.expect_request("**/holds") as request:
        press(page, "좌석 잡기")
    assert sorted(request.value.post_data_json) == ["adjacent", "areaIds", "count"]


def test_filter_finds_free_seats(open_page, api, shown):
    """The wheelchair places of the first area are taken."""
    hold(api, join(api), shown, [20, 23])
    page = open_page(Hall.path(shown))
    hall, filter = Hall(page), page.get_by_role("button", name="휠체어석")
    expect(filter).to_have_text("휠체어석1석")
    filter.click()
    expect(page.get_by_role("group", name="2층 B구역 좌석")).to_be_attached()
    expect(page.locator(".described")).to_have_text("2층 B구역 1열 8번 휠체어석 · 99,000원")
    expect(hall.seat(1, 8)).to_have_attribute("tabindex", "0")
    expect(page.locator(".seats .other")).to_have_count(7)
    expect(page.locator(".area.other")).to_have_count(0)
    filter.click()
    expect(page.locator(".seats .other")).to_have_count(0)
    page.get_by_role("button", name="시야제한석").click()
    expect(page.get_by_role("group", name="1층 A구역 좌석")).to_be_attached()
    expect(page.locator(".area.other")).to_have_count(1)
    press(page, "자동으로 고르기")
    expect(page.get_by_label("시야제한석도 괜찮아요")).to_be_checked()
    expect(page.get_by_label("휠체어석이 필요해요")).not_to_be_checked()


def test_taken_wheelchair_place_stays_in_hall(open_page, api, shown):
    hold(api, join(api), shown, [20, 21])
    page = open_page(Hall.path(shown))
    hall = Hall(page)
    hall.open_area("2층 B")
    taken = page.locator(".seat-dots .others path").first
    expect(taken).to_have_attribute("d", re.compile(r"^M\S+ \S+h0M\S+ \S+h0$"))


def test_companion_needs_wheelchair(open_page, api, shown):
    page, member = open_page(Hall.path(shown)), join(api)
    page.expected = [401]
    hall, button = Hall(page), page.get_by_role("button", name="예매하기")
    reason = "동반석은 같은 구역의 휠체어석과 함께 선택해 주세요."
    hall.open_area("2층 B")
    hall.choose(1, 8)
    hall.open_area("1층 A")
    hall.choose(3, 2)
    expect(hall.alert).to_have_text(reason)
    expect(button).to_be_disabled()
    check_page(page, "kinds-companion")
    hall.choose(3, 1)
    expect(hall.alert).to_be_empty()
    expect(button).to_be_enabled()
    press(page, "1층 A구역 3열 1번 휠체어석 선택 취소")
    expect(hall.alert).to_have_text(reason)
    expect(button).to_be_disabled()
    hall.choose(3, 1)
    button.click()
    log_in_dialog(page, member)
    seats = ["2층 B구역 1열 8번 휠체어석", "1층 A구역 3열 2번 동반석", "1층 A구역 3열 1번 휠체어석"]
    hall.expect_panel("좌석을 잡아 뒀어요", *seats)
    page.goto("/tickets")
    expect(page.locator("main article dd").first).to_contain_text("1층 A구역 3열 2번 동반석")


def ask(page, count, *checked):
    """Opens the choice of best seats, and asks for a number of seats with some of its checks."""
    press(page, "자동으로 고르기")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(f"{count}석").check(force=True)
    for name in checked:
        dialog.get_by_label(name).check()
    return dialog


def test_best_seats_with_wheelchair(open_page, api, shown):
    page, member = open_page("/", "phone"), join(api)
    page.expected = [409]
    log_in(page, member, Hall.path(shown))
    hall = Hall(page)
    dialog = ask(page, 3, "휠체어석이 필요해요")
    expect(dialog.get_by_role("option")).to_contain_text([
        "어디든", "132,000원 · 4석 남음", "99,000원 · 1석 남음", "1층 A구역 132,000원 · 4석 남음", "2층 B구역 99,000원 · 1석 남음"])
    expect(dialog.get_by_label("시야제한석도 괜찮아요")).to_be_hidden()
    check_page(page, "kinds-best-seats")
    dialog.get_by_label("어디에 앉을까요?").select_option("2층 B구역 99,000원 · 1석 남음")
    press(page, "좌석 잡기")
    expect(dialog.get_by_role("alert")).to_have_text(
        "고른 곳에는 휠체어석과 동반석을 합해 3석이 남아 있지 않아요. 다른 구역을 고르거나 좌석 수를 줄여 보세요.")
    dialog.get_by_label("어디에 앉을까요?").select_option("어디든")
    press(page, "좌석 잡기")
    seats = ["2번 동반석", "3번 동반석", "4번 휠체어석"]
    hall.expect_panel("좌석을 잡아 뒀어요", *(f"1층 A구역 3열 {seat}" for seat in seats))


def test_no_companion_beside_wheelchair(open_page, api):
    """The companions' seats are in another row."""
    kinds = {0: "WHEELCHAIR", 20: "COMPANION", 21: "COMPANION"}
    shown, member = register(api, event(1, areas=[area("1층 A", 132_000, 30, 20, kinds)])), join(api)
    page = open_page("/")
    page.expected = [409]
    log_in(page, member, Hall.path(shown))
    dialog = ask(page, 3, "휠체어석이 필요해요")
    press(page, "좌석 잡기")
    expect(dialog.get_by_role("alert")).to_have_text(
        "휠체어석과 나란히 비어 있는 동반석 2석이 없어요. ‘떨어져 앉아도 괜찮아요’를 선택하거나, 좌석 수를 줄여 보세요.")
    dialog.get_by_label("떨어져 앉아도 괜찮아요").check()
    press(page, "좌석 잡기")
    expect(Hall(page).panel.locator(".chosen li")).to_have_count(3)
    release_held(page)
    hold(api, join(api), shown, [0])
    expect(page.get_by_role("button", name="휠체어석")).to_have_text("휠체어석매진")
    ask(page, 1, "휠체어석이 필요해요")
    press(page, "좌석 잡기")
    expect(dialog.get_by_role("alert")).to_contain_text("빈 휠체어석이 없어요.")


def test_best_seats_with_restricted_view(open_page, api):
    """All but one of the seats have a restricted view."""
    restricted = dict.fromkeys(range(1, 8), "RESTRICTED_VIEW")
    shown, member = register(api, event(2, areas=[area("1층 A", 132_000, 8, 20, restricted)])), join(api)
    page = open_page("/")
    page.expected = [409]
    log_in(page, member, Hall.path(shown))
    dialog = ask(page, 2)
    expect(dialog.get_by_role("option", name="1층 A구역")).to_contain_text("1석 남음")
    press(page, "좌석 잡기")
    expect(dialog.get_by_role("alert")).to_contain_text("한 구역에 2석이 남아 있지 않아요.")
    dialog.get_by_label("시야제한석도 괜찮아요").check()
    expect(dialog.get_by_role("option", name="1층 A구역")).to_contain_text("8석 남음")
    press(page, "좌석 잡기")
    expect(Hall(page).panel.locator(".chosen li")).to_contain_text(["시야제한석"])


def test_desk_names_kinds(open_page, api, shown):
    buy(api, join(api), shown, [20, 21, 22])
    page = open_page("/manager")
    enter(page, MANAGER)
    desk = Desk(page, shown, 0)
    expect(desk.sales.locator(".seat-names li")).to_have_text(["1층 A구역 3열 1번 휠체어석", "1층 A구역 3열 2, 3번 동반석"])
    page.get_by_role("button", name="휠체어석").click()
    page.wait_for_timeout(500)
    Hall(page).seat(3, 4).click()
    expect(page.locator(".booking .seat-names li")).to_have_text("1층 A구역 3열 4번 휠체어석")
    check_page(page, "kinds-desk")
