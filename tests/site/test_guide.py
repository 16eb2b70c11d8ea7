"""The code of the front-end guide: its types, and its functions in a page of another origin than the service."""

import functools
import http.server
import pathlib
import re
import subprocess
import tempfile
import threading
import time

import pytest

from conftest import FOLDER, ROOT, event, register
from pages import join

PAGE = """<!doctype html><html lang="ko"><meta charset="utf-8"><title>Guide</title><link rel="icon" href="data:,">"""


def compile_guide(url):
    """Checks the types of the code, which is the same in both languages but for comments, and returns its JavaScript."""
    guides = [(ROOT / "docs" / name).read_text() for name in ["front-end.md", "front-end.ko.md"]]
    codes = ["".join(re.findall(r"```ts\n(.*?)```", guide, re.DOTALL)) for guide in guides]
    assert len({re.sub(r"//.*|/\*\*.*", "", code) for code in codes}) == 1, "the guides have different code"
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "guide.ts"
        source.write_text(codes[0])
        subprocess.run(["openapi-typescript", ROOT / "openapi.json", "-o", "api.d.ts"], cwd=folder, check=True)
        flags = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"]
        subprocess.run(["tsc", *flags, source], cwd=folder, check=True)
        return source.with_suffix(".js").read_text().replace("http://localhost:3000", url).replace("export {};", "")


@pytest.fixture
def other_site():
    (FOLDER / "guide.html").write_text(PAGE)
    files = functools.partial(http.server.SimpleHTTPRequestHandler, directory=FOLDER)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), files) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site
        site.shutdown()


def test_guide(open_page, api, service, other_site):
    code = compile_guide(service)
    shown, member = register(api, event(title="안내서의 공연")), join(api)
    time.sleep(2)  # until searches find a registration
    page = open_page("/")
    page.expected = [401, 404, 409]
    page.is_examined = True  # The page of another origin reads its own address.
    # A page of another origin than the service. Those of localhost are secure, which the lock of a session needs.
    page.goto(f"http://localhost:{other_site.server_port}/guide.html")
    page.add_script_tag(content=code)
    ids = page.evaluate("async () => { const ids = []; for await (const { id } of listEvents()) ids.push(id); return ids; }")
    assert shown["id"] in ids and len(ids) == len(set(ids)), ids
    found = page.evaluate("async words => (await search(words, { ticketing: 'open' })).events[0].id", shown["title"])
    assert found == shown["id"]
    hold_seats(page, shown, member)


def hold_seats(page, shown, login):
    path = f"/api/v1/events/{shown['id']}/dates/{shown['eventDatetimes'][0]['id']}"
    ids = [shown["areas"][0]["seats"][index]["id"] for index in (1, 2, 3)]
    page.evaluate("""path => {
      window.views = [];
      watch(path, ({ areas: [first] }) => { views.push(first.free); window.isTaken = decodeTaken(first.taken); },
        new AbortController().signal);
    }""", path)
    page.wait_for_function("() => views.at(-1) === 30")
    page.evaluate("({ email, password }) => logIn(email, password)", login)
    # An access token that is not accepted is refreshed once, for both requests.
    page.evaluate("() => writeSession({ ...readSession(), accessToken: 'expired' })")
    refreshes = []
    page.on("request", lambda request: request.url.endswith("/auth/refresh") and refreshes.append(request.method))
    hold, again = page.evaluate("([path, ids]) => Promise.all([1, 2].map(() => hold(path, ids, 'key')))", [path, ids[:2]])
    assert refreshes.count("POST") == 1 and hold == again and hold["status"] == "HELD", (refreshes, hold, again)
    page.wait_for_function("() => views.at(-1) === 28 && isTaken(1) && isTaken(2) && !isTaken(3)")
    ids = ids[1:]
    failure = "([path, ids]) => hold(path, ids, 'other').catch(({ code, errors }) => [code, errors])"
    taken = page.evaluate(failure, [path, ids])
    assert taken[0] == "H_001" and [error["value"] for error in taken[1]] == ids[:1], taken
    release = "async path => (await authorized(path, { method: 'DELETE' })).status"
    assert page.evaluate(release, f"{path}/holds/{hold['id']}") == 204
    page.wait_for_function("() => views.at(-1) === 30")
