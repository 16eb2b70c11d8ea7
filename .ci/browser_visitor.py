"""Tests of the pages for visitors and members, and of the code of the front-end guide: `.ci/run browser`."""

import functools
import http.server
import io
import itertools
import pathlib
import re
import subprocess
import tarfile
import tempfile
import threading
import time
import urllib.request

from playwright.sync_api import expect

from browser_support import FOLDER, HOSTILE, ROOT, URL, VERIFIED, check_page, event, open_page, press, register, run

DAY = 86400
SEARCH = "제목, 출연자, 장소, 장르"
FAILURE = {"message": "잠시 후 다시 시도해 주세요.", "code": "S_003"}
PASSWORD, NEW_PASSWORD = "secret", "new secret"
WRONG_CREDENTIALS = "이메일 또는 비밀번호가 올바르지 않습니다."
numbers = itertools.count(1)


def expect_status(page, text):
    expect(page.locator("#status")).to_have_text(text)


def expect_alert(page, text):
    expect(page.get_by_role("alert").filter(has_text=text)).to_be_visible()


# Events


def list_of_events(browser):
    with open_page(browser, "/") as page:
        expect(page.get_by_role("heading", name="아직 등록된 공연이 없습니다")).to_be_visible()
        check_page(page, "empty")
        for number in range(1, 12):
            register(page.request, event(number))
        register(page.request, event(12, title=HOSTILE, artist=HOSTILE, place=HOSTILE, description=HOSTILE))
        days = [1745643600 + DAY * day for day in range(5)]
        register(page.request, event(13, title="여러 날의 공연", eventDatetimes=days))
    for scheme, zone in [("light", "Asia/Seoul"), ("dark", "America/New_York")]:
        with open_page(browser, "/", zone, color_scheme=scheme) as page:
            cards = page.locator("article")
            expect(cards).to_have_count(12)
            expect(cards.nth(0).locator("time").nth(1)).to_have_text("2025년 4월 26일 오후 2:00 KST")
            cards.nth(0).get_by_text("외 2회").click()
            expect(cards.nth(0).get_by_text("2025년 4월 30일 오후 2:00 KST")).to_be_visible()
            for text in [".artist", "h2", ".description", ".place"]:
                expect(cards.nth(1).locator(text)).to_have_text(HOSTILE)
            for poster in page.locator("img.poster").all():
                poster.scroll_into_view_if_needed()
            page.wait_for_function("() => [...document.querySelectorAll('img.poster')].every(p => p.naturalWidth > 0)")
            check_page(page, f"events-{scheme}")
            press(page, "더 보기")
            expect(cards).to_have_count(13)
            expect(cards.nth(12).get_by_role("button", name="좌석 배치도")).to_be_focused()
            cards.nth(0).get_by_role("button", name="좌석 배치도").click()
            page.wait_for_function("() => document.querySelector('#seat-map img').naturalWidth > 0")
            check_page(page, f"seat-map-{scheme}")
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_be_hidden()


def search(browser):
    now = int(time.time())
    with open_page(browser, "/", expected=[400, 503]) as page:
        for title, ticketing, shows in [
            ("재즈 나잇", now - DAY, [now - DAY, now + 9 * DAY]),
            ("겨울 연극", now - 2 * DAY, [now + 3 * DAY]),
            ("여름 뮤지컬", now + DAY, [now + 5 * DAY]),
        ]:
            fields = {"title": title, "artist": "뉴진스", "ticketingOpenTime": ticketing, "eventDatetimes": shows}
            register(page.request, event(0, **fields))
        # A registration shows in searches within two seconds.
        time.sleep(2)
        titles, field = page.locator("article h2"), page.get_by_label(SEARCH)

        def expect_found(words, found):
            field.fill(words)
            page.keyboard.press("Enter")
            expect(titles).to_have_text(found)

        expect_found("연극 뉴진스", ["겨울 연극"])
        expect_found("없는 공연", [])
        expect(page.get_by_role("heading", name="조건에 맞는 공연이 없습니다")).to_be_visible()
        expect_found("ㄴㅈㅅ", ["겨울 연극", "여름 뮤지컬", "재즈 나잇"])
        for label, days, found in [("공연일 시작", 4, ["여름 뮤지컬", "재즈 나잇"]), ("공연일 끝", 7, ["여름 뮤지컬"])]:
            page.get_by_label(label).fill(time.strftime("%Y-%m-%d", time.gmtime(now + days * DAY + 9 * 3600)))
            page.keyboard.press("Enter")
            expect(titles).to_have_text(found)
        for label in ["공연일 시작", "공연일 끝"]:
            page.get_by_label(label).fill("")
        for label, option, found in [
            ("정렬", "최근 등록순", ["여름 뮤지컬", "겨울 연극", "재즈 나잇"]),
            ("정렬", "예매 시작순", ["겨울 연극", "재즈 나잇", "여름 뮤지컬"]),
            ("예매", "예매 중", ["겨울 연극", "재즈 나잇"]),
        ]:
            page.get_by_label(label, exact=True).select_option(option)
            expect(titles).to_have_text(found)
        expect_found("가" * 51, [])
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_be_focused()
        check_page(page, "search-error")
        page.route("**/api/v1/events?*", lambda route: route.fulfill(status=503, json=FAILURE))
        expect_found("뉴진스", [])
        expect_alert(page, FAILURE["message"])
        page.unroute("**/api/v1/events?*")
        press(page, "검색")
        expect(titles).to_have_text(["겨울 연극", "재즈 나잇"])


def api_reference(browser):
    with open_page(browser, "/docs") as page:
        paths = page.request.get("/openapi.json").json()["paths"]
        expect(page.locator(".opblock")).to_have_count(sum(len(methods) for methods in paths.values()))
        section = page.locator("[id$='-members-join']")
        section.locator(".opblock-summary-control").click()
        section.get_by_role("button", name="Execute").click()
        expect(section.locator(".live-responses-table .response-col_status").last).to_contain_text("201")


# Account


def form(page, title):
    return page.locator("#account section", has=page.get_by_role("heading", name=title))


def submit(form, button, **fields):
    labels = {"email": "이메일", "name": "이름", "nickname": "닉네임", "password": "비밀번호"}
    for name, value in fields.items():
        form.get_by_label(labels[name], exact=True).fill(value)
    form.get_by_role("button", name=button).click()


def expect_logged_in(page, nickname):
    expect(page.locator("#account dd", has_text=nickname)).to_be_visible()


def expect_no_password(page):
    """Waits until no field holds a password, and no storage of the page holds more than the session."""
    page.wait_for_function("""() => [
      ...[...document.querySelectorAll('input[type=password]')].map(input => input.value),
      ...Object.keys(localStorage).filter(key => key !== 'session'), ...Object.values(sessionStorage), document.cookie,
    ].every(value => value === '') && !localStorage.session?.includes('secret')""", timeout=5000)


def account(browser):
    """Joins, logs in in two tabs, changes nickname and password, and withdraws."""
    with open_page(browser, "/#account", expected=[400, 401, 409]) as page:
        joining, login, dialog = form(page, "회원가입"), form(page, "로그인"), page.get_by_role("dialog")
        submit(joining, "회원가입", email="kim@", name=HOSTILE[:20], nickname="", password=PASSWORD)
        email, nickname = joining.get_by_label("이메일"), joining.get_by_label("닉네임")
        expect(email).to_be_focused()
        expect(email).to_have_accessible_description("올바른 이메일 형식이 아닙니다.")
        expect(nickname).to_have_accessible_description("필수 입력값입니다.")
        check_page(page, "account-errors")
        submit(joining, "회원가입", email="kim@naver.com", nickname="달빛")
        expect_status(page, "회원가입이 완료되었습니다.")
        for text in ["kim@naver.com", HOSTILE[:20], "달빛"]:
            expect_logged_in(page, text)
        expect_no_password(page)
        press(page, "로그아웃")
        fields = {"email": "lee@example.com", "name": "이영희", "nickname": "달빛", "password": PASSWORD}
        submit(joining, "회원가입", **fields)
        expect(nickname).to_have_accessible_description("이미 사용 중인 닉네임입니다.")
        submit(joining, "회원가입", nickname="햇빛")
        expect_status(page, "회원가입이 완료되었습니다.")

        other = page.context.new_page()
        other.goto("/#account")
        expect_logged_in(other, "햇빛")
        token = other.evaluate("readSession().refreshToken")
        press(page, "로그아웃")
        expect(form(other, "로그인")).to_be_visible()
        assert page.request.post("/api/v1/auth/refresh", data={"refreshToken": token}).status == 401
        submit(login, "로그인", email="lee@example.com", password="wrong")
        expect(login.get_by_label("비밀번호")).to_have_accessible_description(WRONG_CREDENTIALS)
        submit(login, "로그인", password=PASSWORD)
        expect_logged_in(page, "햇빛")
        expect_no_password(page)
        check_page(page, "account")

        press(page, "닉네임 변경")
        for name in ["달빛", "별빛"]:
            dialog.get_by_label("닉네임").fill(name)
            page.keyboard.press("Enter")
            if name == "달빛":
                expect(dialog.get_by_label("닉네임")).to_have_accessible_description("이미 사용 중인 닉네임입니다.")
                check_page(page, "account-change")
        expect_logged_in(page, "별빛")
        press(page, "비밀번호 변경")
        dialog.get_by_label("현재 비밀번호").fill(PASSWORD)
        dialog.get_by_label("새 비밀번호").fill(NEW_PASSWORD)
        page.keyboard.press("Enter")
        expect_status(page, "비밀번호가 변경되었습니다. 새 비밀번호로 다시 로그인해 주세요.")
        submit(login, "로그인", email="lee@example.com", password=NEW_PASSWORD)
        press(page, "회원 탈퇴")
        for password in ["wrong", NEW_PASSWORD]:
            dialog.get_by_label("현재 비밀번호").fill(password)
            page.keyboard.press("Enter")
            if password == "wrong":
                expect(dialog.get_by_label("현재 비밀번호")).to_have_accessible_description("현재 비밀번호가 올바르지 않습니다.")
        expect_status(page, "회원 탈퇴가 완료되었습니다.")
        expect_no_password(page)
        submit(login, "로그인", email="lee@example.com", password=NEW_PASSWORD)
        expect(login.get_by_label("비밀번호")).to_have_accessible_description(WRONG_CREDENTIALS)


def expired_token(browser):
    """Access tokens of this service expire within three seconds."""
    # A reload aborts the responses whose body nobody has read.
    expected = [401, 503, "net::ERR_ABORTED"]
    with open_page(browser, f"{VERIFIED}/#account", expected=expected) as page:
        submit(form(page, "회원가입"), "회원가입", email="lee@example.com", name="이영희", nickname="별빛", password=PASSWORD)
        expect_logged_in(page, "별빛")
        refreshes = []
        page.context.on("request", lambda request: request.url.endswith("/auth/refresh") and refreshes.append(request))
        other = page.context.new_page()
        other.goto(f"{VERIFIED}/#events", wait_until="networkidle")
        # Two requests of each tab, all with the same expired token
        page.wait_for_timeout(3500)
        path = page.evaluate("pathOfMember(readMemberId())")
        for tab in [page, other]:
            tab.evaluate("path => { window.responses = Promise.all([authorized(path), authorized(path)]); }", path)
        for tab in [page, other]:
            assert tab.evaluate("async () => (await responses).map(response => response.status)") == [200, 200]
        assert len(refreshes) == 1, refreshes
        # An error of the service does not log out.
        page.wait_for_timeout(3500)
        page.route("**/auth/refresh", lambda route: route.fulfill(status=503, json=FAILURE))
        page.reload()
        expect_alert(page, FAILURE["message"])
        page.unroute("**/auth/refresh")
        press(page, "다시 시도")
        expect_logged_in(page, "별빛")
        # A new password elsewhere ends the session.
        passwords = {"password": PASSWORD, "newPassword": NEW_PASSWORD}
        assert page.request.patch(f"{VERIFIED}{path}", data=passwords).ok
        page.wait_for_timeout(3500)
        press(page, "닉네임 변경")
        page.get_by_role("dialog").get_by_label("닉네임").fill("새벽빛")
        page.keyboard.press("Enter")
        expect_status(page, "로그인이 만료되었습니다. 다시 로그인해 주세요.")
        expect(form(page, "로그인")).to_be_visible()
        check_page(page, "account-expired")


# Seats


def register_show(page):
    """Registers an event on sale with two areas, and returns it."""
    now, area = int(time.time()), event(0)["areas"][0]
    rows = [{"cx": 20 + 18 * number, "cy": 20 + 20 * row, "row": row, "number": number}
            for row in (1, 2, 3) for number in range(1, 11)]
    areas = [{**area, "seats": rows}, {**area, "label": "2층 B", "price": 99000.5, "seats": rows[:2]}]
    return register(page.request, event(
        0, title=f"좌석 공연 {next(numbers)}", ticketingOpenTime=now - DAY, eventDatetimes=[now + 7 * DAY], areas=areas))


def join(page):
    """Registers a member, and returns the fields of their login."""
    member = next(numbers)
    login = {"email": f"seats{member}@example.com", "password": PASSWORD}
    fields = {**login, "name": "좌석", "nickname": f"좌석회원{member}"}
    assert page.request.post("/api/v1/auth/join", data=fields).status == 201
    return login


def log_in(page, login):
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("이메일").fill(login["email"])
    dialog.get_by_label("비밀번호").fill(login["password"])
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()


def hold_elsewhere(page, login, shown, *seats):
    """Holds seats of the first area with the API."""
    session = page.request.post("/api/v1/auth/login", data=login).json()["data"]
    headers = {"Authorization": f"Bearer {session['accessToken']}"}
    ids = [shown["areas"][0]["seats"][index]["id"] for index in seats]
    assert page.request.post(f"{path_of(shown)}/holds", headers=headers, data={"seatIds": ids}).status == 201


def path_of(shown):
    return f"/api/v1/events/{shown['id']}/dates/{shown['eventDatetimes'][0]['id']}"


def show_seats(page, shown):
    page.goto(f"/#seats/{shown['id']}/{shown['eventDatetimes'][0]['id']}")
    expect(page.locator("#booking")).to_be_visible()


def seat(page, row, number):
    return page.locator(f"#plan circle[aria-label^='{row}열 {number}번,']")


def expect_state(page, row, number, state):
    expect(seat(page, row, number)).to_have_attribute("aria-label", re.compile(f", {state}$"))


def expect_panel(page, title, *seats):
    expect(page.locator("#choice h2")).to_have_text(title)
    expect(page.locator("#choice li")).to_have_text(seats)


def hold_and_buy(browser):
    with open_page(browser, "/", expected=[401, "net::ERR_ABORTED"]) as page:
        shown, login = register_show(page), join(page)
        page.reload(wait_until="networkidle")
        page.get_by_role("link", name=re.compile(f"^{shown['title']} .* 좌석 선택$")).click()
        areas = page.locator("#areas button")
        expect(areas).to_have_text(["1층 A 132,000원 30석 남음", "2층 B 99,000.5원 2석 남음"])
        seat(page, 1, 1).click()
        seat(page, 1, 2).click()
        areas.nth(1).click()
        seat(page, 1, 1).click()
        chosen = ["1층 A구역 1열 1번 · 132,000원", "1층 A구역 1열 2번 · 132,000원", "2층 B구역 1열 1번 · 99,000.5원"]
        expect_panel(page, "선택한 좌석", *chosen)
        expect(page.locator("#choice")).to_contain_text("합계 363,000.5원")
        check_page(page, "seats-chosen")
        press(page, "좌석 선점")
        log_in(page, login)
        expect_panel(page, "선점한 좌석", *chosen)
        expect(page.get_by_role("timer")).to_have_text(re.compile(r"^남은 시간 (10:00|9:5\d)$"))
        check_page(page, "seats-held")

        other = page.context.new_page()
        show_seats(other, shown)
        expect_state(other, 1, 2, "선택 불가")
        page.reload()
        expect_panel(page, "선점한 좌석", *chosen)
        press(page, "선점 해제")
        expect_status(page, "선점을 해제했습니다.")
        expect_state(other, 1, 2, "선택 가능")

        seat(page, 2, 5).click()
        press(page, "좌석 선점")
        press(page, "결제 완료로 확정")
        expect_panel(page, "예매한 좌석", "1층 A구역 2열 5번 · 132,000원")
        check_page(page, "seats-sold")
        page.reload()
        expect_panel(page, "예매한 좌석", "1층 A구역 2열 5번 · 132,000원")
        expect_state(other, 2, 5, "선택 불가")
        press(page, "주문 취소")
        expect_state(other, 2, 5, "선택 가능")


def keyboard(browser):
    with open_page(browser, "/", expected=[401], color_scheme="dark") as page:
        shown, login = register_show(page), join(page)
        hold_elsewhere(page, join(page), shown, 0)
        show_seats(page, shown)
        page.locator("#areas button").last.focus()
        page.keyboard.press("Tab")
        for key, row, number in [("ArrowRight", 1, 2), ("ArrowDown", 2, 2), ("ArrowRight", 2, 3), ("ArrowUp", 1, 3)]:
            page.keyboard.press(key)
            expect(seat(page, row, number)).to_be_focused()
        page.keyboard.press(" ")
        expect_state(page, 1, 3, "선택함")
        expect_state(page, 1, 1, "선택 불가")
        check_page(page, "seats-dark")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        log_in(page, login)
        expect_panel(page, "선점한 좌석", "1층 A구역 1열 3번 · 132,000원")


def taken_seats(browser):
    """Another member takes a seat that this one has chosen, before and after the page knows it."""
    with open_page(browser, "/", expected=[401, 409]) as page:
        shown, member, other = register_show(page), join(page), join(page)
        show_seats(page, shown)
        for number in (1, 2, 3, 4, 5):
            seat(page, 1, number).click()
        expect_status(page, "좌석은 4석까지 선택할 수 있습니다.")
        hold_elsewhere(page, other, shown, 0)
        error = page.locator("#choice-error")
        expect(error).to_contain_text("선택할 수 없게 된 좌석을 제외했습니다.")
        stale = page.request.get(f"{path_of(shown)}/availability").text()
        page.route("**/availability", lambda route: route.fulfill(body=stale, content_type="application/json"))
        hold_elsewhere(page, other, shown, 1)
        press(page, "좌석 선점")
        log_in(page, member)
        expect(error).to_contain_text("예매할 수 없는 좌석이 있습니다.")
        page.unroute("**/availability")
        expect_panel(page, "선택한 좌석", "1층 A구역 1열 3번 · 132,000원", "1층 A구역 1열 4번 · 132,000원")
        expect_state(page, 1, 2, "선택 불가")
        check_page(page, "seats-lost")


def lost_response(browser):
    """A hold whose response is lost is found by the next attempt. Another member does not see it."""
    with open_page(browser, "/", expected=[401, 404, "net::ERR_FAILED"]) as page:
        shown, first, second = register_show(page), join(page), join(page)
        show_seats(page, shown)
        page.evaluate("login => logIn(login).then(() => true)", first)
        seat(page, 1, 1).click()
        keys = []

        def lose(route):
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) > 1:
                return route.continue_()
            assert route.fetch().status == 201
            route.abort()

        page.route("**/holds", lose)
        press(page, "좌석 선점")
        expect(page.locator("#choice-error")).to_contain_text("서비스에 연결하지 못했습니다.")
        press(page, "좌석 선점")
        expect_panel(page, "선점한 좌석", "1층 A구역 1열 1번 · 132,000원")
        assert len(keys) == 2 and keys[0] == keys[1], keys
        page.evaluate("login => logIn(login).then(() => true)", second)
        page.get_by_role("link", name="공연", exact=True).click()
        page.go_back()
        expect_panel(page, "선택한 좌석")


def expiry(browser):
    with open_page(browser, "/", expected=[401]) as page:
        shown, login = register_show(page), join(page)
        show_seats(page, shown)
        page.evaluate("login => logIn(login).then(() => true)", login)

        def change(route):
            response = route.fetch()
            body = response.json()
            if route.request.method == "POST":
                body["data"]["expiresAt"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
            else:
                body["data"]["status"] = "EXPIRED"
            route.fulfill(response=response, json=body)

        page.route("**/holds**", change)
        seat(page, 1, 1).click()
        press(page, "좌석 선점")
        expect_panel(page, "선점한 좌석", "1층 A구역 1열 1번 · 132,000원")
        expect(page.locator("#choice h2")).to_have_text("선점 시간이 끝났습니다")
        check_page(page, "seats-expired")
        press(page, "다른 좌석 선택")
        expect_panel(page, "선택한 좌석")


# The front-end guide

PAGE = """<!doctype html><html lang="ko"><meta charset="utf-8"><title>Hall</title><link rel="icon" href="data:,">
<main><h1>Hall</h1><div id="hall" style="width: 600px"></div></main>"""
COMPILER = "https://registry.npmjs.org/typescript/-/typescript-5.9.3.tgz"


def compile_guide():
    """Checks the types of the code, which is the same in both languages but for comments, and returns its JavaScript."""
    guides = [(ROOT / "docs" / name).read_text() for name in ["front-end.md", "front-end.ko.md"]]
    codes = ["".join(re.findall(r"```ts\n(.*?)```", guide, re.DOTALL)) for guide in guides]
    assert len({re.sub(r"//.*|/\*\*.*", "", code) for code in codes}) == 1, "the guides have different code"
    with tempfile.TemporaryDirectory() as folder:
        # The package has no dependencies, so npm is not needed.
        package = urllib.request.urlopen(COMPILER).read()
        tarfile.open(fileobj=io.BytesIO(package)).extractall(folder, filter="data")
        source = pathlib.Path(folder) / "guide.ts"
        source.write_text(codes[0])
        flags = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"]
        subprocess.run(["node", "package/lib/tsc.js", *flags, source], cwd=folder, check=True)
        return source.with_suffix(".js").read_text().replace("http://localhost:3000", URL)


def guide(browser):
    code = compile_guide()
    (FOLDER / "guide.html").write_text(PAGE)
    files = functools.partial(http.server.SimpleHTTPRequestHandler, directory=FOLDER)
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), files)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    with open_page(browser, "/", expected=[401, 404, 409]) as page:
        shown, login = register_show(page), join(page)
        # A registration shows in searches within two seconds.
        time.sleep(2)
        # A page of another origin than the service. Those of localhost are secure, which the lock of a session needs.
        page.goto(f"http://localhost:{site.server_port}/guide.html")
        page.add_script_tag(content=code)
        ids = page.evaluate("async () => { const ids = []; for await (const { id } of listEvents()) ids.push(id); return ids; }")
        assert shown["id"] in ids and len(ids) == len(set(ids)) > 20, ids
        found = page.evaluate("async words => (await search(words, { ticketing: 'open' })).events[0].id", shown["title"])
        assert found == shown["id"]
        choose(page, shown)
        hold_seats(page, shown, login)


def choose(page, shown):
    """Chooses an area and a seat by keyboard, and another seat by mouse."""
    page.evaluate("""async path => {
      const event = await data(await fetch(new URL(path, BASE_URL)));
      const host = document.getElementById("hall");
      drawHall(host, event, ({ price }) => price > 100_000 ? "#b91c1c" : "#1d4ed8");
      zoom(host, false);
      window.chosen = new Set();
      host.addEventListener("area", ({ detail: area }) => {
        const show = drawSeats(host, area);
        window.showSeats = taken => show(index =>
          window.chosen.has(area.seats[index].id) ? "chosen" : taken(index) ? "taken" : "free");
        window.showSeats(() => false);
        zoom(host, true);
      });
      host.addEventListener("seat", ({ detail: seat }) => {
        window.chosen.add(seat.id);
        window.showSeats(() => false);
      });
    }""", f"/api/v1/events/{shown['id']}/detail")
    areas, seats = page.locator("#hall").get_by_role("button"), page.locator("#hall").get_by_role("checkbox")
    page.keyboard.press("Tab")
    expect(areas.nth(0)).to_be_focused()
    expect(areas.nth(0)).to_have_attribute("aria-label", "1층 A구역 132,000원")
    page.keyboard.press("ArrowRight")
    expect(areas.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(seats).to_have_count(30)
    for key in ["Tab", "ArrowRight", " "]:
        page.keyboard.press(key)
    expect(seats.nth(1)).to_have_attribute("aria-checked", "true")
    seats.nth(2).click()
    expect(seats.nth(2)).to_have_attribute("aria-label", "1열 3번, 선택함")
    expect(seats.nth(3)).to_have_attribute("aria-label", "1열 4번, 선택 가능")


def hold_seats(page, shown, login):
    path = path_of(shown)
    page.evaluate("""path => {
      window.views = [];
      watch(path, ({ areas: [first] }) => { views.push(first.free); showSeats(decodeTaken(first.taken)); },
        new AbortController().signal);
    }""", path)
    page.wait_for_function("() => views.at(-1) === 30")
    page.evaluate("({ email, password }) => logIn(email, password)", login)
    # An access token that is not accepted is refreshed once, for both requests.
    page.evaluate("() => writeSession({ ...readSession(), accessToken: 'expired' })")
    refreshes = []
    page.on("request", lambda request: request.url.endswith("/auth/refresh") and refreshes.append(request.method))
    hold, again = page.evaluate("path => Promise.all([1, 2].map(() => hold(path, [...chosen], 'key')))", path)
    assert refreshes.count("POST") == 1 and hold == again and hold["status"] == "HELD", (refreshes, hold, again)
    page.evaluate("() => chosen.clear()")
    expect(page.locator("#hall").get_by_role("checkbox").nth(1)).to_have_attribute("aria-disabled", "true")
    page.wait_for_function("() => views.at(-1) === 28")
    ids = [shown["areas"][0]["seats"][index]["id"] for index in (1, 3)]
    failure = "([path, ids]) => hold(path, ids, 'other').catch(({ code, errors }) => [code, errors])"
    taken = page.evaluate(failure, [path, ids])
    assert taken[0] == "H_001" and [error["value"] for error in taken[1]] == ids[:1], taken
    release = "async path => (await authorized(path, { method: 'DELETE' })).status"
    assert page.evaluate(release, f"{path}/holds/{hold['id']}") == 204
    page.wait_for_function("() => views.at(-1) === 30")


run(
    list_of_events, search, account, expired_token, hold_and_buy, keyboard, taken_seats, lost_response, expiry, guide,
    api_reference,
)
