"""Failures of whole pages: a module that is missing or broken, and a browser without JavaScript."""

import pytest
from playwright.sync_api import expect

from conftest import check_page

MODULES = {"/": "events/event-card.js", "/login": "dom.js", "/account": "account/account-page.js"}
NETWORK, ERROR = "net::ERR_FAILED", "broken"


@pytest.mark.parametrize("path", MODULES)
@pytest.mark.parametrize("failure", [NETWORK, ERROR])
def test_module_that_fails(open_page, path, failure):
    page, module = open_page("/docs/"), f"**/{MODULES[path]}"
    page.expected = [failure]

    def fail(route):
        if failure == NETWORK:
            return route.abort()
        text = route.fetch().text()
        return route.fulfill(content_type="text/javascript", body=f"throw new Error('{failure}');{text}")

    page.route(module, fail)
    page.goto(path)
    page.unroute(module)
    expect(page.get_by_role("heading", level=1)).to_have_text("페이지를 불러오지 못했어요")
    check_page(page, "module-failure")
    page.get_by_role("button", name="다시 시도").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("페이지를 불러오지 못했어요")
    expect(page.get_by_role("banner").get_by_role("link", name="로그인")).to_be_visible()


def test_without_javascript(chromium, service):
    context = chromium.new_context(base_url=service, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    text = page.locator("main").inner_text().split("\n")
    assert [line for line in text if line] == [
        "페이지를 불러오지 못했어요", "브라우저 설정에서 자바스크립트를 켠 뒤 다시 시도해 주세요.", "다시 시도"]
    context.close()
