"""Page objects: what people see and do on the pages of the site, in their words."""

import itertools
import re

from playwright.sync_api import expect

numbers = itertools.count(1)
PASSWORD = "secret"


def new_member(**fields):
    number = next(numbers)
    return {"email": f"member{number}@example.com", "name": "김철수", "nickname": f"철수{number}", "password": PASSWORD, **fields}


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def expect_notified(page, text):
    expect(page.locator(".toast")).to_contain_text(text)


def expect_error(field, text):
    """Expects a text at a field, after its note if it has one."""
    expect(field).to_have_accessible_description(re.compile(f"{re.escape(text)}$"))


def enter(page, identity):
    page.get_by_label("관리자 ID 또는 토큰").fill(identity)
    press(page, "공연 관리 시작하기")


class Hall:
    """Page of a show."""

    def __init__(self, page):
        self.page = page
        self.panel = page.get_by_role("region", name="예매", exact=True)
        self.alert = page.locator(".alert")
        expect(page.locator("hall-map .area").first).to_be_attached()

    @staticmethod
    def path(event, show=0):
        return f"/events/{event['id']}/shows/{event['eventDatetimes'][show]['id']}"

    def open_area(self, name):
        """Finds an area by its name."""
        field = self.page.get_by_label("구역 찾기")
        field.fill(name)
        field.press("Enter")
        expect(self.page.get_by_role("group", name=f"{name}구역 좌석")).to_be_attached()

    def seat(self, row, number):
        return self.page.locator(f":is(hall-map [aria-label^='{row}열 {number}번,'], hall-map [aria-label^='{row}열 {number}번 '])")

    def choose(self, row, number):
        self.page.wait_for_timeout(500)  # the flight to the area
        self.seat(row, number).click()

    def expect_state(self, row, number, state):
        expect(self.seat(row, number)).to_have_attribute("aria-label", re.compile(f", {state}$"))

    def expect_panel(self, title, *seats):
        expect(self.panel.get_by_role("heading", level=2)).to_have_text(title)
        expect(self.panel.locator(".chosen li > span:first-child")).to_have_text(list(seats))


def expect_order(page, title, *rows):
    """Expects the page of an order, with these rows of seats."""
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator(".ticket dd li > span:first-child")).to_have_text(list(rows))


def release_held(page):
    press(page, "선점 취소")
    press(page, "선점 취소하기")


def cancel_order(page):
    page.get_by_role("button", name="예매 취소").click()
    press(page, "예매 취소하기")


def log_in_dialog(page, member):
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("이메일").fill(member["email"])
    dialog.get_by_label("비밀번호", exact=True).fill(member["password"])
    dialog.locator("button[type=submit]").click()


def log_in(page, member, path):
    """Logs in on the page of the login, and goes on to a page."""
    page.goto(f"/login?next={path}")
    form = page.locator("main form")
    form.get_by_label("이메일").fill(member["email"])
    form.get_by_label("비밀번호", exact=True).fill(member["password"])
    form.locator("button[type=submit]").click()
    expect(page).to_have_url(path)


def join(api, **fields):
    member = new_member(**fields)
    assert api.post("/api/v1/auth/join", data=member).status == 201
    return member


def authorize(api, member):
    """Returns the header with a new access token of a member."""
    tokens = api.post("/api/v1/auth/login", data=member).json()["data"]
    return {"Authorization": f"Bearer {tokens['accessToken']}"}


def hold(api, member, event, indexes, area=0):
    """Holds seats as another member, who may have the page open elsewhere."""
    detail = api.get(f"/api/v1/events/{event['id']}/detail").json()["data"]
    path = f"/api/v1/events/{event['id']}/dates/{event['eventDatetimes'][0]['id']}/holds"
    seats = [detail["areas"][area]["seats"][index]["id"] for index in indexes]
    response = api.post(path, data={"seatIds": seats}, headers=authorize(api, member))
    assert response.status == 201, response.text()
    return response.json()["data"]


def release(api, member, held):
    path = f"/api/v1/events/{held['eventId']}/dates/{held['eventDatetimeId']}/holds/{held['id']}"
    assert api.delete(path, headers=authorize(api, member)).status == 204


def buy(api, member, event, indexes):
    """Holds seats, and confirms them as the order service does. Returns the hold."""
    held = hold(api, member, event, indexes)
    path = f"/api/v1/events/{event['id']}/dates/{held['eventDatetimeId']}/holds/{held['id']}/confirmation"
    order = {"orderId": f"order-{held['id'][-12:]}", "amount": held["amount"]}
    response = api.post(path, data=order, headers={"x-api-managerId": held["id"]})
    assert response.status == 200, response.text()
    return held


class Desk:
    """Desk of an event of a manager, and of its shows."""

    def __init__(self, page, event, show=None):
        self.page = page
        self.alert = page.locator(".alert")
        self.sales = page.locator(".sales > li")
        page.goto(self.path(event, show))
        expect(page.locator(".numbers").first).to_be_visible()

    @staticmethod
    def path(event, show=None):
        shows = "" if show is None else f"/shows/{event['eventDatetimes'][show]['id']}"
        return f"/manager/events/{event['id']}{shows}"

    def show(self, event, number):
        return self.page.locator(f"[data-show='{event['eventDatetimes'][number]['id']}']")

    def fill(self, submit, **fields):
        """Fills the form of the dialog, and sends it."""
        dialog = self.page.get_by_role("dialog")
        for label, value in fields.items():
            dialog.get_by_role("textbox", name=label.replace("_", " ")).fill(value)
        press(dialog, submit)

    def expect_numbers(self, **numbers):
        for label, number in numbers.items():
            expect(self.page.locator(".numbers li").filter(has_text=label)).to_have_text(f"{label} {number}")
