"""Tests of the view with a manager's own events."""

import json

from playwright.sync_api import expect

from browser_support import (
    HOSTILE, POSTER, TOKEN, URL, VERIFIED, event, expect_accessible, expect_narrow, open_page, register, screenshot,
)

OWNER = "0b5b8f7c-4a57-4a0e-8f39-9d2c7b1e6a55"
HEADERS = {"x-api-managerId": OWNER}
CORRUPT = {"name": "poster.jpg", "mimeType": "image/jpeg", "buffer": b"not an image"}


def show_own_events(page, manager=OWNER):
    page.get_by_label("관리자 ID 또는 토큰").fill(manager)
    page.get_by_role("button", name="내 공연 보기").click()


def stored(page, event):
    return page.request.get(f"{URL}/api/v1/events/{event['id']}").json()["data"]


def patch(page, event, fields):
    """Edits an event as somebody else."""
    headers = {"Content-Type": "application/json"}
    response = page.request.patch(f"{URL}/api/v1/events/{event['id']}", headers=headers, data=json.dumps(fields))
    assert response.status == 200, response.text()


def own_events(browser):
    with open_page(browser, "/#manager", expected=[401]) as page:
        field = page.get_by_label("관리자 ID 또는 토큰")
        expect(page.get_by_label("상태")).to_have_value("live")
        for wrong in ["", "한글"]:
            show_own_events(page, wrong)
            expect(field).to_be_focused()
            expect(field).to_have_accessible_description("관리자 ID 또는 토큰을 입력해 주세요.")
        show_own_events(page, "token-without-issuer")
        expect(field).to_have_accessible_description("관리자 ID 또는 토큰이 올바르지 않습니다.")
        show_own_events(page)
        expect(page.get_by_role("heading", name="등록한 공연이 없습니다")).to_be_visible()
        expect(field).to_have_accessible_description("")
        for number in range(101, 115):
            register(page, event(number, title=f"가을 연극 {number}"), HEADERS)
        show_own_events(page)
        cards = page.locator("#manager article")
        expect(cards).to_have_count(12)
        expect(cards.first.get_by_role("heading")).to_have_text("가을 연극 114")
        expect_accessible(page)
        screenshot(page, "manager")
        expect_narrow(page, "manager")
        page.get_by_role("button", name="더 보기").click()
        expect(cards).to_have_count(14)
        expect(cards.last.get_by_role("heading")).to_have_text("가을 연극 101")


def edit(browser):
    with open_page(browser, "/#manager", expected=[400, 409], timezone_id="America/New_York") as page:
        times = [1745643600, "2025-04-27T05:00:00.000000001Z", 1745816400]
        edited = register(page, event(120, title="오타난 제목", eventDatetimes=times), HEADERS)
        register(page, event(121, title="다른 공연", eventDatetimes=times), HEADERS)
        show_own_events(page)
        opener = page.get_by_role("button", name="오타난 제목 수정")
        opener.click()
        dialog = page.get_by_role("dialog")
        title = dialog.get_by_label("제목")
        expect(title).to_be_focused()
        expect(title).to_have_value("오타난 제목")
        expect(dialog.get_by_label("예매 시작 (한국 시간)")).to_have_value("2025-04-18T14:00")
        expect_accessible(page)
        screenshot(page, "edit")
        expect_narrow(page, "edit")

        title.fill(" ")
        dialog.get_by_label("공연 일시 (한국 시간) 1회", exact=True).fill("")
        page.keyboard.press("Enter")
        expect(title).to_have_accessible_description("필수 입력값입니다.")
        expect(title).to_be_focused()
        first_show = dialog.get_by_label("공연 일시 (한국 시간) 1회", exact=True)
        expect(first_show).to_have_accessible_description("필수 입력값입니다.")
        expect(dialog.get_by_role("alert")).to_have_text("입력한 정보가 모두 올바른지 확인해 주세요.")
        screenshot(page, "edit-errors")

        title.fill("가" * 101)
        page.keyboard.press("Enter")
        expect(title).to_have_accessible_description("100자 이하여야 합니다.")

        title.fill("다른 공연")
        first_show.fill("2025-05-01T19:30")
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("이미 등록되어 있습니다")
        expect(title).to_have_accessible_description("")

        title.fill(HOSTILE)
        dialog.get_by_label("설명").fill("첫 줄\n둘째 줄")
        dialog.get_by_label("예매 시작 (한국 시간)").fill("2025-04-20T09:00")
        dialog.get_by_role("button", name="공연 일시 (한국 시간) 3회 삭제").click()
        dialog.get_by_role("button", name="회차 추가").click()
        expect(dialog.get_by_label("공연 일시 (한국 시간) 3회", exact=True)).to_be_focused()
        dialog.get_by_label("공연 일시 (한국 시간) 3회", exact=True).fill("2025-05-03T00:00")
        dialog.get_by_role("button", name="저장").click()
        expect(dialog).to_be_hidden()
        expect(page.get_by_role("status").filter(has_text="수정되었습니다")).to_be_visible()
        expect(page.get_by_role("button", name=f"{HOSTILE} 수정")).to_be_focused()
        now = stored(page, edited)
        assert [now["title"], now["description"], now["place"]] == [HOSTILE, "첫 줄\n둘째 줄", "올림픽공원 올림픽홀"], now
        assert now["ticketingOpenTime"] == "2025-04-20T00:00:00Z", now
        # The second show keeps its nanosecond, which the form does not show.
        shows = [show["datetime"] for show in now["eventDatetimes"]]
        assert shows == ["2025-05-01T10:30:00Z", "2025-04-27T05:00:00.000000001Z", "2025-05-02T15:00:00Z"], shows
        assert now["eventDatetimes"][1]["id"] == edited["eventDatetimes"][1]["id"]


def simultaneous_edits(browser):
    with open_page(browser, "/#manager", expected=[412]) as page:
        edited = register(page, event(130, title="함께 고친 공연"), HEADERS)
        show_own_events(page)
        page.get_by_role("button", name="함께 고친 공연 수정").click()
        dialog = page.get_by_role("dialog")
        place, artist = dialog.get_by_label("장소"), dialog.get_by_label("출연자")
        place.fill("내가 쓴 장소")
        shown = {"place": "남이 쓴 장소", "artist": "남이 쓴 가수", "eventDatetimes": [1746000000]}
        patch(page, edited, shown)
        dialog.get_by_role("button", name="회차 추가").click()
        dialog.get_by_label("공연 일시 (한국 시간) 2회", exact=True).fill("2025-05-03T15:00")
        dialog.get_by_role("button", name="저장").click()
        expect(dialog.get_by_role("alert")).to_contain_text("그사이 다른 사람이 이 공연을 수정했습니다")
        expect(place).to_have_value("내가 쓴 장소")
        expect(place).to_have_accessible_description("현재 값: 남이 쓴 장소")
        expect(artist).to_have_value("남이 쓴 가수")
        expect(artist).to_have_accessible_description("다른 사람이 수정한 값입니다.")
        expect(dialog.get_by_text("현재 값: 2025년 4월 30일 오후 5:00 KST")).to_be_visible()
        expect(dialog.get_by_label("공연 일시 (한국 시간) 2회", exact=True)).to_have_value("2025-05-03T15:00")
        expect_accessible(page)
        screenshot(page, "edit-conflict")
        assert stored(page, edited)["place"] == "남이 쓴 장소"
        dialog.get_by_role("button", name="저장").click()
        expect(dialog).to_be_hidden()
        now = stored(page, edited)
        assert [now["place"], now["artist"]] == ["내가 쓴 장소", "남이 쓴 가수"], now
        shows = [show["datetime"] for show in now["eventDatetimes"]]
        assert shows == ["2025-04-26T05:00:00Z", "2025-05-03T06:00:00Z"], shows


def replace_poster(browser):
    with open_page(browser, "/#manager", expected=[400]) as page:
        replaced = register(page, event(140, title="새 포스터 공연"), HEADERS)
        show_own_events(page)
        page.get_by_role("button", name="새 포스터 공연 포스터 교체").click()
        dialog = page.get_by_role("dialog")
        file = dialog.get_by_label("새 포스터")
        for wrong, reason in [([], "포스터 파일이 비어 있습니다."), ([CORRUPT], "이미지여야 합니다.")]:
            file.set_input_files(wrong)
            dialog.get_by_role("button", name="교체").click()
            expect(file.locator("xpath=following-sibling::*[@class='error']")).to_contain_text(reason)
            expect(file).to_be_focused()
        screenshot(page, "poster")
        expect_narrow(page, "poster")
        file.set_input_files(POSTER)
        dialog.get_by_role("button", name="교체").click()
        expect(dialog).to_be_hidden()
        thumbnail = stored(page, replaced)["thumbnail"]
        assert thumbnail != replaced["thumbnail"]
        poster = page.locator("#manager article", has_text="새 포스터 공연").get_by_role("presentation").first
        expect(poster).to_have_attribute("src", f"/upload/{thumbnail}")


def delete_and_restore(browser):
    """Works with the keyboard only."""
    with open_page(browser, "/#manager", expected=[404, 409]) as page:
        deleted = register(page, event(150, title="지울 공연"), HEADERS)
        show_own_events(page)
        cards = page.locator("#manager article")
        expect(cards.first.get_by_role("heading")).to_have_text("지울 공연")
        before = page.locator("#manager article h2").all_text_contents()
        dialog = page.get_by_role("dialog")
        opener = page.get_by_role("button", name="지울 공연 삭제")
        opener.focus()
        page.keyboard.press("Enter")
        expect(dialog.get_by_text("삭제할까요?")).to_be_visible()
        expect(dialog.get_by_role("button", name="취소")).to_be_focused()
        expect_accessible(page)
        screenshot(page, "delete")
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        expect(opener).to_be_focused()
        assert stored(page, deleted)["title"] == "지울 공연"

        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="공연이 삭제되었습니다.")).to_be_visible()
        expect(cards.first.get_by_role("heading")).to_have_text(before[1])
        expect(cards.first.get_by_role("button", name="수정")).to_be_focused()
        assert page.request.get(f"{URL}/api/v1/events/{deleted['id']}").status == 404

        page.get_by_label("상태").select_option("전체")
        expect(cards.first.get_by_role("heading")).to_have_text("지울 공연")
        page.get_by_label("상태").select_option("삭제됨")
        expect(cards).to_have_count(1)
        expect(cards.get_by_text("까지 복구 가능")).to_be_visible()
        expect(cards.get_by_role("button")).to_have_count(1)
        expect_accessible(page)
        screenshot(page, "deleted")
        again = register(page, event(151, title="지울 공연"), HEADERS)
        page.get_by_role("button", name="지울 공연 복구").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="이미 등록되어 있습니다")).to_be_visible()
        patch(page, again, {"title": "다른 제목"})
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="공연이 복구되었습니다.")).to_be_visible()
        expect(page.get_by_role("heading", name="복구할 수 있는 공연이 없습니다")).to_be_visible()
        assert stored(page, deleted)["title"] == "지울 공연"


def late_edit(browser):
    """A response that arrives late does not replace another dialog."""
    with open_page(browser, "/#manager") as page:
        edited = register(page, event(160, title="늦은 수정"), HEADERS)
        show_own_events(page)
        held = []
        page.route(f"**/api/v1/events/{edited['id']}", lambda route: held.append(route))
        page.get_by_role("button", name="늦은 수정 수정").click()
        page.get_by_role("button", name="늦은 수정 삭제").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("삭제할까요?")).to_be_visible()
        with page.expect_response(f"**/api/v1/events/{edited['id']}"):
            held.pop().continue_()
        page.wait_for_load_state("networkidle")
        expect(dialog.get_by_text("삭제할까요?")).to_be_visible()


def verified_manager(browser):
    with open_page(browser, f"{VERIFIED}/#manager", expected=[401]) as page:
        register(page, event(1), {"Authorization": f"Bearer {TOKEN}"}, VERIFIED)
        show_own_events(page)
        field = page.get_by_label("관리자 ID 또는 토큰")
        expect(field).to_have_accessible_description("관리자 ID 또는 토큰이 올바르지 않습니다.")
        show_own_events(page, TOKEN)
        dialog = page.get_by_role("dialog")
        page.get_by_role("button", name="봄 콘서트 1회 수정").click()
        dialog.get_by_label("제목").fill("인증된 수정")
        dialog.get_by_role("button", name="저장").click()
        page.get_by_role("button", name="인증된 수정 포스터 교체").click()
        dialog.get_by_label("새 포스터").set_input_files(POSTER)
        dialog.get_by_role("button", name="교체").click()
        expect(dialog).to_be_hidden()
        page.get_by_role("button", name="인증된 수정 삭제").click()
        dialog.get_by_role("button", name="삭제").click()
        expect(page.get_by_role("heading", name="등록한 공연이 없습니다")).to_be_visible()
        page.get_by_label("상태").select_option("삭제됨")
        page.get_by_role("button", name="인증된 수정 복구").click()
        expect(page.get_by_role("status").filter(has_text="공연이 복구되었습니다.")).to_be_visible()


TESTS = [own_events, edit, simultaneous_edits, replace_poster, delete_and_restore, late_edit, verified_manager]
