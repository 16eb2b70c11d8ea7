"""Tests of the page with a manager's own events: `.ci/run browser`."""

import json

from playwright.sync_api import expect

from browser_support import HOSTILE, POSTER, TOKEN, URL, VERIFIED, check_page, event, open_page, press, register, run

OWNER = "0b5b8f7c-4a57-4a0e-8f39-9d2c7b1e6a55"
HEADERS = {"x-api-managerId": OWNER}
SECOND_SHOW = "공연 일시 (한국 시간) 2회"


def show_own_events(page, manager=OWNER):
    page.get_by_label("관리자 ID 또는 토큰").fill(manager)
    page.get_by_role("button", name="내 공연 보기").click()


def expect_status(page, text):
    expect(page.get_by_role("status").filter(has_text=text)).to_be_visible()


def stored(page, event):
    return page.request.get(f"{URL}/api/v1/events/{event['id']}").json()["data"]


def patch(page, event, **fields):
    """Edits an event as somebody else."""
    headers = {"Content-Type": "application/json"}
    assert page.request.patch(f"{URL}/api/v1/events/{event['id']}", headers=headers, data=json.dumps(fields)).ok


def own_events(browser):
    with open_page(browser, "/#manager") as page:
        field = page.get_by_label("관리자 ID 또는 토큰")
        show_own_events(page, "")
        expect(field).to_be_focused()
        expect(field).to_have_accessible_description("관리자 ID 또는 토큰을 입력해 주세요.")
        for number in range(101, 115):
            register(page.request, event(number, title=f"가을 연극 {number}"), HEADERS)
        show_own_events(page)
        cards = page.locator("#manager article")
        expect(cards).to_have_count(12)
        expect(cards.first.get_by_role("heading")).to_have_text("가을 연극 114")
        check_page(page, "events")
        press(page, "더 보기")
        expect(cards).to_have_count(14)


def edit(browser):
    """Corrects errors, and then finds out that somebody else has edited the event meanwhile."""
    with open_page(browser, "/#manager", expected=[400, 412], timezone_id="America/New_York") as page:
        times = [1745643600, "2025-04-27T05:00:00.000000001Z"]
        edited = register(page.request, event(120, title="오타난 제목", eventDatetimes=times), HEADERS)
        show_own_events(page)
        press(page, "오타난 제목 수정")
        dialog = page.get_by_role("dialog")
        title, place, artist = (dialog.get_by_label(label) for label in ["제목", "장소", "출연자"])
        expect(title).to_be_focused()
        title.fill(" ")
        page.keyboard.press("Enter")
        expect(title).to_have_accessible_description("필수 입력값입니다.")
        expect(title).to_be_focused()
        check_page(page, "edit-errors")
        title.fill(HOSTILE)
        place.fill("내가 쓴 장소")
        dialog.get_by_label("공연 일시 (한국 시간) 1회", exact=True).fill("2025-05-01T19:30")
        patch(page, edited, place="남이 쓴 장소", artist="남이 쓴 가수")
        press(dialog, "저장")
        expect(dialog.get_by_role("alert")).to_contain_text("그사이 다른 사람이 이 공연을 수정했습니다")
        expect(place).to_have_accessible_description("현재 값: 남이 쓴 장소")
        expect(artist).to_have_value("남이 쓴 가수")
        check_page(page, "edit-conflict")
        press(dialog, "저장")
        expect(dialog).to_be_hidden()
        expect(page.get_by_role("button", name=f"{HOSTILE} 수정")).to_be_focused()
        now = stored(page, edited)
        assert [now["title"], now["place"], now["artist"]] == [HOSTILE, "내가 쓴 장소", "남이 쓴 가수"], now
        # The second show keeps its nanosecond, which the form does not show.
        shows = [show["datetime"] for show in now["eventDatetimes"]]
        assert shows == ["2025-05-01T10:30:00Z", "2025-04-27T05:00:00.000000001Z"], shows


def delete_and_restore(browser):
    """Works with the keyboard only."""
    with open_page(browser, "/#manager", expected=[404, 409]) as page:
        deleted = register(page.request, event(150, title="지울 공연"), HEADERS)
        show_own_events(page)
        cards, dialog = page.locator("#manager article"), page.get_by_role("dialog")
        page.get_by_role("button", name="지울 공연 삭제").focus()
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("button", name="취소")).to_be_focused()
        check_page(page, "delete")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect_status(page, "공연이 삭제되었습니다.")
        expect(cards.first.get_by_role("button", name="수정")).to_be_focused()
        assert page.request.get(f"{URL}/api/v1/events/{deleted['id']}").status == 404
        page.get_by_label("상태").select_option("삭제됨")
        expect(cards).to_have_count(1)
        check_page(page, "deleted")
        again = register(page.request, event(151, title="지울 공연"), HEADERS)
        page.get_by_role("button", name="지울 공연 복구").focus()
        page.keyboard.press("Enter")
        expect_status(page, "이미 등록되어 있습니다")
        patch(page, again, title="다른 제목")
        page.keyboard.press("Enter")
        expect_status(page, "공연이 복구되었습니다.")
        assert stored(page, deleted)["title"] == "지울 공연"


def verified_manager(browser):
    with open_page(browser, f"{VERIFIED}/#manager", expected=[400, 401]) as page:
        register(page.request, event(1), {"Authorization": f"Bearer {TOKEN}"}, VERIFIED)
        show_own_events(page)
        expect(page.get_by_label("관리자 ID 또는 토큰")).to_have_accessible_description("관리자 ID 또는 토큰이 올바르지 않습니다.")
        show_own_events(page, TOKEN)
        press(page, "봄 콘서트 1회 수정")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("제목").fill("인증된 수정")
        press(dialog, "저장")
        press(page, "인증된 수정 포스터 교체")
        for file in [__file__, POSTER]:
            dialog.get_by_label("새 포스터").set_input_files(file)
            press(dialog, "교체")
            if file != POSTER:
                expect(dialog.get_by_text("이미지여야 합니다.")).to_be_visible()
        expect(dialog).to_be_hidden()
        press(page, "인증된 수정 삭제")
        press(dialog, "삭제")
        page.get_by_label("상태").select_option("삭제됨")
        press(page, "인증된 수정 복구")
        expect_status(page, "공연이 복구되었습니다.")


run(own_events, edit, delete_and_restore, verified_manager)
