"""The hall on all screens: how much of it is in sight, what its texts say, and how often the page asks for free seats."""

import pytest
from playwright.sync_api import expect

from conftest import SCREENS, area, event, register
from pages import Hall, join, log_in, press

KINDS = {20: "WHEELCHAIR", 21: "COMPANION", 24: "RESTRICTED_VIEW"}


@pytest.fixture
def shown(api):
    return register(api, event(areas=[area("1층 A", 132_000, 30, 20, KINDS), area("2층 B", 99_000, 20, 200)]))


def frame_of(page):
    return page.locator("hall-map .frame").bounding_box()


def expect_in_frame(page, seat):
    page.wait_for_timeout(700)  # the flight to the seat
    frame, box = frame_of(page), seat.bounding_box()
    assert frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"], (frame, box)
    assert frame["y"] <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"], (frame, box)


@pytest.mark.parametrize("screen", SCREENS)
def test_held_seats_are_in_sight(open_page, api, shown, screen):
    """The hall stays large in every state of the panel, whose main button stays in sight, and nothing is cut off."""
    page = open_page("/", screen)
    log_in(page, join(api), Hall.path(shown))
    hall, height = Hall(page), page.viewport_size["height"]

    def expect_room(button):
        frame, panel = frame_of(page), hall.panel.bounding_box()
        assert frame["height"] >= (200 if screen == "landscape" else 0.44 * height), frame
        beside, below = panel["x"] >= frame["x"] + frame["width"], panel["y"] >= frame["y"] + frame["height"]
        assert below if screen == "phone" else beside, (frame, panel)
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
        expect(page.get_by_role("button", name=button, exact=True)).to_be_in_viewport(ratio=1)

    expect_room("자동으로 고르기")
    hall.open_area("1층 A")
    for number in (1, 2):
        hall.choose(1, number)
    hall.open_area("2층 B")
    for number in (1, 2):
        hall.choose(2, number)
    expect_room("예매하기")
    press(page, "전체 보기")
    press(page, "예매하기")
    expect(hall.panel.get_by_role("heading", level=2)).to_have_text("좌석을 잡아 뒀어요")
    for _ in range(2):
        expect_in_frame(page, hall.seat(1, 1))
        expect(page.locator(".seat-dots .own path").nth(1)).to_have_attribute("d", "M20 224h0M44 224h0")
        expect_room("결제하기(연습)")
        page.reload()
        hall = Hall(page)
    press(page, "결제하기(연습)")
    expect(hall.panel.get_by_role("heading", level=2)).to_have_text("예매를 마쳤어요")
    expect_room("예매 취소")


@pytest.mark.parametrize("screen", SCREENS)
def test_legend_and_zoom_lie_beside_seats(open_page, shown, screen):
    page = open_page(Hall.path(shown), screen)
    frame = frame_of(page)
    expect(page.locator(".legend li")).to_have_text(["선택 가능", "선택함", "내 좌석", "선택 불가"])
    for part in [*page.locator(".legend li").all(), *page.locator(".zoom button").all()]:
        expect(part).to_be_in_viewport(ratio=1)
        assert part.bounding_box()["y"] >= frame["y"] + frame["height"]
