"""Tests of the view with a member's account."""

from playwright.sync_api import expect

from browser_support import HOSTILE, open_page, expect_accessible, expect_narrow, screenshot

EMAIL, PASSWORD, NEW_PASSWORD = "lee@example.com", "secret", "new secret"
WRONG_CREDENTIALS = "이메일 또는 비밀번호가 올바르지 않습니다."
WRONG_PASSWORD = "현재 비밀번호가 올바르지 않습니다."


def form(page, title):
    return page.locator("#account section", has=page.get_by_role("heading", name=title))


def submit(form, button, **fields):
    labels = {"email": "이메일", "name": "이름", "nickname": "닉네임", "password": "비밀번호"}
    for name, value in fields.items():
        form.get_by_label(labels[name], exact=True).fill(value)
    form.get_by_role("button", name=button).click()


def expect_status(page, text):
    expect(page.locator("#status")).to_have_text(text)


def expect_no_password(page):
    """Waits until no field and no storage of the page holds a password."""
    page.wait_for_function("""() => [
      ...[...document.querySelectorAll('input[type=password]')].map(input => input.value),
      ...Object.values(localStorage), ...Object.values(sessionStorage), document.cookie,
    ].every(value => value === '')""", timeout=5000)


def join(browser):
    with open_page(browser, "/#account", expected=[400, 409]) as page:
        fields = {"email": "kim@", "name": HOSTILE[:20], "nickname": "", "password": PASSWORD}
        submit(form(page, "회원가입"), "회원가입", **fields)
        email = form(page, "회원가입").get_by_label("이메일")
        expect(email).to_be_focused()
        expect(email).to_have_accessible_description("올바른 이메일 형식이 아닙니다.")
        nickname = form(page, "회원가입").get_by_label("닉네임")
        expect(nickname).to_have_accessible_description("필수 입력값입니다.")
        expect_accessible(page)
        screenshot(page, "account-errors")
        expect_narrow(page, "account-errors")

        requests = []
        page.on("request", lambda request: requests.append(request.url))
        email.fill("kim@naver.com")
        nickname.fill("달빛")
        form(page, "회원가입").locator("form").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
        expect_status(page, "회원가입이 완료되었습니다.")
        assert len(requests) == 1, requests
        expect(page.get_by_role("heading", name="내 계정")).to_be_focused()
        for text in ["kim@naver.com", HOSTILE[:20], "달빛"]:
            expect(page.locator("#account dd", has_text=text)).to_be_visible()
        expect_no_password(page)
        page.get_by_role("button", name="로그아웃").click()
        expect_status(page, "로그아웃되었습니다.")

        submit(form(page, "회원가입"), "회원가입", **fields | {"email": "kim@naver.com", "nickname": "햇빛"})
        expect(email).to_have_accessible_description("이미 가입된 이메일입니다.")
        submit(form(page, "회원가입"), "회원가입", **fields | {"email": EMAIL, "nickname": "달빛"})
        expect(nickname).to_have_accessible_description("이미 사용 중인 닉네임입니다.")
        submit(form(page, "회원가입"), "회원가입", **fields | {"email": EMAIL, "nickname": "햇빛"})
        expect_status(page, "회원가입이 완료되었습니다.")


def change(browser):
    with open_page(browser, "/#account", expected=[400, 401, 409]) as page:
        login, dialog = form(page, "로그인"), page.get_by_role("dialog")
        submit(login, "로그인", email=EMAIL, password="wrong")
        expect(login.get_by_label("비밀번호")).to_have_accessible_description(WRONG_CREDENTIALS)
        expect(login.get_by_label("비밀번호")).to_be_focused()
        submit(login, "로그인", password=PASSWORD)
        expect_status(page, "로그인되었습니다.")
        expect_no_password(page)
        expect_accessible(page)
        screenshot(page, "account")
        expect_narrow(page, "account")

        page.get_by_role("button", name="회원 정보 변경").click()
        nickname, password = dialog.get_by_label("닉네임"), dialog.get_by_label("현재 비밀번호")
        expect(dialog.get_by_label("이름")).to_be_focused()
        dialog.get_by_label("이름").fill("이영희")
        nickname.fill("달빛")
        dialog.get_by_role("button", name="변경").click()
        expect(password).to_have_accessible_description("필수 입력값입니다.")
        password.fill(PASSWORD)
        dialog.get_by_role("button", name="변경").click()
        expect(nickname).to_have_accessible_description("이미 사용 중인 닉네임입니다.")
        expect(nickname).to_be_focused()
        expect_accessible(page)
        screenshot(page, "account-change")
        nickname.fill("별빛")
        dialog.get_by_role("button", name="변경").click()
        expect_status(page, "회원 정보가 변경되었습니다.")
        for text in ["이영희", "별빛"]:
            expect(page.locator("#account dd", has_text=text)).to_be_visible()
        expect_no_password(page)

        page.get_by_role("button", name="비밀번호 변경").click()
        password.fill(PASSWORD)
        dialog.get_by_role("button", name="변경").click()
        expect(dialog.get_by_label("새 비밀번호")).to_have_accessible_description("필수 입력값입니다.")
        dialog.get_by_label("새 비밀번호").fill(NEW_PASSWORD)
        page.keyboard.press("Enter")
        expect_status(page, "회원 정보가 변경되었습니다.")
        expect_no_password(page)
        page.get_by_role("button", name="로그아웃").click()
        submit(login, "로그인", email=EMAIL, password=PASSWORD)
        expect(login.get_by_label("비밀번호")).to_have_accessible_description(WRONG_CREDENTIALS)
        submit(login, "로그인", password=NEW_PASSWORD)
        expect(page.locator("#account dd", has_text="별빛")).to_be_visible()


def withdraw(browser):
    with open_page(browser, "/#account", expected=[401]) as page:
        login, dialog = form(page, "로그인"), page.get_by_role("dialog")
        submit(login, "로그인", email=EMAIL, password=NEW_PASSWORD)
        page.get_by_role("button", name="회원 탈퇴").click()
        dialog.get_by_label("현재 비밀번호").fill(NEW_PASSWORD)
        screenshot(page, "withdrawal")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(page.get_by_role("button", name="회원 탈퇴")).to_be_focused()
        expect_no_password(page)
        page.keyboard.press("Enter")
        dialog.get_by_label("현재 비밀번호").fill("wrong")
        page.keyboard.press("Enter")
        expect(dialog.get_by_label("현재 비밀번호")).to_have_accessible_description(WRONG_PASSWORD)
        dialog.get_by_label("현재 비밀번호").fill(NEW_PASSWORD)
        page.keyboard.press("Enter")
        expect_status(page, "회원 탈퇴가 완료되었습니다.")
        expect(login).to_be_visible()
        expect_no_password(page)
        submit(login, "로그인", email=EMAIL, password=NEW_PASSWORD)
        expect(login.get_by_label("비밀번호")).to_have_accessible_description(WRONG_CREDENTIALS)


TESTS = [join, change, withdraw]
