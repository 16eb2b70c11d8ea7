"""Tests of the TypeScript code of the front-end guide, in a page of another origin than the service."""

import http.server
import io
import pathlib
import re
import subprocess
import tarfile
import tempfile
import threading
import urllib.request

from playwright.sync_api import expect

from browser_seats import expect_bitmaps, join, path_of, register_show
from browser_support import ROOT, URL, expect_accessible, open_page, screenshot

PAGE = b"""<!doctype html><html lang="ko"><meta charset="utf-8"><title>Hall</title><link rel="icon" href="data:,">
<main><h1>Hall</h1><div id="hall" style="width: 600px"></div></main>"""
COMPILER = "https://registry.npmjs.org/typescript/-/typescript-5.9.3.tgz"


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def compiled():
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
    code = compiled()
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    with open_page(browser, "/") as page:
        shown, login = register_show(page), join(page)
    with open_page(browser, "/", expected=[401, 404, 409]) as page:
        # Pages of localhost are secure, which the lock of a session needs.
        page.goto(f"http://localhost:{site.server_port}")
        page.add_script_tag(content=code)
        expect_bitmaps(page)
        lists(page, shown)
        choose(page, shown)
        hold_seats(page, shown, login)


def lists(page, shown):
    ids = page.evaluate("""async () => {
      const ids = [];
      for await (const { id } of listEvents()) ids.push(id);
      return ids;
    }""")
    assert shown["id"] in ids and len(ids) == len(set(ids)) > 20, ids
    search = "async words => (await search(words, { ticketing: 'open' })).events.map(({ id }) => id)"
    # A registration shows in searches within two seconds.
    arguments = [shown["title"], shown["id"]]
    page.wait_for_function(f"async ([words, id]) => (await ({search})(words)).includes(id)", arg=arguments)


def choose(page, shown):
    """Chooses an area and a seat by keyboard, and another seat by mouse."""
    page.evaluate("""async path => {
      const event = await data(await fetch(new URL(path, BASE_URL)));
      const host = document.getElementById("hall");
      drawHall(host, event, ({ price }) => price > 100_000 ? "#b91c1c" : "#1d4ed8");
      zoom(host, false);
      window.chosen = new Set();
      host.addEventListener("area", ({ detail: area }) => {
        window.area = area;
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
    areas = page.locator("#hall").get_by_role("button")
    expect(areas).to_have_count(2)
    page.keyboard.press("Tab")
    expect(areas.nth(0)).to_be_focused()
    expect(areas.nth(0)).to_have_attribute("aria-label", "1층 A구역 132,000원")
    page.keyboard.press("ArrowRight")
    expect(areas.nth(1)).to_be_focused()
    expect(areas.nth(1).locator(".area-data")).to_have_css("stroke", "rgb(234, 88, 12)")
    expect_accessible(page)
    screenshot(page, "guide-hall")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    seats = page.locator("#hall").get_by_role("checkbox")
    expect(seats).to_have_count(30)
    zoomed = seats.nth(0).bounding_box()["width"]
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(seats.nth(1)).to_be_focused()
    expect(seats.nth(1)).to_have_css("stroke", "rgb(234, 88, 12)")
    page.keyboard.press(" ")
    expect(seats.nth(1)).to_have_attribute("aria-checked", "true")
    seats.nth(2).click()
    expect(seats.nth(2)).to_have_attribute("aria-label", "1열 3번, 선택함")
    expect(seats.nth(3)).to_have_attribute("aria-label", "1열 4번, 선택 가능")
    expect_accessible(page)
    screenshot(page, "guide-seats")
    page.evaluate("zoom(document.getElementById('hall'), false)")
    assert seats.nth(0).bounding_box()["width"] < zoomed


def hold_seats(page, shown, login):
    path = path_of(shown)
    page.evaluate("""path => {
      window.views = [];
      watch(path, ({ areas: [first] }) => { views.push(first.free); showSeats(decodeTaken(first.taken)); },
        new AbortController().signal);
    }""", path)
    page.wait_for_function("() => views.at(-1) === 30")
    watch_unknown = "path => watch(path + 'x', () => {}, new AbortController().signal).catch(({ code }) => code)"
    assert page.evaluate(watch_unknown, path) == "E_002"
    wrong = page.evaluate("email => logIn(email, 'wrong').catch(({ code, message }) => [code, message])", login["email"])
    assert wrong[0] == "AL_001", wrong
    page.evaluate("({ email, password }) => logIn(email, password)", login)
    # An access token that is not accepted is refreshed once, for both requests.
    page.evaluate("() => writeSession({ ...readSession(), accessToken: 'expired' })")
    refreshes = []
    page.on("request", lambda request: request.url.endswith("/auth/refresh") and refreshes.append(request))
    hold, again = page.evaluate("path => Promise.all([1, 2].map(() => hold(path, [...chosen], 'key')))", path)
    posts = [request for request in refreshes if request.method == "POST"]
    assert len(posts) == 1 and hold == again and hold["status"] == "HELD", (posts, hold, again)
    assert hold["amount"] == 2 * shown["areas"][0]["price"], hold
    page.evaluate("() => chosen.clear()")
    seats = page.locator("#hall").get_by_role("checkbox")
    expect(seats.nth(1)).to_have_attribute("aria-disabled", "true")
    page.wait_for_function("() => views.at(-1) === 28")
    ids = [shown["areas"][0]["seats"][index]["id"] for index in (1, 3)]
    failure = "([path, ids]) => hold(path, ids, 'other').catch(({ code, errors }) => [code, errors])"
    taken = page.evaluate(failure, [path, ids])
    assert taken[0] == "H_001" and [error["value"] for error in taken[1]] == ids[:1], taken
    release = "async path => (await authorized(path, { method: 'DELETE' })).status"
    status = page.evaluate(release, f"{path}/holds/{hold['id']}")
    assert status == 204, status
    page.wait_for_function("() => views.at(-1) === 30")


TESTS = [guide]
