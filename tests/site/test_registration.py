"""A manager registers events in steps: with a hall from a drawing tool, generated rows, and the hall of another event."""

import json
import math
import re

from playwright.sync_api import expect

from conftest import MANAGER, POSTER, area, check_page, event, register
from pages import expect_error, press

HEADERS = {"x-api-managerId": MANAGER}
LAYERS = {
    "1층 A구역": "translate(136,60)",
    "1층 B구역": "matrix(0.9659258,0.258819,-0.258819,0.9659258,14,40)",
    "1층 C구역": "translate(280,75) rotate(-15) scale(0.9)",
    "2층": "translate(150,160) scale(0.9)",
}
FILTER = '<filter id="shadow"><feGaussianBlur stdDeviation="1" /></filter>'
INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/): an <svg> of <circle cx="1"> -->
<svg
   width="420mm"
   height="297mm"
   viewBox="0 0 420 297"
   id="svg5"
   inkscape:version="1.3.2 (091e20e, 2023-11-25)"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg">
  <sodipodi:namedview
     id="namedview7"
     inkscape:document-units="mm" />
  <defs id="defs2"><clipPath id="clip"><circle cx="1" cy="1" r="1" /></clipPath></defs>
  <rect
     style="fill:#343a40"
     width="150" height="24" x="135" y="10" />
"""
CIRCLE = '      <circle\n         style="fill:#4338ca;stroke:none"\n         id="c{}{}"\n         cx="{}"\n         cy="{}"\n         r="1.6" />\n'


def inkscape(extra=""):
    """Returns the file of a hall in millimetres with 500 seats in four layers, each of which has a transform.

    The last layer has a group for each of its curved rows.
    """
    text = f"{INKSCAPE}  {extra}\n"
    for layer, (label, transform) in enumerate(LAYERS.items()):
        text += f'  <g\n     inkscape:groupmode="layer"\n     inkscape:label="{label}"\n     transform="{transform}">\n'
        curve, size = (.1, 25) if layer == 3 else (0, 125)
        for start in reversed(range(0, 125, size)):
            text += f'    <g\n       id="g{layer}{start}"\n       transform="translate(2,3)">\n'
            for n in reversed(range(start, start + size)):
                text += CIRCLE.format(layer, n, 5 * (n % 25), 6 * (n // 25) - curve * (n % 25 - 12) ** 2)
            text += "    </g>\n"
        text += "  </g>\n"
    return f"{text}</svg>\n"


class Registration:
    """Page of a registration."""

    def __init__(self, page):
        self.page = page
        page.get_by_label("관리자 ID 또는 토큰").fill(MANAGER)
        press(page, "공연 관리 시작하기")

    def expect_step(self, title):
        expect(self.page.get_by_role("heading", level=2)).to_have_text(title)

    def fill(self, fields):
        for label, text in fields.items():
            self.page.get_by_label(label, exact=True).fill(text)

    def next(self, *titles):
        for title in titles:
            press(self.page, "다음")
            self.expect_step(title)

    def fill_until_hall(self, title):
        self.fill({"제목": title, "출연자": "잔나비", "장소": "물빛극장", "설명": "봄밤의 콘서트예요."})
        self.page.get_by_label("포스터", exact=True).set_input_files(POSTER)
        self.next("2. 일정")
        self.fill({"공연 공개": "2030-01-01T10:00", "예매 시작": "2030-01-02T20:00", "공연 일시 1회": "2099-04-27T19:30"})
        self.next("3. 공연장")

    def choose_file(self, text):
        file = {"name": "hall.svg", "mimeType": "image/svg+xml", "buffer": text.encode()}
        self.page.get_by_label("도면 파일", exact=True).set_input_files(file)

    def area(self, number):
        return self.page.get_by_role("group", name=f"구역 {number}", exact=True)

    def edit(self, number, **fields):
        for label, text in fields.items():
            self.area(number).get_by_label(label.replace("_", " ")).fill(text)

    def register(self, notice):
        press(self.page, "공연 등록하기")
        expect(self.page.get_by_role("heading", level=1)).to_have_text(notice)
        event_id = self.page.get_by_role("link", name="공연 관리하기").get_attribute("href").split("/")[-1]
        return self.page.request.get(f"/api/v1/managers/me/events/{event_id}", headers=HEADERS).json()["data"]


def areas(event):
    return [(area["label"], area["price"], len(area["seats"])) for area in event["areas"]]


def kinds_of(event):
    """Returns the rows and numbers of the seats of each area that have a kind."""
    return [{(seat["row"], seat["number"]): seat["kind"] for seat in area["seats"] if "kind" in seat} for area in event["areas"]]


def test_inkscape_hall(open_page, api):
    """At first the title is too long, and the drawing has a filter."""
    page = open_page("/manager/new")
    page.expected = [400, 409]
    check_page(page, "registration-entry")
    registration = Registration(page)
    press(page, "다음")
    title = page.get_by_label("제목", exact=True)
    expect_error(title, "입력해 주세요.")
    check_page(page, "registration-content")
    age, poster = page.get_by_label("관람 연령 (선택)"), page.get_by_label("포스터", exact=True)
    age.fill("여덟")
    poster.set_input_files({"name": "poster.png", "mimeType": "image/png", "buffer": b"text"})
    expect_error(poster, "이미지로 열 수 없는 파일이에요. 다른 파일을 골라 주세요.")
    press(page, "다음")
    expect_error(age, "숫자로 입력해 주세요.")
    expect_error(poster, "이미지로 열 수 없는 파일이에요. 다른 파일을 골라 주세요.")
    age.fill("")
    registration.fill_until_hall("가" * 101)
    page.go_back()
    registration.expect_step("2. 일정")
    check_page(page, "registration-schedule")
    registration.next("3. 공연장")
    registration.choose_file(inkscape(FILTER))
    expect(page.locator("figcaption")).to_have_text("구역 4개 · 좌석 500석")
    for number, price in enumerate(["132,000", "132000원", "99000", "55000"], 1):
        registration.edit(number, 가격=price)
    check_page(page, "registration-drawing")
    registration.next("4. 확인")
    check_page(page, "registration-summary")
    press(page, "공연 등록하기")
    registration.expect_step("1. 내용")
    expect(title).to_be_focused()
    expect_error(title, "100자 이하여야 합니다.")
    title.fill("도면으로 만든 공연")
    registration.next("2. 일정", "3. 공연장", "4. 확인")
    press(page, "공연 등록하기")
    registration.expect_step("3. 공연장")
    expect(page.locator(".faults code")).to_have_text(FILTER)
    check_page(page, "registration-faults")
    registration.choose_file(inkscape())
    registration.next("4. 확인")
    draft = registration.register("공연을 비공개로 등록했어요")
    check_page(page, "registration-done")
    assert areas(draft) == [("1층 A", 132_000, 125), ("1층 B", 132_000, 125), ("1층 C", 99_000, 125), ("2층", 55_000, 125)]
    assert all((a["seats"][-1]["row"], a["seats"][-1]["number"]) == (5, 25) for a in draft["areas"])
    # The seat in row 3 with number 5, where the transforms of its layer and its group put it.
    x, y, cos, sin = 5 * 4 + 2, 6 * 2 + 3, math.cos(math.pi / 12), math.sin(math.pi / 12)
    places = [(cos * x - sin * y + 14, sin * x + cos * y + 40), (.9 * (cos * x + sin * y) + 280, .9 * (cos * y - sin * x) + 75)]
    for area, place in zip(draft["areas"][1:3], places):
        seat = next(seat for seat in area["seats"] if (seat["row"], seat["number"]) == (3, 5))
        assert math.dist((seat["cx"], seat["cy"]), place) < .01, (seat, place)
    assert api.patch(f"/api/v1/events/{draft['id']}", headers=HEADERS, data={"published": True}).ok
    page.goto(f"/events/{draft['id']}/shows/{draft['eventDatetimes'][0]['id']}")
    expect(page.get_by_role("group", name="가격")).to_contain_text("250석")
    check_page(page, "registration-seats")


def test_generated_rows(open_page):
    page = open_page("/manager/new", "phone")
    page.expected = [409]
    registration = Registration(page)
    registration.fill_until_hall("좌석을 만든 공연")
    press(page, "좌석 만들기")
    press(page, "다음")
    expect_error(registration.area(1).get_by_label("가격(원)"), "입력해 주세요.")
    registration.edit(1, 가격="무료")
    press(page, "다음")
    expect_error(registration.area(1).get_by_label("가격(원)"), "숫자로 입력해 주세요.")
    press(page, "구역 추가")
    press(page, "구역 추가")
    registration.edit(1, 구역_이름="A & <B>", 가격="99,000원", 열_수="4", 열당_좌석="12")
    registration.edit(2, 구역_이름="C", 가격="50000.5", 열_수="3", 열당_좌석="10")
    registration.area(2).get_by_label("위치").select_option("뒤")
    press(registration.area(3), "구역 3 삭제")
    expect(page.locator("figcaption")).to_have_text("구역 2개 · 좌석 78석")
    check_page(page, "registration-rows")
    registration.next("4. 확인")
    page.get_by_label("바로 공개").check()
    shown = registration.register("공연을 공개했어요")
    assert areas(shown) == [("A & <B>", 99_000, 48), ("C", 50_000.5, 30)]
    front, back = ([seat["cy"] for seat in area["seats"]] for area in shown["areas"])
    assert max(front) < min(back)


def test_hall_of_another_event(open_page, api):
    original = register(api, event(title="물려받은 공연", place="물빛극장", eventDatetimes=["2099-04-27T19:30:00+09:00"]), HEADERS)
    page = open_page("/manager")
    page.expected = [409]
    registration = Registration(page)
    page.get_by_role("link", name="공연 등록").click()
    registration.fill_until_hall("물려받은 공연")
    press(page, "내 공연에서 가져오기")
    page.get_by_label("공연", exact=True).select_option(original["id"])
    expect(registration.area(2).get_by_label("가격(원)")).to_have_value("99,000.5")
    registration.edit(1, 구역_이름="앞자리", 가격="150000")
    check_page(page, "registration-copy")
    registration.next("4. 확인")
    # There is such an event at this time.
    press(page, "공연 등록하기")
    registration.expect_step("2. 일정")
    registration.fill({"공연 일시 1회": "2099-04-28T19:30"})
    registration.next("3. 공연장", "4. 확인")
    copy = registration.register("공연을 비공개로 등록했어요")
    assert areas(copy) == [("앞자리", 150_000, 30), ("2층 B", 99_000.5, 2)] and copy["totalMap"] == original["totalMap"]


ILLUSTRATOR = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200">
<style>.st0{{fill:#4338ca}}</style>
<g id="_x31_층_A">
{}
<g id="_xD720__xCCB4__xC5B4__xC11D_">{}</g>
<g id="companion-2" data-name="companion">{}</g>
</g>
<g id="B구역">{}
<circle id="Restricted_View_1_" class="st0" cx="20" cy="120" r="8"/>
<circle class="restricted-view" cx="20" cy="140" r="8"/>
</g></svg>"""


def circles(*places):
    return "\n".join(f'<circle class="st0" cx="{x}" cy="{y}" r="8"/>' for x, y in places)


def test_kinds_of_drawings(open_page):
    """Objects and groups have the names of kinds, as Illustrator and Inkscape write them."""
    page = open_page("/manager/new")
    registration = Registration(page)
    registration.fill_until_hall("종류가 있는 도면")
    labels = {20: "휠체어석", 40: "휠체어 동반석", 60: "동반석"}
    seats = "".join(
        f'<g id="g{y}">' + "".join(f'<circle inkscape:label="{labels.get(x, "") if y == 40 else ""}" id="c{x}{y}" cx="{x}" cy="{y}" r="8"/>'
                                 for x in range(20, 120, 20)) + "</g>" for y in (20, 40))
    registration.choose_file(f'{INKSCAPE}<g inkscape:label="A구역">{seats}</g></svg>')
    expect(page.locator("figcaption")).to_have_text("구역 1개 · 좌석 10석 · 휠체어석 1석 · 동반석 2석")
    front = [(x, 20) for x in range(20, 120, 20)]
    registration.choose_file(ILLUSTRATOR.format(
        circles(*front), circles((20, 40), (60, 40)), circles((40, 40)), circles((40, 120), (40, 140))))
    expect(page.locator("figcaption")).to_have_text("구역 2개 · 좌석 12석 · 휠체어석 2석 · 동반석 1석 · 시야제한석 2석")
    for number in (1, 2):
        registration.edit(number, 가격="99000")
    check_page(page, "kinds-drawing")
    registration.next("4. 확인")
    draft = registration.register("공연을 비공개로 등록했어요")
    assert [area["label"] for area in draft["areas"]] == ["1층 A", "B"]
    assert kinds_of(draft) == [
        {(2, 1): "WHEELCHAIR", (2, 2): "COMPANION", (2, 3): "WHEELCHAIR"},
        {(1, 1): "RESTRICTED_VIEW", (2, 1): "RESTRICTED_VIEW"},
    ]


def test_kinds_of_rows(open_page):
    page = open_page("/manager/new")
    registration = Registration(page)
    registration.fill_until_hall("종류가 있는 열")
    press(page, "좌석 만들기")
    registration.edit(1, 가격="99000", 열_수="4", 열당_좌석="12")
    field = registration.area(1).get_by_label("휠체어석·동반석·시야제한석")
    for text, reason in [
        ("4열 1번", "‘10열 1, 3번 휠체어석’처럼 적어 주세요."),
        ("5열 1번 휠체어석", "이 구역에는 4열 12번까지 있어요."),
        ("4열 1, 13번 휠체어석", "이 구역에는 4열 12번까지 있어요."),
    ]:
        field.fill(text)
        press(page, "다음")
        expect(field).to_have_accessible_description(re.compile(f"{re.escape(reason)}$"))
    field.fill("4열 1, 4번 휠체어석, 4열 2~3번 동반석, 1-2, 4열 12번 시야제한석")
    expect(page.locator("figcaption")).to_have_text("구역 1개 · 좌석 48석 · 휠체어석 2석 · 동반석 2석 · 시야제한석 3석")
    check_page(page, "kinds-rows")
    registration.next("4. 확인")
    draft = registration.register("공연을 비공개로 등록했어요")
    kinds = {(4, 1): "WHEELCHAIR", (4, 2): "COMPANION", (4, 3): "COMPANION", (4, 4): "WHEELCHAIR"}
    assert kinds_of(draft) == [{**kinds, **dict.fromkeys([(1, 12), (2, 12), (4, 12)], "RESTRICTED_VIEW")}]


def test_hall_of_another_event_keeps_kinds(open_page, api):
    kinds = {1: "RESTRICTED_VIEW", 8: "WHEELCHAIR", 9: "COMPANION"}
    shown = register(api, event(title="함께 보는 공연", areas=[area("1층 A", 132_000, 12, 20, kinds)]), HEADERS)
    page = open_page("/manager/new")
    registration = Registration(page)
    registration.fill_until_hall("함께 보는 앙코르")
    press(page, "내 공연에서 가져오기")
    page.get_by_label("공연", exact=True).select_option(shown["id"])
    expect(page.locator("figcaption")).to_contain_text("휠체어석 1석 · 동반석 1석 · 시야제한석 1석")
    registration.next("4. 확인")
    assert kinds_of(registration.register("공연을 비공개로 등록했어요")) == kinds_of(shown)


def test_registration_without_kinds_sends_none(open_page):
    page = open_page("/manager/new")
    registration = Registration(page)
    registration.fill_until_hall("종류가 없는 공연")
    press(page, "좌석 만들기")
    registration.edit(1, 가격="99000", 열_수="2", 열당_좌석="3")
    registration.next("4. 확인")
    parts = page.evaluate_handle("""() => {
      const parts = [], { append } = FormData.prototype;
      FormData.prototype.append = function (name, value) { parts.push(value); return append.call(this, name, value); };
      return parts;
    }""")
    registration.register("공연을 비공개로 등록했어요")
    seats = json.loads(parts.evaluate("([request]) => request.text()"))["areas"][0]["seats"]
    assert [sorted(seat) for seat in seats] == [["cx", "cy", "number", "row"]] * 6
