"""A manager's journey: list own events, edit, replace the poster, delete and restore."""

import json

from playwright.sync_api import expect

from conftest import POSTER, check_page, event, register
from pages import enter, expect_error, expect_notified, press

OWNER = "0b5b8f7c-4a57-4a0e-8f39-9d2c7b1e6a55"
HEADERS = {"x-api-managerId": OWNER}


def patch(api, event, **fields):
    """Edits an event as somebody else."""
    headers = {"Content-Type": "application/json"}
    assert api.patch(f"/api/v1/events/{event['id']}", headers=headers, data=json.dumps(fields)).ok


def test_own_events(open_page, api):
    for number in range(1, 15):
        register(api, event(number, title=f"가을 연극 {number}"), HEADERS)
    page = open_page("/manager")
    check_page(page, "manager-entry")
    enter(page, "")
    expect_error(page.get_by_label("관리자 ID 또는 토큰"), "관리자 ID 또는 토큰을 입력해 주세요.")
    enter(page, OWNER)
    rows = page.locator(".managed > li")
    expect(rows).to_have_count(12)
    check_page(page, "manager")
    press(page, "더 보기")
    expect(rows).to_have_count(14)


def test_edit(open_page, api):
    """Corrects errors, and then finds out that somebody else has edited the event meanwhile."""
    times = [4_090_000_000, "2099-04-27T05:00:00.000000001Z"]
    edited = register(api, event(title="오타난 제목", eventDatetimes=times), HEADERS)
    page = open_page("/manager")
    page.expected = [400, 412]
    enter(page, OWNER)
    press(page, "오타난 제목 수정")
    dialog = page.get_by_role("dialog")
    title, place, artist = (dialog.get_by_label(label, exact=True) for label in ["제목", "장소", "출연자"])
    title.fill(" ")
    page.keyboard.press("Enter")
    expect_error(title, "필수 입력값입니다.")
    expect(title).to_be_focused()
    check_page(page, "edit-errors")
    title.fill("고친 제목")
    place.fill("내가 쓴 장소")
    patch(api, edited, place="남이 쓴 장소", artist="남이 쓴 가수")
    dialog.locator("button[type=submit]").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    expect_error(place, "현재 값: 남이 쓴 장소")
    expect(artist).to_have_value("남이 쓴 가수")
    check_page(page, "edit-conflict")
    dialog.locator("button[type=submit]").click()
    expect(dialog).to_be_hidden()
    now = api.get(f"/api/v1/events/{edited['id']}").json()["data"]
    assert [now["title"], now["place"], now["artist"]] == ["고친 제목", "내가 쓴 장소", "남이 쓴 가수"], now
    # The second show keeps its nanosecond, which the form does not show.
    assert now["eventDatetimes"][1]["datetime"] == "2099-04-27T05:00:00.000000001Z", now


def test_delete_and_restore(open_page, api):
    deleted = register(api, event(title="지울 공연"), HEADERS)
    page = open_page("/manager")
    page.expected = [404]
    enter(page, OWNER)
    page.get_by_role("button", name="지울 공연 삭제").focus()
    page.keyboard.press("Enter")
    check_page(page, "delete")
    press(page, "삭제하기")
    expect_notified(page, "공연을 삭제했어요.")
    assert api.get(f"/api/v1/events/{deleted['id']}").status == 404
    press(page, "삭제됨")
    check_page(page, "manager-deleted")
    page.goto(f"/manager/events/{deleted['id']}")
    expect(page.locator("main .badge")).to_have_text(["삭제됨", "삭제됨"])
    page.goto("/manager")
    press(page, "삭제됨")
    press(page, "지울 공연 복구")
    expect_notified(page, "공연을 복구했어요.")
    assert api.get(f"/api/v1/events/{deleted['id']}").ok


def test_draft_is_published(open_page, api):
    draft = register(api, event(title="준비 중인 공연", published=False), HEADERS)
    page = open_page("/manager")
    enter(page, OWNER)
    press(page, "비공개")
    check_page(page, "manager-drafts")
    press(page, "준비 중인 공연 수정")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("출연자", exact=True).fill("잔나비")
    dialog.locator("button[type=submit]").click()
    expect_notified(page, "공연을 수정했어요.")
    press(page, "준비 중인 공연 공개")
    expect_notified(page, "공연을 공개했어요.")
    assert api.get(f"/api/v1/events/{draft['id']}").json()["data"]["artist"] == "잔나비"


def test_verified_manager(open_page, chromium, verified):
    context = chromium.new_context(base_url=verified.url)
    register(context.request, event(1), {"Authorization": f"Bearer {verified.token}"}, verified.url)
    page = open_page("/manager", base_url=verified.url)
    page.expected = [400, 401]
    enter(page, OWNER)
    expect_error(page.get_by_label("관리자 ID 또는 토큰"), "관리자 ID 또는 토큰이 올바르지 않아요.")
    enter(page, verified.token)
    press(page, "봄 콘서트 1회 포스터 교체")
    dialog = page.get_by_role("dialog")
    for file in [__file__, POSTER]:
        dialog.get_by_label("새 포스터").set_input_files(file)
        press(dialog, "교체하기")
        if file != POSTER:
            expect(dialog.get_by_text("이미지여야 합니다.")).to_be_visible()
    expect_notified(page, "포스터를 바꿨어요.")
    context.close()
