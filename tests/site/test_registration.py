"""A manager registers events in steps: with a hall from a drawing tool, generated rows, and the hall of another event."""

import math
import re

from playwright.sync_api import expect

from conftest import MANAGER, POSTER, check_page, event, register
from pages import expect_error, press

HEADERS = {"x-api-managerId": MANAGER}
MATRICES = ["translate(40,60)", "matrix(0.9659258,-0.258819,0.258819,0.9659258,20,150)", "translate(190,90) rotate(15) scale(1.2)",
            "translate(52,190) scale(0.9)"]


def inkscape(extra=""):
    """Returns the file of a hall in millimetres with 500 seats in four layers, each of which has a transform."""
    circle = '<circle\n         style="fill:#4338ca;stroke:none"\n         id="c{0}{1}"\n         cx="{2}"\n         cy="{3}"\n         r="1.6" />'
    layers = "".join(
        f'\n  <g\n     inkscape:groupmode="layer"\n     id="layer{layer + 2}"\n     inkscape:label="{label}"\n     transform="{matrix}">'
        f'\n    <g\n       id="g{layer}77"\n       transform="translate(2,3)">'
        + "".join("\n      " + circle.format(layer, n, 5 * (n % 25), 6 * (n // 25)) for n in reversed(range(125)))
        + "\n    </g>\n  </g>"
        for layer, (label, matrix) in enumerate(zip(["1층 A구역", "1층 B구역", "1층 C구역", "2층"], MATRICES)))
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg
   width="420mm"
   height="297mm"
   viewBox="0 0 420 297"
   version="1.1"
   id="svg5"
   inkscape:version="1.3.2 (091e20e, 2023-11-25)"
   sodipodi:docname="hall.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg"
   xmlns:svg="http://www.w3.org/2000/svg">
  <sodipodi:namedview
     id="namedview7"
     pagecolor="#ffffff"
     inkscape:document-units="mm" />
  <defs
     id="defs2"><clipPath id="clip"><circle cx="1" cy="1" r="1" /></clipPath></defs>
  <g
     inkscape:label="무대"
     inkscape:groupmode="layer"
     id="layer1">
    <rect
       style="fill:#343a40"
       id="stage"
       width="150"
       height="24"
       x="135"
       y="10" />{extra}
  </g>{layers}
</svg>
"""


class Registration:
    """Page `/manager/new`."""

    def __init__(self, page):
        self.page = page
        page.get_by_label("관리자 ID 또는 토큰").fill(MANAGER)
        press(page, "공연 관리 시작하기")
        self.expect_step("1. 내용")

    def expect_step(self, title):
        expect(self.page.get_by_role("heading", level=2)).to_have_text(title)

    def fill(self, **fields):
        for label, text in fields.items():
            self.page.get_by_label(label, exact=True).fill(text)

    def next(self, title):
        press(self.page, "다음")
        self.expect_step(title)

    def fill_until_hall(self, title):
        self.fill(제목=title, 출연자="잔나비", 장소="물빛극장", 설명="봄밤의 콘서트예요.")
        self.page.get_by_label("포스터", exact=True).set_input_files(POSTER)
        self.next("2. 일정")
        self.fill(**{"공연 공개": "2030-01-01T10:00", "예매 시작": "2030-01-02T20:00", "공연 일시 1회": "2099-04-27T19:30"})
        self.next("3. 공연장")

    def area(self, number):
        return self.page.get_by_role("group", name=f"구역 {number}", exact=True)

    def price(self, *prices):
        for number, price in enumerate(prices, 1):
            self.area(number).get_by_label("가격(원)").fill(price)

    def choose_file(self, text):
        self.page.get_by_label("도면 파일", exact=True).set_input_files({"name": "hall.svg", "mimeType": "image/svg+xml", "buffer": text.encode()})

    def register(self, notice):
        """Registers the event, and returns its id."""
        press(self.page, "공연 등록하기")
        expect(self.page.get_by_role("heading", level=1)).to_have_text(notice)
        return self.page.get_by_role("link", name="공연 관리하기").get_attribute("href").split("/")[-1]


def read(api, event_id):
    return api.get(f"/api/v1/managers/me/events/{event_id}", headers=HEADERS).json()["data"]


def test_inkscape_hall(open_page, api):
    """The drawing has a filter at first, and the title is too long."""
    page = open_page("/manager/new")
    page.expected = [400]
    check_page(page, "registration-entry")
    registration = Registration(page)
    press(page, "다음")
    expect_error(page.get_by_label("제목", exact=True), "입력해 주세요.")
    check_page(page, "registration-content-errors")
    registration.fill_until_hall("가" * 101)
    page.go_back()
    registration.expect_step("2. 일정")
    check_page(page, "registration-schedule")
    press(page, "이전")
    check_page(page, "registration-content")
    for title in ["2. 일정", "3. 공연장"]:
        registration.next(title)
    check_page(page, "registration-hall-empty")
    registration.choose_file(inkscape('\n    <filter id="shadow"><feGaussianBlur stdDeviation="1" /></filter>'))
    expect(page.locator("figcaption")).to_have_text("구역 4개 · 좌석 500석")
    registration.price("132,000", "132000", "99000", "55,000")
    check_page(page, "registration-drawing")
    registration.next("4. 확인")
    check_page(page, "registration-summary")
    press(page, "공연 등록하기")
    registration.expect_step("1. 내용")
    title = page.get_by_label("제목", exact=True)
    expect(title).to_be_focused()
    title.fill("도면으로 만든 공연")
    for step in ["2. 일정", "3. 공연장", "4. 확인"]:
        registration.next(step)
    press(page, "공연 등록하기")
    registration.expect_step("3. 공연장")
    expect(page.locator(".faults code")).to_have_text('<filter id="shadow"><feGaussianBlur stdDeviation="1" /></filter>')
    check_page(page, "registration-faults")
    registration.choose_file(inkscape())
    registration.next("4. 확인")
    draft = registration.register("공연을 비공개로 등록했어요")
    check_page(page, "registration-done")
    assert api.patch(f"/api/v1/events/{draft}", headers=HEADERS, data={"published": True}).ok
    areas = api.get(f"/api/v1/events/{draft}/detail").json()["data"]["areas"]
    assert [(a["label"], a["price"], len(a["seats"])) for a in areas] == [
        ("1층 A", 132_000, 125), ("1층 B", 132_000, 125), ("1층 C", 99_000, 125), ("2층", 55_000, 125)]
    # The seat at column 4 and row 2 of a layer, as its transforms mean it.
    x, y, angle = 5 * 4 + 2, 6 * 2 + 3, math.radians(15)
    turned = [[.9659258 * x + .258819 * y + 20, -.258819 * x + .9659258 * y + 150],
              [190 + 1.2 * (x * math.cos(angle) - y * math.sin(angle)), 90 + 1.2 * (x * math.sin(angle) + y * math.cos(angle))]]
    for area, place in zip(areas[1:3], turned):
        seat = next(s for s in area["seats"] if (s["row"], s["number"]) == (3, 5))
        assert math.dist((seat["cx"], seat["cy"]), place) < .01, (seat, place)
    page.goto(f"/events/{draft}")
    page.wait_for_function("() => document.querySelector('.seat-map img').naturalWidth > 0")
    check_page(page, "registration-event")


def test_generated_rows(open_page, api):
    page = open_page("/manager/new", "phone")
    registration = Registration(page)
    registration.fill_until_hall("좌석을 만든 공연")
    press(page, "좌석 만들기")
    press(page, "다음")
    expect_error(registration.area(1).get_by_label("가격(원)"), "입력해 주세요.")
    press(page, "구역 추가")
    press(page, "구역 추가")
    for number, (label, rows, seats) in enumerate([("A & <B>", 4, 12), ("C", 3, 10)], 1):
        for name, text in [("구역 이름", label), ("열 수", str(rows)), ("열당 좌석", str(seats))]:
            registration.area(number).get_by_label(name, exact=True).fill(text)
    registration.area(3).get_by_role("button").click()
    registration.area(2).get_by_label("위치").select_option("뒤")
    registration.price("99,000원", "50000.5")
    expect(page.locator("figcaption")).to_have_text("구역 2개 · 좌석 78석")
    check_page(page, "registration-rows")
    registration.next("4. 확인")
    page.get_by_label("바로 공개").check()
    shown = registration.register("공연을 공개했어요")
    areas = api.get(f"/api/v1/events/{shown}/detail").json()["data"]["areas"]
    assert [(a["label"], a["price"], len(a["seats"])) for a in areas] == [("A & <B>", 99_000, 48), ("C", 50_000.5, 30)]
    assert max(s["cy"] for s in areas[0]["seats"]) < min(s["cy"] for s in areas[1]["seats"])


def test_hall_of_another_event(open_page, api):
    original = register(api, event(title="원래 공연"), HEADERS)
    page = open_page("/manager")
    page.get_by_label("관리자 ID 또는 토큰").fill(MANAGER)
    press(page, "공연 관리 시작하기")
    page.get_by_role("link", name="공연 등록").click()
    page.wait_for_load_state("networkidle")
    registration = Registration.__new__(Registration)
    registration.page = page
    registration.fill_until_hall("물려받은 공연")
    press(page, "내 공연에서 가져오기")
    page.get_by_label("공연", exact=True).select_option(original["id"])
    expect(registration.area(2).get_by_label("가격(원)")).to_have_value("99,000.5")
    registration.area(1).get_by_label("구역 이름").fill("앞자리")
    registration.price("150000")
    check_page(page, "registration-copy")
    registration.next("4. 확인")
    copy, original = read(api, registration.register("공연을 비공개로 등록했어요")), read(api, original["id"])
    assert [(a["label"], a["price"]) for a in copy["areas"]] == [("앞자리", 150_000), ("2층 B", 99_000.5)]
    drop = lambda a: [{**s, "id": "", "areaId": ""} for s in a["seats"]]
    assert copy["totalMap"] == original["totalMap"] and list(map(drop, copy["areas"])) == list(map(drop, original["areas"]))
