"""Tests of the view with a member's account."""

from playwright.sync_api import expect

from browser_support import HOSTILE, VERIFIED, open_page, expect_accessible, expect_narrow, screenshot

EMAIL, PASSWORD, NEW_PASSWORD = "lee@example.com", "secret", "new secret"
WRONG_CREDENTIALS = "이메일 또는 비밀번호가 올바르지 않습니다."
WRONG_PASSWORD = "현재 비밀번호가 올바르지 않습니다."
EXPIRED = "로그인이 만료되었습니다. 다시 로그인해 주세요."


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
    """Waits until no field holds a password, and no storage of the page holds more than the session."""
    page.wait_for_function("""() => [
      ...[...document.querySelectorAll('input[type=password]')].map(input => input.value),
      ...Object.keys(localStorage).filter(key => key !== 'session'), ...Object.values(sessionStorage), document.cookie,
    ].every(value => value === '') && !localStorage.session?.includes('secret')""", timeout=5000)


def expect_logged_in(page, nickname):
    expect(page.locator("#account dd", has_text=nickname)).to_be_visible()


def count_requests(target, path):
    """Collects the requests of a page or context whose path ends so."""
    requests = []
    target.on("request", lambda request: request.url.endswith(path) and requests.append(request.url))
    return requests


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

        requests = count_requests(page, "/join")
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

        page.get_by_role("button", name="이름 변경").click()
        nickname, password = dialog.get_by_label("닉네임"), dialog.get_by_label("현재 비밀번호")
        expect(dialog.get_by_label("이름")).to_be_focused()
        dialog.get_by_label("이름").fill("이영희")
        dialog.get_by_role("button", name="변경").click()
        expect(password).to_have_accessible_description("필수 입력값입니다.")
        password.fill(PASSWORD)
        dialog.get_by_role("button", name="변경").click()
        expect_status(page, "회원 정보가 변경되었습니다.")

        page.get_by_role("button", name="닉네임 변경").click()
        nickname.fill("달빛")
        page.keyboard.press("Enter")
        expect(nickname).to_have_accessible_description("이미 사용 중인 닉네임입니다.")
        expect(nickname).to_be_focused()
        expect_accessible(page)
        screenshot(page, "account-change")
        nickname.fill("별빛")
        page.keyboard.press("Enter")
        expect(dialog).to_be_hidden()
        for text in [EMAIL, "이영희", "별빛"]:
            expect_logged_in(page, text)
        expect_no_password(page)

        page.get_by_role("button", name="비밀번호 변경").click()
        password.fill(PASSWORD)
        dialog.get_by_role("button", name="변경").click()
        expect(dialog.get_by_label("새 비밀번호")).to_have_accessible_description("필수 입력값입니다.")
        dialog.get_by_label("새 비밀번호").fill(NEW_PASSWORD)
        page.keyboard.press("Enter")
        expect_status(page, "비밀번호가 변경되었습니다. 새 비밀번호로 다시 로그인해 주세요.")
        expect_no_password(page)
        submit(login, "로그인", email=EMAIL, password=PASSWORD)
        expect(login.get_by_label("비밀번호")).to_have_accessible_description(WRONG_CREDENTIALS)
        submit(login, "로그인", password=NEW_PASSWORD)
        expect_logged_in(page, "별빛")


def session(browser):
    with open_page(browser, "/#account") as page:
        submit(form(page, "로그인"), "로그인", email=EMAIL, password=NEW_PASSWORD)
        expect_logged_in(page, "별빛")
        page.reload()
        expect_logged_in(page, "별빛")
        other = page.context.new_page()
        other.goto("/#account")
        expect_logged_in(other, "별빛")
        token = other.evaluate("readSession().refreshToken")
        page.get_by_role("button", name="로그아웃").click()
        expect_status(page, "로그아웃되었습니다.")
        expect(form(other, "로그인")).to_be_visible()
        assert page.evaluate("localStorage.length") == 0
        assert page.request.post("/api/v1/auth/refresh", data={"refreshToken": token}).status == 401
        submit(form(other, "로그인"), "로그인", email=EMAIL, password=NEW_PASSWORD)
        expect_logged_in(page, "별빛")

        # A new login ends the session before.
        token = page.evaluate("readSession().refreshToken")
        page.evaluate("fields => logIn(fields).then(() => true)", {"email": EMAIL, "password": NEW_PASSWORD})
        assert page.request.post("/api/v1/auth/refresh", data={"refreshToken": token}).status == 401
        # What another program has written there is no session.
        page.evaluate("localStorage.session = '{'")
        page.reload()
        expect(form(page, "로그인")).to_be_visible()


def refresh(browser):
    """Access tokens of this service expire within three seconds."""
    # A reload aborts the responses whose body nobody has read.
    expected = [401, 503, "net::ERR_INTERNET_DISCONNECTED", "net::ERR_ABORTED"]
    with open_page(browser, f"{VERIFIED}/#account", expected=expected) as page:
        fields = {"email": EMAIL, "name": "이영희", "nickname": "별빛", "password": PASSWORD}
        submit(form(page, "회원가입"), "회원가입", **fields)
        expect_logged_in(page, "별빛")
        refreshes = count_requests(page.context, "/auth/refresh")
        other = page.context.new_page()
        other.goto(f"{VERIFIED}/#events", wait_until="networkidle")

        # Two requests of each tab, all with the same expired token.
        page.wait_for_timeout(3500)
        path = page.evaluate("pathOfMember(readMemberId())")
        start = "path => { window.responses = Promise.all([authorized(path), authorized(path)]); }"
        for tab in [page, other]:
            tab.evaluate(start, path)
        for tab in [page, other]:
            assert tab.evaluate("async () => (await responses).map(response => response.status)") == [200, 200]
        assert len(refreshes) == 1, refreshes

        page.wait_for_timeout(3500)
        page.reload()
        expect_logged_in(page, "별빛")
        assert len(refreshes) == 2, refreshes

        # Neither a lost network nor an error of the service logs out.
        page.wait_for_timeout(3500)
        visit = page.get_by_role("link", name="내 계정", exact=True)
        page.get_by_role("link", name="공연", exact=True).click()
        page.context.set_offline(True)
        visit.click()
        expect(page.get_by_role("alert").filter(has_text="서비스에 연결하지 못했습니다.")).to_be_visible()
        expect_accessible(page)
        screenshot(page, "account-offline")
        expect_narrow(page, "account-offline")
        page.context.set_offline(False)
        failure = {"message": "일시적인 오류입니다.", "code": "S_003"}
        page.route("**/auth/refresh", lambda route: route.fulfill(status=503, json=failure))
        page.get_by_role("button", name="다시 시도").click()
        expect(page.get_by_role("alert").filter(has_text=failure["message"])).to_be_visible()
        page.unroute("**/auth/refresh")
        page.get_by_role("button", name="다시 시도").click()
        expect_logged_in(page, "별빛")

        # A new password elsewhere ends the session.
        passwords = {"password": PASSWORD, "newPassword": NEW_PASSWORD}
        assert page.request.patch(f"{VERIFIED}{path}", data=passwords).ok
        page.wait_for_timeout(3500)
        page.get_by_role("button", name="닉네임 변경").click()
        page.get_by_role("dialog").get_by_label("닉네임").fill("새벽빛")
        page.keyboard.press("Enter")
        expect_status(page, EXPIRED)
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(form(page, "로그인")).to_be_visible()
        expect(page.get_by_role("heading", name="내 계정")).to_be_focused()
        expect_accessible(page)
        screenshot(page, "account-expired")
        expect_narrow(page, "account-expired")


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


TESTS = [join, change, session, refresh, withdraw]
