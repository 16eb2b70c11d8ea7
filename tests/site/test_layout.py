"""Layout of pages: text of twice the size fits a phone, and nothing moves while a page loads."""

import pytest

from conftest import CHROMIUM, MANAGER, SCREENS, event, register
from pages import authorize, buy, hold, join

PATHS = ["/", "/events/{event}", "/events/{event}/shows/{show}", "/login", "/join", "/forgot-password", "/account", "/tickets",
         "/tickets/{event}/{show}/{hold}",
         "/manager", "/manager/events/{event}", "/manager/events/{event}/shows/{show}", "/manager/new", "/docs/"]


@pytest.fixture(scope="module")
def large_text(chromium, service):
    """Page with the font size of the browser doubled, of a manager who is logged in as a member with a hold."""
    browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--blink-settings=defaultFontSize=32"])
    context = browser.new_context(base_url=service, viewport=SCREENS["phone"], locale="ko-KR")
    shown, member = register(context.request, event(title="뮤지컬 〈달빛 우체국〉")), join(context.request)
    hold(context.request, member, shown, [0])
    sold = buy(context.request, member, shown, [1, 2])
    page = context.new_page()
    page.ids = {"event": shown["id"], "show": shown["eventDatetimes"][0]["id"], "hold": sold["id"]}
    page.goto("/login")
    page.locator("[type=email]").fill(member["email"])
    page.locator("[type=password]").fill(member["password"])
    page.keyboard.press("Enter")
    page.get_by_role("button", name="로그아웃").wait_for()
    page.evaluate(f"localStorage.setItem('manager', '{MANAGER}')")
    yield page
    browser.close()


@pytest.mark.parametrize("path", PATHS)
def test_large_text_fits_phone(large_text, path):
    large_text.goto(path.format(**large_text.ids), wait_until="networkidle")
    assert large_text.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert large_text.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", PATHS[:3])
def test_nothing_moves(chromium, api, service, path, screen):
    """On a slow connection, what comes later does not push away what somebody reads."""
    shown = [register(api, event(number, title=f"느린 공연 {number}")) for number in range(3)][0]
    context = chromium.new_context(base_url=service, viewport=SCREENS[screen], locale="ko-KR")
    page = context.new_page()
    network = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", network)
    page.add_init_script("""
      window.shifts = [];
      const observe = list => shifts.push(...list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput).map(({ value }) => value));
      new PerformanceObserver(observe).observe({ type: "layout-shift", buffered: true });""")
    page.goto(path.format(event=shown["id"], show=shown["eventDatetimes"][0]["id"]), wait_until="networkidle")
    page.locator("main :is(.cards li, .price-list strong, hall-map .area)").first.wait_for(state="attached")
    assert sum(page.evaluate("shifts")) <= 0.05
    context.close()
