"""Mails to the buyers of a show: asked for at the desk, previewed, sent, and listed."""

import re
import time

import pytest
from playwright.sync_api import expect

from conftest import DAY, check_page, event, register
from pages import Desk, buy, enter, expect_notified, join, press

OWNER = "1f6a3d92-58c4-4e0b-a7d1-2b9e4c6f8035"
HEADERS = {"x-api-managerId": OWNER}


@pytest.fixture
def managed(api):
    times = [int(time.time()) + days * DAY for days in (9, 10)]
    return register(api, event(title="가을 <콘서트>", eventDatetimes=times), HEADERS)


@pytest.fixture
def page(open_page):
    page = open_page("/manager")
    enter(page, OWNER)
    return page


def mails_to(api, member):
    return [mail for mail in api.get("/mail.json").json() if mail["to"] == member["email"]]


def test_buyers_are_told(page, api, managed):
    buyer, other = join(api), join(api)
    buy(api, buyer, managed, [0, 1])
    desk = Desk(page, managed)
    desk.show(managed, 0).get_by_role("button", name="연기").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("예매한 회원에게 메일로 알리기")).to_be_checked()
    dialog.get_by_text("메일 미리 보기").click()
    dialog.get_by_label("안내문").fill("태풍으로 연기합니다.\n새 일시는 곧 알려 드립니다.")
    preview = dialog.locator(".mail")
    expect(preview).to_contain_text("[공연 연기] 가을 <콘서트>")
    check_page(page, "desk-notify")
    paragraphs = preview.locator("p").all_inner_texts()
    desk.fill("연기하기")
    expect_notified(page, "회차를 연기했어요.")
    page.goto(f"/manager/events/{managed['id']}/shows/{managed['eventDatetimes'][0]['id']}")
    expect(page.locator(".notices li")).to_contain_text("1명 중 1명에게 보냈어요.")
    expect(page.locator(".notices .badge")).to_have_text("보냄")
    mail, = mails_to(api, buyer)
    assert mail["subject"] == "[공연 연기] 가을 <콘서트>"
    for line in [paragraphs[0], *paragraphs[2].splitlines(), "장소: 올림픽공원 올림픽홀", "/tickets"]:
        assert line in mail["text"], line
    assert mails_to(api, other) == []


def test_message(page, api, managed):
    buyer = join(api)
    buy(api, buyer, managed, [0])
    Desk(page, managed, 0)
    press(page, "메일 보내기")
    dialog = page.get_by_role("dialog")
    page.expected = [400]
    press(dialog, "보내기")
    expect(dialog.get_by_label("내용")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("내용").fill("문은 여섯 시에 열어요.")
    press(dialog, "보내기")
    expect_notified(page, "메일을 보내기 시작했어요.")
    expect(page.locator(".notices li")).to_contain_text(re.compile("안내 메일.*1명 중 1명에게 보냈어요.*문은 여섯 시에 열어요."))
    check_page(page, "desk-notices")
    mail, = mails_to(api, buyer)
    assert mail["subject"] == "[공연 안내] 가을 <콘서트>" and "문은 여섯 시에 열어요." in mail["text"]


def test_change_without_mail(page, api, managed):
    buyer = join(api)
    buy(api, buyer, managed, [0])
    desk = Desk(page, managed)
    desk.show(managed, 0).get_by_role("button", name="취소").click()
    page.get_by_role("dialog").get_by_label("예매한 회원에게 메일로 알리기").uncheck()
    desk.fill("회차 취소하기")
    expect_notified(page, "회차를 취소했어요.")
    assert api.get(f"/api/v1/events/{managed['id']}/dates/{managed['eventDatetimes'][0]['id']}/notices",
                   headers=HEADERS).json()["data"] == []
