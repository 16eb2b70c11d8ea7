"""The door: tickets with QR codes, and the page of a gate, with and without a network."""

import base64
import io
import json
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from conftest import FOLDER, MANAGER, check_page, edit_show, event, register
from pages import Desk, authorize, buy, cancel_order, enter, expect_notified, join, log_in, press

HEADERS = {"x-api-managerId": MANAGER}


@pytest.fixture
def shown(api):
    return register(api, event(title="문 앞 콘서트"))


@pytest.fixture
def member(api, shown):
    """A member who has bought three seats."""
    member = join(api)
    buy(api, member, shown, [0, 1, 2])
    return member


def read_codes(api, member):
    """Returns the codes of all tickets of a member."""
    headers = authorize(api, member)
    path = f"/api/v1/members/{member_id(headers)}/holds"
    codes = []
    for held in api.get(path, headers=headers).json()["data"]:
        tickets = f"/api/v1/events/{held['eventId']}/dates/{held['eventDatetimeId']}/holds/{held['id']}/tickets"
        codes += [ticket["code"] for ticket in api.get(tickets, headers=headers).json()["data"]]
    return codes


def member_id(headers):
    claims = headers["Authorization"].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(claims + "=="))["sub"]


def create_gate(api, event, name="정문"):
    """Returns the paths of a new gate and of its page."""
    show = event["eventDatetimes"][0]["id"]
    gates = f"/api/v1/events/{event['id']}/dates/{show}/gates"
    gate = api.post(gates, headers=HEADERS, data={"name": name})
    assert gate.status == 201, gate.text()
    gate = gate.json()["data"]
    return f"{gates}/{gate['id']}", f"/gate#token={gate['token']}&event={event['id']}&show={show}"


class Gate:
    """Page of a gate, on a phone."""

    def __init__(self, open_page, api, event, name="정문"):
        self.path, link = create_gate(api, event, name)
        self.page = open_page(link, "phone")
        self.verdict = self.page.locator(".verdict")
        self.connection = self.page.locator(".connection")
        expect(self.page.get_by_role("heading", level=1)).to_have_text(event["title"])

    def scan(self, code, word, *texts, shown=lambda: None):
        """Scans as a USB scanner does: keys, then Enter. `shown` is called while the verdict is shown."""
        self.page.keyboard.type(code)
        self.page.keyboard.press("Enter")
        expect(self.verdict.locator("strong")).to_have_text(word)
        expect(self.verdict).to_have_attribute("data-admitted", "true" if word == "입장" else "false")
        for text in texts:
            expect(self.verdict).to_contain_text(text)
        shown()
        self.verdict.click()
        expect(self.verdict).to_be_hidden()

    def disconnect(self):
        self.page.expected = ["net::ERR_INTERNET_DISCONNECTED"]
        self.page.context.set_offline(True)

    def connect(self):
        self.page.context.set_offline(False)

    def expect_admitted(self, number):
        expect(self.page.locator(".count strong")).to_have_text(str(number), timeout=15_000)  # the next time it is read


def test_ticket_is_admitted_once(open_page, api, shown, member):
    page, gate = open_page("/tickets", "phone"), Gate(open_page, api, shown)
    assert "token" not in gate.page.url
    log_in(page, member, "/tickets")
    with page.expect_response("**/tickets") as response:
        page.get_by_role("link", name="티켓 보기").click()
    code = response.value.json()["data"][0]["code"]
    tickets = page.locator(".door-ticket")
    expect(tickets).to_have_count(3)
    expect(tickets.first).to_contain_text("1층 A구역 1열 1번")
    qr = page.get_by_role("img", name="1층 A구역 1열 1번 입장 QR 코드")
    assert qr.evaluate("image => image.naturalWidth > 0 && image.clientWidth >= 0.7 * innerWidth")
    check_page(page, "door-ticket")
    check_page(gate.page, "door-gate")
    gate.scan(code, "입장", "1층 A구역 1열 1번")
    gate.expect_admitted(1)
    gate.scan(f"https://example.com/t#{code}", "이미 입장", "1층 A구역 1열 1번", "정문")
    gate.scan("https://example.com/menu", "잘못된 코드")
    page.reload()
    expect(tickets.first).to_contain_text("입장 완료")
    expect(page.get_by_role("button", name="예매 취소")).to_have_count(0)
    expect(tickets.nth(1)).not_to_contain_text("입장 완료")
    check_page(page, "door-ticket-used")
    press(gate.page, "되돌리기")
    expect_notified(gate.page, "입장을 되돌렸어요.")
    gate.expect_admitted(0)
    gate.scan(code, "입장")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".ticket")).to_be_hidden()
    assert len(re.findall(rb"/Type /Page\b", page.pdf(path=FOLDER / "door-tickets.pdf"))) == 3


def test_rejected_tickets(open_page, api, shown, member):
    other, codes, gate = register(api, event(title="다른 콘서트")), read_codes(api, member), Gate(open_page, api, shown)
    buy(api, member, other, [0])
    foreign = next(code for code in read_codes(api, member) if code[:43] != codes[0][:43])
    gate.scan(foreign, "다른 회차")
    page = open_page("/tickets")
    log_in(page, member, "/tickets")
    page.get_by_role("link", name="문 앞 콘서트", exact=False).filter(has_text="티켓 보기").click()
    cancel_order(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("예매를 취소했어요")
    expect(page.locator(".door-ticket")).to_have_count(0)
    gate.scan(codes[0], "취소된 표", "1층 A구역 1열 1번")
    buyer = join(api)
    buy(api, buyer, shown, [0])
    code, = read_codes(api, buyer)
    edit_show(api, shown, status="POSTPONED")
    gate.scan(code, "공연 취소·연기")
    press(page, "로그아웃")
    expect_notified(page, "로그아웃했어요.")
    log_in(page, buyer, "/tickets")
    page.get_by_role("link", name="티켓 보기").click()
    expect(page.locator(".door-ticket")).to_contain_text("연기된 공연이에요")
    gate.page.expected = [401]
    assert api.delete(gate.path, headers=HEADERS).status == 204
    gate.scan(code, "확인 못 함")
    expect(gate.page.get_by_role("alert").filter(has_text="게이트")).to_be_visible()


def test_gate_without_network(open_page, api, shown, member):
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    other = Gate(open_page, api, shown, "후문")
    other.scan(codes[2], "입장")
    gate.page.reload()
    gate.expect_admitted(1)
    gate.page.wait_for_load_state("networkidle")
    gate.disconnect()
    gate.scan(codes[0], "입장", "오프라인", "1층 A구역 1열 1번")
    gate.scan(codes[0], "이미 입장")
    gate.scan(codes[1][:-1] + ("B" if codes[1][-1] == "A" else "A"), "잘못된 코드")
    gate.scan(codes[1], "입장", "오프라인")
    press(gate.page, "되돌리기")
    gate.scan(codes[2], "입장", "오프라인")
    expect(gate.connection).to_have_text("오프라인이에요. 표는 계속 확인할 수 있어요. 보낼 입장 2건")
    check_page(gate.page, "door-offline")
    gate.page.route("**/admissions", lambda route: route.abort("internetdisconnected"))
    gate.connect()
    gate.page.reload()
    expect(gate.connection).to_contain_text("보낼 입장 2건")
    gate.scan(codes[0], "이미 입장")
    gate.page.unroute("**/admissions")
    gate.page.evaluate("dispatchEvent(new Event('online'))")
    expect(gate.connection).to_be_hidden()
    expect(gate.page.locator(".rejected li")).to_have_text([re.compile("^1층 A구역 1열 3번 · 이미 입장 · .* · 후문$")])
    # It would take back the admission at the other gate.
    expect(gate.page.get_by_role("button", name="되돌리기")).to_have_count(0)
    check_page(gate.page, "door-rejected")
    gate.disconnect()
    gate.page.evaluate("dispatchEvent(new Event('online'))")
    expect(gate.connection).to_be_visible()
    gate.scan(codes[0], "이미 입장")
    other.scan(codes[0], "이미 입장", "정문")
    other.scan(codes[1], "입장")
    other.expect_admitted(3)


def test_verdicts_are_accessible(open_page, api, shown, member):
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    # Verdicts stay until they are tapped.
    gate.page.evaluate("""() => {
        const { setTimeout } = window;
        window.setTimeout = (run, milliseconds) => milliseconds === 2_000 ? 0 : setTimeout(run, milliseconds);
    }""")
    check = lambda name: lambda: check_page(gate.page, f"door-verdict-{name}")
    gate.scan(codes[0], "입장", shown=check("admitted"))
    gate.scan(codes[0], "이미 입장", "정문", shown=check("conflict"))
    gate.scan("https://example.com/menu", "잘못된 코드", shown=check("invalid"))
    gate.page.wait_for_load_state("networkidle")
    gate.disconnect()
    gate.scan(codes[1], "입장", "오프라인", shown=check("offline"))


def read_kept(page):
    """Returns the paths in each cache of the page."""
    return page.evaluate("""async () => {
        const paths = async name => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
        return Object.fromEntries(await Promise.all((await caches.keys()).map(async name => [name, await paths(name)])));
    }""")


def wait_until_kept(page):
    page.wait_for_function("async () => (await navigator.serviceWorker.ready) && await caches.match('/gate')")


def test_gate_reloads_without_network(open_page, api, shown, member):
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    page = gate.page
    wait_until_kept(page)
    page.wait_for_load_state("networkidle")
    gate.disconnect()
    for code in codes[:2]:
        gate.scan(code, "입장", "오프라인")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(shown["title"])
    expect(gate.connection).to_have_text("오프라인이에요. 표는 계속 확인할 수 있어요. 보낼 입장 2건")
    expect(page.locator(".last")).to_contain_text("마지막 입장: 1층 A구역 1열 2번")
    press(page, "되돌리기")
    expect_notified(page, "입장을 되돌렸어요.")
    gate.scan(codes[2], "입장", "오프라인", "1층 A구역 1열 3번")
    gate.connect()
    page.evaluate("dispatchEvent(new Event('online'))")
    gate.expect_admitted(2)
    expect(gate.connection).to_be_hidden()
    page.reload()
    press(page, "되돌리기")
    gate.expect_admitted(1)
    Gate(open_page, api, shown, "후문").scan(codes[0], "이미 입장", "정문")


def test_worker_keeps_only_newest_page(open_page, api, shown):
    page = Gate(open_page, api, shown).page
    wait_until_kept(page)
    kept = [path for paths in read_kept(page).values() for path in paths]
    assert "/gate" in kept and any(path.endswith("/gate/gate-page.js") for path in kept)
    # The seats never change.
    assert {path for path in kept if not path.startswith("/site/")} == {"/gate", f"/api/v1/events/{shown['id']}"}
    page.evaluate("""async () => {
        await caches.open("gate-0");
        for (const name of await caches.keys()) await (await caches.open(name)).put("/gate", new Response("old"));
    }""")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(shown["title"])
    page.wait_for_function("async () => !(await caches.has('gate-0'))")
    page.goto("/")
    assert page.evaluate("navigator.serviceWorker.controller === null")


def lose(route):
    """Sends a request, but loses its response."""
    route.fetch()
    route.abort()


def test_lost_response_is_repeated(open_page, api, shown, member):
    """The service admits, its response is lost, and the repetition sends nobody away."""
    code, gate = read_codes(api, member)[0], Gate(open_page, api, shown)
    gate.page.expected = ["net::ERR_FAILED"]
    gate.page.route("**/admissions", lose, times=1)
    gate.scan(code, "입장", "오프라인")
    gate.page.evaluate("dispatchEvent(new Event('online'))")
    expect(gate.connection).to_be_hidden()
    expect(gate.page.locator(".rejected li")).to_have_count(0)
    gate.scan(code, "이미 입장", "정문")


def test_lost_scan_without_keys_is_repeated(open_page, api, shown, member):
    """A page that has no keys yet decides nothing. The next scan of the ticket is the one that the service has admitted."""
    (code, *_), (other_code, *_) = read_codes(api, member), read_codes(api, member)
    gate = Gate(open_page, api, shown)
    page = gate.page
    page.wait_for_load_state("networkidle")
    page.expected = ["net::ERR_FAILED"]
    page.route("**/jwks.json", lambda route: route.abort())
    page.evaluate("""() => {
        const key = Object.keys(localStorage).find(key => key.startsWith("gate-"));
        localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), keys: [] });
    }""")
    page.route("**/admissions", lose, times=1)
    gate.scan(code, "확인 못 함")
    page.reload()
    expect(gate.connection).to_be_hidden()
    assert other_code != code
    gate.scan(other_code, "입장")
    gate.scan(code, "이미 입장", "정문")


def test_admission_is_taken_back_while_another_follows(open_page, api, shown, member):
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    page, batches = gate.page, []
    page.wait_for_load_state("networkidle")
    gate.disconnect()
    gate.scan(codes[0], "입장", "오프라인")
    page.route("**/admissions", lambda route: batches.append(route) if "scannedAt" in route.request.post_data
               else route.continue_())
    with page.expect_request("**/admissions"):
        gate.connect()
    press(page, "되돌리기")
    gate.scan(codes[1], "입장")
    for batch in batches:
        batch.continue_()
    expect_notified(page, "1층 A구역 1열 1번 입장을 되돌렸어요.")
    expect(page.locator(".last")).to_contain_text("마지막 입장: 1층 A구역 1열 2번")
    gate.expect_admitted(1)
    Gate(open_page, api, shown, "후문").scan(codes[0], "입장")


def test_rejected_scans_of_another_show_are_listed(open_page, api, shown, member):
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    Gate(open_page, api, shown, "후문").scan(codes[0], "입장")
    page, rejected = gate.page, gate.page.locator(".rejected li")
    page.wait_for_load_state("networkidle")
    gate.disconnect()
    gate.scan(codes[0], "입장", "오프라인")
    page.route("**/admissions", lambda route: route.abort("internetdisconnected"))
    gate.connect()
    for title in ("오후 콘서트", "저녁 콘서트"):
        _, link = create_gate(api, register(api, event(title=title)))
        page.goto(link)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        page.wait_for_load_state("networkidle")
    expect(rejected).to_have_count(0)
    page.unroute("**/admissions")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(rejected).to_have_text([re.compile("^.*월 .*일.* · 1층 A구역 1열 1번 · 이미 입장 · .* · 후문$")])
    check_page(page, "door-rejected-of-other")
    press(page, "목록 비우기")
    expect(rejected).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("저녁 콘서트")
    expect(rejected).to_have_count(0)


def test_camera(open_page, api, shown, member):
    """Scans pictures of a fake camera. Chromium has no detector of codes on Linux, so `view` says what it would find."""
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    page = gate.page
    page.context.grant_permissions(["camera"])
    page.add_init_script("""window.BarcodeDetector = class {
        detect = async video => video.videoWidth && window.view ? [{ rawValue: window.view }] : [];
    }""")
    page.reload()
    press(page, "카메라로 찍기")
    expect(page.locator("video")).to_be_visible()
    check_page(page, "door-camera")
    page.evaluate("code => { window.view = code }", codes[0])
    expect(gate.verdict.locator("strong")).to_have_text("입장")
    gate.verdict.click()
    page.wait_for_timeout(1_000)  # The code is still in view.
    expect(gate.verdict).to_be_hidden()
    page.evaluate("code => { window.view = code }", codes[1])
    expect(gate.verdict).to_contain_text("1층 A구역 1열 2번")
    expect(gate.verdict).to_have_attribute("data-admitted", "true")
    gate.expect_admitted(2)


def test_gates_of_manager(open_page, api, shown, member):
    page = open_page("/manager")
    enter(page, MANAGER)
    desk = Desk(page, shown, 0)
    press(page, "게이트 만들기")
    desk.fill("만들기", 게이트_이름="정문")
    link = page.get_by_role("textbox", name="게이트 링크").input_value()
    check_page(page, "door-gate-link")
    qr = page.get_by_role("img", name="‘정문’ 게이트 링크 QR 코드")
    assert [code.text for code in zxingcpp.read_barcodes(Image.open(io.BytesIO(qr.screenshot())))] == [link]
    assert qr.bounding_box()["width"] >= 250  # four pixels a module
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "링크 복사")
    expect_notified(page, "링크를 복사했어요.")
    assert page.evaluate("navigator.clipboard.readText()") == link
    phone = open_page(link.removeprefix(page.url.split("/manager")[0]), "phone")
    expect(phone.get_by_role("heading", level=1)).to_have_text("문 앞 콘서트")
    press(page, "닫기")
    expect(page.locator(".gates li")).to_have_text("정문0명삭제")
    phone.get_by_label("티켓 코드").fill(read_codes(api, member)[0])
    press(phone, "확인")
    expect(phone.locator(".verdict strong")).to_have_text("입장")
    expect(page.locator(".inside")).to_have_text("1 / 3명 입장", timeout=10_000)
    expect(page.locator(".gates li")).to_have_text("정문1명삭제")
    page.get_by_text("구역별 입장").click()
    expect(page.locator(".inside + details tbody tr").first).to_have_text("1층 A13")
    page.locator(".gates").scroll_into_view_if_needed()
    check_page(page, "door-desk")
    page.evaluate("print = () => {}")
    page.get_by_role("button", name="티켓 인쇄").click()
    expect(page.locator(".printed .door-ticket")).to_have_count(3)
    page.emulate_media(media="print")
    assert len(re.findall(rb"/Type /Page\b", page.pdf(path=FOLDER / "door-sale.pdf"))) == 3
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    press(page, "‘정문’ 게이트 삭제")
    press(page, "게이트 삭제하기")
    expect(page.locator(".gates li")).to_have_count(0)


def test_gate_without_link(open_page):
    page = open_page("/gate", "phone")
    expect(page.get_by_role("heading", name="게이트를 알 수 없어요")).to_be_visible()
    check_page(page, "door-unknown")


def test_removed_gate_admits_nobody(open_page, api, shown, member):
    """Also not without a network, once the page knows it."""
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    gate.page.wait_for_load_state("networkidle")
    gate.disconnect()
    gate.scan(codes[0], "입장", "오프라인")
    assert api.delete(gate.path, headers=HEADERS).status == 204
    gate.page.expected.append(401)
    gate.connect()
    expect(gate.page.get_by_role("alert").filter(has_text="게이트")).to_be_visible()
    gate.scan(codes[1], "확인 못 함", "게이트")
    gate.disconnect()
    gate.scan(codes[2], "확인 못 함", "게이트")
    expect(gate.connection).to_contain_text("보낼 입장 1건")


def test_what_the_service_rejected_is_rejected_without_it(open_page, api, shown, member):
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    other = Gate(open_page, api, shown, "후문")
    other.scan(codes[0], "입장")
    gate.page.wait_for_load_state("networkidle")
    gate.scan(codes[0], "이미 입장", "후문")
    gate.disconnect()
    gate.scan(codes[0], "이미 입장", "후문")
    gate.scan(f"https://example.com/?code= {codes[1]}", "입장", "오프라인")


def test_newest_tab_admits(open_page, api, shown):
    gate = Gate(open_page, api, shown)
    newest = gate.page.context.new_page()
    newest.goto("/gate")
    expect(newest.get_by_label("티켓 코드")).to_be_visible()
    expect(gate.page.get_by_role("heading", level=1)).to_have_text("다른 탭에서 입장을 확인하고 있어요")
    press(gate.page, "여기서 계속하기")
    expect(gate.page.get_by_label("티켓 코드")).to_be_visible()
    expect(newest.get_by_role("button", name="여기서 계속하기")).to_be_visible()


def test_full_storage(open_page, api, shown, member):
    """The service still decides; without it nobody is admitted whose scan would be lost."""
    codes, gate = read_codes(api, member), Gate(open_page, api, shown)
    gate.page.wait_for_load_state("networkidle")
    gate.scan(codes[2], "입장")
    gate.page.evaluate("""() => {
        for (let size = 1 << 22; size > 0; size >>= 1)
            try { for (let i = 0; ; i++) localStorage.setItem(`full-${size}-${i}`, "x".repeat(size)) } catch {}
    }""")
    gate.scan(codes[0], "입장", "1층 A구역 1열 1번")
    expect(gate.connection).to_be_hidden()
    # It would take back the admission before.
    expect(gate.page.get_by_role("button", name="되돌리기")).to_have_count(0)
    gate.disconnect()
    gate.scan(codes[1], "확인 못 함", "저장할 공간이 없어요")
