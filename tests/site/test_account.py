"""A member's journey: join, log in, change and withdraw, in several tabs."""

import re

from playwright.sync_api import expect

from conftest import check_page
from pages import PASSWORD, expect_error, expect_notified, join, new_member, press

NEW_PASSWORD = "new secret"
LABELS = {"email": "이메일", "name": "이름", "nickname": "닉네임", "password": "비밀번호"}


def fill(form, **fields):
    for name, value in fields.items():
        form.get_by_label(LABELS[name], exact=True).fill(value)


def submit(page, form, **fields):
    fill(form, **fields)
    form.locator("button[type=submit]").click()


def expect_no_password(page):
    """Waits until no field holds a password, and no storage of the page holds more than the session."""
    page.wait_for_function("""() => [...document.querySelectorAll('input[type=password]')].every(({ value }) => value === '')
      && !JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]).includes('secret')""")


def test_join(open_page):
    page, member = open_page("/join"), new_member()
    page.expected = [400, 409]
    form = page.locator("main form")
    submit(page, form, **{**member, "email": "kim@", "nickname": ""})
    email, nickname = form.get_by_label("이메일"), form.get_by_label("닉네임")
    expect(email).to_be_focused()
    expect_error(email, "올바른 이메일 형식이 아닙니다.")
    expect_error(nickname, "필수 입력값입니다.")
    check_page(page, "join-errors")
    submit(page, form, email=member["email"], nickname=member["nickname"])
    expect(page).to_have_url("/")
    expect(page.get_by_role("link", name="내 정보")).to_be_visible()
    expect_no_password(page)
    press(page, "로그아웃")
    expect(page.get_by_role("banner").get_by_role("link", name="로그인")).to_be_visible()
    page.goto("/join")
    submit(page, form, **{**new_member(), "nickname": member["nickname"]})
    expect_error(nickname, "이미 사용 중인 닉네임입니다.")


def test_log_in_and_out(open_page, api):
    page, member = open_page("/login?next=/account"), join(api)
    page.expected = [401]
    form = page.locator("main form")
    check_page(page, "login")
    submit(page, form, email=member["email"], password="wrong")
    expect_error(form.get_by_label("비밀번호", exact=True), "이메일 또는 비밀번호가 올바르지 않습니다.")
    submit(page, form, password=PASSWORD)
    expect(page).to_have_url("/account")
    expect(page.get_by_text(member["email"])).to_be_visible()
    expect_no_password(page)
    check_page(page, "account")
    other = page.context.new_page()
    other.goto("/account")
    expect(other.get_by_text(member["nickname"])).to_be_visible()
    press(page, "로그아웃")
    expect(other.get_by_text("내 정보를 보려면 로그인해 주세요.")).to_be_visible()


def test_login_returns_to_search(open_page, api):
    page, member = open_page("/"), join(api)
    page.get_by_label("공연 검색").fill("봄 & 여름")
    expect(page).to_have_url(re.compile(r"\?q="))
    page.get_by_role("banner").get_by_role("link", name="로그인").click()
    page.get_by_role("main").get_by_role("link", name="회원가입").click()
    page.get_by_role("main").get_by_role("link", name="로그인").click()
    submit(page, page.locator("main form"), email=member["email"], password=PASSWORD)
    expect(page.get_by_label("공연 검색")).to_have_value("봄 & 여름")


def test_form_is_sent_once(open_page, api):
    """A form is busy until its response has come, and until the next page replaces it."""
    page, member, sent = open_page("/login"), join(api), []
    page.route("**/api/v1/auth/login", lambda route: sent.append(route))
    form = page.locator("main form")
    submit(page, form, email=member["email"], password=PASSWORD)
    expect(form).to_have_attribute("aria-busy", "true")
    for _ in range(2):
        page.keyboard.press("Enter")
    assert len(sent) == 1
    page.route("**/", lambda route: None)
    sent[0].continue_()
    page.wait_for_function("() => localStorage.getItem('session')")
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    assert len(sent) == 1
    page.unroute("**/")


def test_english_of_gateway_is_not_shown(open_page):
    page = open_page("/login")
    page.expected = [500]
    page.route("**/api/v1/auth/login", lambda route: route.fulfill(status=500, json={"message": "Internal server error"}))
    submit(page, page.locator("main form"), email="kim@example.com", password=PASSWORD)
    expect(page.get_by_role("alert")).to_have_text("서비스에 연결하지 못했어요. 잠시 후 다시 시도해 주세요.")


def test_next_page_is_of_this_site(open_page, api):
    member = join(api)
    for path in ["//evil.example/", "/\\evil.example", "https://evil.example/", "javascript:alert(1)"]:
        page = open_page(f"/login?next={path}")
        submit(page, page.locator("main form"), email=member["email"], password=PASSWORD)
        expect(page).to_have_url("/")


def test_changes_and_withdrawal(open_page, api):
    page, member, other = open_page("/login?next=/account"), join(api), join(api)
    page.expected = [401, 409]
    submit(page, page.locator("main form"), email=member["email"], password=PASSWORD)
    dialog = page.get_by_role("dialog")
    press(page, "닉네임 변경")
    dialog.get_by_label("닉네임").fill(other["nickname"])
    page.keyboard.press("Enter")
    expect_error(dialog.get_by_label("닉네임"), "이미 사용 중인 닉네임입니다.")
    check_page(page, "account-change")
    dialog.get_by_label("닉네임").fill("별빛")
    page.keyboard.press("Enter")
    expect(page.get_by_text("별빛")).to_be_visible()
    press(page, "비밀번호 변경")
    dialog.get_by_label("현재 비밀번호").fill(PASSWORD)
    dialog.get_by_label("새 비밀번호").fill(NEW_PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("비밀번호를 바꿨어요.")).to_be_visible()
    submit(page, page.locator("main form"), email=member["email"], password=NEW_PASSWORD)
    press(page, "회원 탈퇴")
    for password in ["wrong", NEW_PASSWORD]:
        dialog.get_by_label("현재 비밀번호").fill(password)
        page.keyboard.press("Enter")
        if password == "wrong":
            expect_error(dialog.get_by_label("현재 비밀번호"), "현재 비밀번호가 올바르지 않아요.")
    expect(page.get_by_text("탈퇴했어요.")).to_be_visible()
    expect_no_password(page)


def test_access_token_is_refreshed(open_page, verified, chromium):
    """The tokens of this service expire after three seconds."""
    context = chromium.new_context(base_url=verified.url)
    member = join(context.request)
    page = open_page("/login?next=/account", base_url=verified.url)
    page.expected = [401]
    submit(page, page.locator("main form"), email=member["email"], password=PASSWORD)
    expect(page.get_by_text(member["email"])).to_be_visible()
    page.wait_for_timeout(3_500)
    press(page, "닉네임 변경")
    page.get_by_role("dialog").get_by_label("닉네임").fill("오래 본 회원")
    page.keyboard.press("Enter")
    expect_notified(page, "닉네임을 바꿨어요.")
    context.close()


def test_mail_page(open_page, api):
    """The mailbox shows each mail in a sandboxed frame, and the links of HTML and text work."""
    member = join(api)
    api.post("/api/v1/auth/password-reset", data={"email": member["email"]})
    page = open_page("/mail")
    mail = page.locator("details.mail").first
    expect(mail.locator("summary").first).to_contain_text(member["email"])
    expect(mail.locator("time")).to_have_text(re.compile(r"^20\d\d년 \d+월 \d+일 \d+시 \d\d분$"))
    for frame in page.locator("iframe").all():
        assert frame.get_attribute("sandbox") == "allow-popups allow-popups-to-escape-sandbox"
    check_page(page, "mail")
    with page.context.expect_page() as opened:
        mail.frame_locator("iframe").get_by_role("link", name="비밀번호 재설정하기").click()
    expect(opened.value.get_by_label("새 비밀번호", exact=True)).to_be_visible()
    # By keyboard: a click right after scrolling can reach the frame instead.
    mail.get_by_text("텍스트로 보기").press("Enter")
    mail.locator("pre").get_by_role("link").press("Enter")
    expect(page.get_by_label("새 비밀번호", exact=True)).to_be_visible()


def test_forgotten_password(open_page, api):
    """A member gets back in with the link of a mail, and verifies the address with another."""
    member = join(api)
    page = open_page("/forgot-password")
    page.expected = [400]
    check_page(page, "forgot-password")
    submit(page, page.locator("main form"), email="kim@")
    expect_error(page.get_by_label("이메일"), "올바른 이메일 형식이 아니에요.")
    submit(page, page.locator("main form"), email=member["email"])
    expect(page.get_by_role("heading", name="메일을 확인해 주세요")).to_be_visible()
    page.goto("/mail")
    page.frame_locator("iframe").first.get_by_role("link").first.wait_for()
    mail = page.request.get("/mail.json").json()[0]
    assert mail["to"] == member["email"], mail
    link = next(word for word in mail["text"].split() if "/reset-password#token=" in word)
    page.goto(link)
    check_page(page, "reset-password")
    page.locator("main form input[type=password]").first.fill(NEW_PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("비밀번호를 바꿨어요.")).to_be_visible()
    assert "token" not in page.url
    response = api.post("/api/v1/auth/login", data={"email": member["email"], "password": NEW_PASSWORD})
    assert response.status == 200, response.text()
