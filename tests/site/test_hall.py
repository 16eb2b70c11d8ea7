"""The hall on all screens: how much of it is in sight, what its texts say, and how often the page asks for free seats."""

import time
from datetime import timedelta
from email.utils import parsedate_to_datetime

import pytest
from playwright.sync_api import expect

from conftest import SCREENS, area, event, register
from pages import Hall, hold, join, log_in, press

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


@pytest.mark.parametrize("screen", SCREENS)
def test_legend_and_zoom_lie_beside_seats(open_page, shown, screen):
    page = open_page(Hall.path(shown), screen)
    frame = frame_of(page)
    expect(page.locator(".legend li")).to_have_text(["선택 가능", "선택함", "내 좌석", "선택 불가"])
    for part in [*page.locator(".legend li").all(), *page.locator(".zoom button").all()]:
        expect(part).to_be_in_viewport(ratio=1)
        assert part.bounding_box()["y"] >= frame["y"] + frame["height"]


def test_names_of_sections_come_first(open_page, api):
    """Each name is legible and has its number of free seats below it, if there is room; a narrow section has no name."""
    wide, narrow = area("1층 가", 132_000, 30, 20), area("1층 나", 99_000, 4, 20)
    for seat in narrow["seats"]:
        seat["cx"] += 400
    drawing = '<svg viewBox="0 0 2400 1800"><rect width="2400" height="1800" fill="#eef2f7"/></svg>'
    far = {**area("358", 77_000, 12, 20), "areaMap": "<g/>"}
    far["seats"] = [{**seat, "cx": 1800 + seat["cx"], "cy": 900 + seat["cy"]} for seat in far["seats"]]
    page = open_page(Hall.path(register(api, event(totalMap=drawing, areas=[wide, narrow, far]))))
    names = page.locator(".area-name:not([hidden])")
    expect(names.locator("tspan:first-child")).to_have_text(["1층 가", "358"])
    name, count = names.first.locator("tspan").all()
    expect(count).to_have_text("30석")
    heights = [round(text.evaluate("text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a")) for text in (name, count)]
    assert heights[0] > heights[1] >= 11, heights
    page.locator("hall-map .frame").focus()
    for _ in range(4):
        page.keyboard.press("+")
    page.wait_for_timeout(300)
    expect(page.locator(".area-name:not([hidden])")).to_have_count(0)


def test_rows_and_numbers_of_seats(open_page, api):
    """Names of rows lie on no seat of two areas that are close together, and seats that are large have numbers."""
    left, right = area("왼쪽", 132_000, 30, 20), area("오른쪽", 132_000, 30, 20)
    for seat in right["seats"]:
        seat["cx"] += 10 * 24 + 14
    page = open_page(Hall.path(register(api, event(totalMap='<svg viewBox="0 0 600 200"/>', areas=[left, right]))), "phone")
    hall, texts = Hall(page), page.locator(".rows text")
    boxes = "texts => texts.map(text => text.getBBox()).map(({ x, y, width, height }) => [x, y, x + width, y + height])"
    for name in ("왼쪽", "오른쪽"):
        hall.open_area(name)
        expect(texts).to_have_text(["1열", "2열", "3열"])
        for left_side, top, right_side, bottom in texts.evaluate_all(boxes):
            for seat in [*left["seats"], *right["seats"]]:
                near = [max(left_side, min(right_side, seat["cx"])), max(top, min(bottom, seat["cy"]))]
                assert abs(near[0] - seat["cx"]) + abs(near[1] - seat["cy"]) >= 10, (name, near, seat)
    numbers = page.locator(".numbers-of-seats text")
    expect(numbers).to_have_count(0)
    for _ in range(3):
        press(page, "확대")
    page.wait_for_timeout(300)
    expect(numbers.first).to_be_visible()
    height = numbers.first.evaluate("text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a")
    assert height >= 11, height


def test_countdown_begins_at_ten_minutes(open_page, api, shown):
    """The service rounds the end of a hold up and its date down, so that they are up to 601 seconds apart."""
    page = open_page("/")
    log_in(page, join(api), Hall.path(shown))
    hall = Hall(page)

    def change(route):
        response = route.fetch()
        body = response.json()
        end = parsedate_to_datetime(response.headers["date"]) + timedelta(seconds=601)
        body["data"]["expiresAt"] = end.isoformat()
        route.fulfill(response=response, json=body)

    page.route("**/dates/*/holds", change)
    hall.open_area("1층 A")
    hall.choose(1, 1)
    page.clock.install()
    page.clock.pause_at(time.time() + 1)
    press(page, "예매하기")
    expect(page.get_by_role("timer")).to_have_text("10:00 안에 결제해 주세요")


def test_idle_page_asks_rarely(open_page, api, shown):
    """In ten minutes without an action: each 2 seconds in the first, each 10 until the fifth, then each 30."""
    page, paths = open_page("/"), []
    page.clock.install()
    page.goto(Hall.path(shown))
    Hall(page)
    page.on("request", lambda request: request.url.endswith("/availability") and paths.append(request.url))

    def pass_seconds(seconds):
        paths.clear()
        for _ in range(seconds // 2):
            page.clock.run_for(2_000)
            page.wait_for_timeout(20)  # the response, without which a slow machine asks even less often
        return len(paths)

    assert 10 <= pass_seconds(60) <= 30
    assert 10 <= pass_seconds(240) <= 25
    assert 5 <= pass_seconds(300) <= 11
    page.mouse.move(300, 300)
    assert 2 <= pass_seconds(10) <= 6
    hide = "isHidden => { Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });" \
           "document.dispatchEvent(new Event('visibilitychange')) }"
    page.evaluate(hide, True)
    assert pass_seconds(60) <= 1
    with page.expect_request("**/availability"):
        page.evaluate(hide, False)


def test_buttons_are_busy_on_slow_networks(open_page, api, shown):
    """A second press sends no second request, and the focus stays until the response."""
    page, waiting = open_page("/"), []
    log_in(page, join(api), Hall.path(shown))
    hall = Hall(page)
    page.route("**/practice/**", lambda route: waiting.append(route))
    page.route("**/dates/*/holds**", lambda route: route.continue_() if route.request.method == "GET" else waiting.append(route))

    def go_on():
        while not waiting:
            page.wait_for_timeout(20)
        request, = waiting
        request.continue_()

    def expect_busy(name, title, answer=None):
        waiting.clear()
        button = page.get_by_role("button", name=name, exact=True)
        button.press("Enter")
        if answer:
            press(page, answer)
        expect(button).to_have_attribute("aria-busy", "true")
        button.press("Enter")
        expect(button).to_be_focused()
        expect(button).to_have_attribute("aria-disabled", "true")
        go_on()
        expect(hall.panel.get_by_role("heading", level=2)).to_have_text(title)
        expect(page.locator("[aria-busy=true]")).to_have_count(0)

    hall.open_area("1층 A")
    hall.choose(1, 1)
    expect_busy("예매하기", "좌석을 잡아 뒀어요")
    expect_busy("선점 취소", "선택한 좌석", "선점 취소하기")
    press(page, "자동으로 고르기")
    waiting.clear()
    for _ in range(2):
        page.get_by_role("button", name="좌석 잡기").press("Enter")
    expect(page.locator("form[aria-busy=true]")).to_be_visible()
    go_on()
    expect(hall.panel.get_by_role("heading", level=2)).to_have_text("좌석을 잡아 뒀어요")
    waiting.clear()
    pay = page.get_by_role("button", name="결제하기(연습)")
    for _ in range(2):
        pay.press("Enter")
    expect(pay).to_have_attribute("aria-busy", "true")
    go_on()
    expect(page.get_by_role("heading", level=1)).to_have_text("예매 완료")


def test_worker_that_fails_is_told(open_page, shown):
    page = open_page("/")
    page.expected = ["net::ERR_FAILED"]
    page.route("**/detail.worker.js", lambda route: route.abort())
    page.goto(Hall.path(shown))
    expect(page.get_by_role("alert")).to_have_text("서비스에 연결하지 못했어요. 잠시 후 다시 시도해 주세요.")
    page.unroute("**/detail.worker.js")
    press(page, "다시 시도")
    Hall(page).open_area("1층 A")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_are_legible(open_page, api, scheme):
    """Seats of nine prices, their numbers, and the marks of their states, on the ground of the hall."""
    areas = [area(f"{number}구", 10_000 * number, 4, 20 + 100 * (number - 1)) for number in range(1, 10)]
    shown = register(api, event(totalMap='<svg viewBox="0 0 400 1000"/>', areas=areas))
    hold(api, join(api), shown, [0])
    page = open_page(Hall.path(shown), color_scheme=scheme)
    hall = Hall(page)
    contrast = """([[one, name], [other, otherName]]) => {
        const paper = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        const luminance = (element, property) => {
            paper.fillStyle = getComputedStyle(document.querySelector(element))[property];
            paper.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...paper.getImageData(0, 0, 1, 1).data].map(value => (value / 255 + 0.055) / 1.055).map(value => value ** 2.4);
            return 0.05 + 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const [low, high] = [luminance(one, name), luminance(other, otherName)].sort((a, b) => a - b);
        return high / low;
    }"""
    free, ground = ["[data-seat='1']", "fill"], ["hall-map", "backgroundColor"]
    taken = [["[data-seat='0'][data-state=taken]", "fill"], [".mark[data-state=taken]", "stroke"]]
    assert page.evaluate(contrast, [ground, ["body", "backgroundColor"]]) < 1.2
    for number in range(1, 10):
        hall.open_area(f"{number}구")
        page.wait_for_timeout(500)
        assert page.evaluate(contrast, [free, ground]) >= 3, number
        assert page.evaluate(contrast, [free, [".numbers-of-seats text", "fill"]]) >= 4.5, number
        if number == 1:
            assert page.evaluate(contrast, taken) >= 3
    hall.choose(1, 2)
    chosen = ["[data-seat='1'][data-state=chosen]", "fill"]
    assert page.evaluate(contrast, [chosen, [".mark[data-state=chosen]", "stroke"]]) >= 4.5
    assert page.evaluate(contrast, [chosen, ground]) >= 4.5


def test_turned_phone_keeps_its_seats(open_page, shown):
    page = open_page(Hall.path(shown), "phone")
    hall = Hall(page)
    hall.open_area("2층 B")
    page.wait_for_timeout(500)
    before = hall.seat(1, 1).bounding_box()
    for screen in ("landscape", "phone"):
        page.set_viewport_size(SCREENS[screen])
        expect_in_frame(page, hall.seat(2, 5))
    assert hall.seat(1, 1).bounding_box() == pytest.approx(before, abs=1)
