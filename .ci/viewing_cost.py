"""Checks that drawings with as many layers as the service accepts cost no more than its largest plain drawing.

usage: viewing_cost.py URL   URL of the service, on this machine

The cost is processor time and memory of Chromium without a graphics processor. The plain drawing, 148,000 small shapes,
is measured in the same run, so that the speed of the machine does not matter. Each drawing is set as `innerHTML` and
shown in `seat-map.svg`.
"""

import os
import pathlib
import shutil
import uuid

from playwright.sync_api import sync_playwright

from browser_hostile import CORPUS, SERVICE, SVG, register

# Factors by which a drawing may exceed the plain one, since the service counts roughly.
MOST_TIME, MOST_MEMORY = 2, 2
MEGABYTE = 1_000_000

SHAPE = '<rect width="1000" height="1000" fill="#eef"/>'
CIRCLES = "".join(f'<circle cx="{7 * i % 997}" cy="{13 * i % 991}" r="4"/>' for i in range(1000))
NESTED = '<g opacity=".9">' * 90 + SHAPE * 2 + "</g>" * 90
PLAIN = f'<defs><g id="a">{CIRCLES}</g></defs>' + '<use href="#a"/>' * 147
COSTLY = {
    "masks": f'<mask id="a">{SHAPE}</mask>' + '<rect mask="url(#a)" width="1000" height="1000"/>' * 900,
    "nested opacity": NESTED * 8,
    "clip paths": '<clipPath id="a"><circle r="500"/></clipPath>' + f'<g clip-path="url(#a)">{SHAPE}</g>' * 1400,
    "blend modes": f'<g style="mix-blend-mode:multiply">{SHAPE}</g>' * 185,
}


def usage(pid):
    """Returns processor seconds and proportional memory in bytes of a process and its descendants."""
    seconds = memory = 0
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in parentheses, may contain spaces.
            fields = stat.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append((int(stat.parent.name), int(fields[11]) + int(fields[12])))
        except OSError:
            pass
    found = list(children.get(pid, []))
    while found:
        process, ticks = found.pop()
        found += children.get(process, [])
        seconds += ticks / os.sysconf("SC_CLK_TCK")
        try:
            lines = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            memory += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
        except OSError:
            pass
    return seconds, memory


def measure(playwright, show):
    """Returns the seconds and bytes that a browser takes to show something, beyond an empty page."""
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    try:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_content("<!doctype html>")
        page.screenshot()
        before = usage(os.getpid())
        show(page)
        page.screenshot()
        after = usage(os.getpid())
        return after[0] - before[0], after[1] - before[1]
    finally:
        browser.close()


def costs(playwright, request, name, content):
    """Registers a drawing, and returns its cost in each context."""
    drawing = f'<svg xmlns="{SVG}" viewBox="0 0 1000 1000" width="1000" height="1000">{content}</svg>'
    poster = (CORPUS / "images/accepted/rgb8.png").read_bytes()
    status, response = register(request, f"{name} {uuid.uuid4()}", drawing, poster, area="<g/>")
    assert status == 201, (name, response)
    picture = f"{SERVICE}/api/v1/events/{response['data']['id']}/seat-map.svg"
    insert = "text => { document.body.innerHTML = text; }"
    return {
        "innerHTML": measure(playwright, lambda page: page.evaluate(insert, drawing)),
        "seat map": measure(playwright, lambda page: page.goto(picture)),
    }


def main():
    failures = []
    with sync_playwright() as playwright:
        request = playwright.request.new_context()
        plain = costs(playwright, request, "plain", PLAIN)
        for name, content in {"plain": PLAIN, **COSTLY}.items():
            for context, (seconds, memory) in costs(playwright, request, name, content).items():
                most = plain[context]
                print(f"viewing_cost: {name} as {context}: {seconds:.1f} s, {memory / MEGABYTE:.0f} MB")
                if seconds > MOST_TIME * most[0] or memory > MOST_MEMORY * most[1]:
                    failures.append(f"{name} as {context} costs more than {most[0]:.1f} s, {most[1] / MEGABYTE:.0f} MB")
    assert not failures, "\n".join(failures)


main()
