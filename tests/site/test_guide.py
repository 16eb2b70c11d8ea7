"""The examples of the front-end guide, the session that it describes, and requests of a page of another origin."""

import functools
import http.server
import re
import threading
import time

import pytest
from playwright.sync_api import expect

from conftest import FOLDER, ROOT, event, register
from pages import join

PAGE = """<!doctype html><html lang="ko"><meta charset="utf-8"><title>Other</title><link rel="icon" href="data:,">"""
SEND = """async ({ url, body, ...options }) => {
  const response = await fetch(url, { ...options, body: body && JSON.stringify(body), cache: "no-store" });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), data: text && JSON.parse(text).data };
}"""


def examples():
    """Returns the examples that use the modules of the site. They are the same in both languages."""
    guides = [(ROOT / "docs" / name).read_text() for name in ["front-end.md", "front-end.ko.md"]]
    english, korean = (re.findall(r'```js\n(import .*? from "\./.*?)```', guide, re.DOTALL) for guide in guides)
    assert english == korean, "the guides have different code"
    return english


def run(page, code, result, **variables):
    """Runs an example on a page of the site, and returns the value of an expression after it."""
    code = re.sub(r'import (\{.*?\}) from "\./(.*?)";', r'const \1 = await import("/site/\2");', code)
    return page.evaluate(f"async ({{ {', '.join(variables)} }}) => {{ {code}; return {result}; }}", variables)


def test_examples(open_page, api):
    purchase, hall = examples()
    shown, member = register(api, event(title="안내서의 공연")), join(api)
    time.sleep(2)  # until searches find a registration
    page = open_page("/")
    variables = {"title": shown["title"], "email": member["email"], "password": member["password"]}
    hold = run(page, purchase, "hold", **variables)
    assert hold["eventId"] == shown["id"] and hold["status"] == "HELD" and len(hold["seats"]) == 2, hold
    run(page, hall, "null", eventId=shown["id"], showId=shown["eventDatetimes"][0]["id"])
    expect(page.locator("hall-map .names text")).to_have_text(["1층 A28석", "2층 B2석"])


def test_simultaneous_requests_refresh_once(open_page, api):
    page, member = open_page("/"), join(api)
    page.expected = [401]
    refreshes = []
    page.on("request", lambda request: request.url.endswith("/auth/refresh") and refreshes.append(request))
    statuses = page.evaluate("""async ({ email, password }) => {
      const { authorized, logIn, pathOfMember } = await import("/site/service/session.js");
      await logIn({ email, password });
      const path = pathOfMember(), session = JSON.parse(localStorage.getItem("session"));
      localStorage.setItem("session", JSON.stringify({ ...session, accessToken: "expired" }));
      return Promise.all([1, 2].map(async () => (await authorized(path)).status));
    }""", member)
    assert statuses == [200, 200] and len(refreshes) == 1, (statuses, refreshes)


@pytest.fixture
def other_site():
    (FOLDER / "other.html").write_text(PAGE)
    files = functools.partial(http.server.SimpleHTTPRequestHandler, directory=FOLDER)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), files) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site
        site.shutdown()


def test_page_of_another_origin(open_page, api, service, other_site):
    shown, member = register(api, event()), join(api)
    register(api, event(1))
    page = open_page("/")
    page.is_examined = True  # The page of another origin reads its own address.
    page.goto(f"http://localhost:{other_site.server_port}/other.html")
    send = lambda path, **options: page.evaluate(SEND, {"url": f"{service}{path}", **options})
    show = f"/api/v1/events/{shown['id']}/dates/{shown['eventDatetimes'][0]['id']}"

    assert 'rel="next"' in send("/api/v1/events?limit=1")["headers"]["link"]
    tag = send(f"{show}/availability")["headers"]["etag"]
    assert send(f"{show}/availability", headers={"If-None-Match": tag})["status"] == 304
    json = {"Content-Type": "application/json"}
    login = {"email": member["email"], "password": member["password"]}
    token = send("/api/v1/auth/login", method="POST", headers=json, body=login)["data"]["accessToken"]
    headers = {**json, "Authorization": f"Bearer {token}", "Idempotency-Key": "key", "traceparent": "00-1-1-00"}
    body = {"seatIds": [shown["areas"][0]["seats"][1]["id"]]}
    hold = send(f"{show}/holds", method="POST", headers=headers, body=body)
    assert hold["status"] == 201 and hold["headers"]["location"].endswith(hold["data"]["id"]), hold
    released = send(hold["headers"]["location"], method="DELETE", headers={"Authorization": f"Bearer {token}"})
    assert released["status"] == 204 and "x-request-id" in released["headers"], released
    unknown = send(f"{show}/holds", method="POST", headers={**headers, "Authorization": "Bearer other"}, body=body)
    assert unknown["status"] == 401 and "www-authenticate" in unknown["headers"], unknown
