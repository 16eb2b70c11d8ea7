"""Measures the time and memory that Chromium takes for costly drawings that the service just accepts.

usage: viewing_cost.py URL [COUNT [SEED]]   URL of the service, on this machine

The cost is processor time and memory of Chromium without a graphics processor, beyond an empty page. Without COUNT, it
measures a fixed sample, and fails if a drawing costs much more than the plain one. This one, 150,000 small shapes, is
measured in the same run, so that the speed of the machine does not matter. With COUNT, it measures as many generated
drawings and the accepted ones of tests/corpus, and prints the worst ten.
"""

import os
import pathlib
import random
import shutil
import statistics
import sys
import tempfile
import uuid

from playwright.sync_api import sync_playwright

from browser_hostile import CORPUS, SERVICE, SVG, corpus, register

# Factors by which a drawing may exceed the plain one. The dearest drawings take 2.2 to 2.6 times its time, depending on
# the processor and on what else it does.
MOST_TIME, MOST_MEMORY = 3, 2
MEASUREMENTS = 3  # of the plain drawing, and at most of each other one
MEGABYTE = 1_000_000
POSTER = (CORPUS / "images/accepted/rgb8.png").read_bytes()

SIZE = 'width="1000" height="1000"'
CIRCLES = "".join(f'<circle cx="{7 * i % 997}" cy="{13 * i % 551}" r="3"/>' for i in range(1000))
POINTS = " ".join(f"{i * 7919 % 997} {i * 104729 % 557}" for i in range(9000))
PLAIN = f'<defs><g id="p">{CIRCLES}</g></defs>', '<use href="#p"/>'


def gradient(kind):
    return f'<{kind}Gradient id="g"><stop/><stop offset="1" stop-color="red"/></{kind}Gradient>'


def pattern(side):
    tile = f'<pattern id="t" width="{side}" height="{side}" patternUnits="userSpaceOnUse">'
    return f'{tile}<circle r="{side / 3}"/></pattern>'


# Definitions and a repeated element; {x} and {y} are places on the screen, {n} is the number of the element.
FEATURES = {
    "large shapes": ("", f'<rect {SIZE} fill="#eef"/>'),
    "large strokes": ("", '<circle cx="500" cy="280" r="270" fill="none" stroke="red" stroke-width="60"/>'),
    "linear gradients": (gradient("linear"), f'<rect {SIZE} fill="url(#g)"/>'),
    "radial gradients": (gradient("radial"), f'<rect {SIZE} fill="url(#g)"/>'),
    "small gradients": (gradient("radial"), '<circle cx="{x}" cy="{y}" r="4" fill="url(#g)"/>'),
    "patterns": (pattern(9), f'<rect {SIZE} fill="url(#t)"/>'),
    "tiles": (pattern(900), '<circle cx="{x}" cy="{y}" r="4" fill="url(#t)"/>'),
    "masks": (f'<mask id="m"><rect {SIZE} fill="#fff"/></mask>', f'<rect mask="url(#m)" {SIZE}/>'),
    "clip paths": (f'<clipPath id="c"><path d="M{POINTS[:500]}"/></clipPath>', f'<rect clip-path="url(#c)" {SIZE}/>'),
    "clipped groups": ('<clipPath id="c"><circle r="500"/></clipPath>',
                       f'<g clip-path="url(#c)"><rect {SIZE}/></g>'),
    "blend modes": ("", f'<g style="mix-blend-mode:multiply"><rect {SIZE} fill="#eef"/></g>'),
    "blended shapes": ("", f'<text>a</text><rect {SIZE} style="mix-blend-mode:multiply"/><rect {SIZE} fill="#eef"/>'),
    "moved shapes": ("", f'<text>a</text><rect {SIZE} style="will-change:transform"/><rect {SIZE} fill="#eef"/>'),
    "transparent groups": ("", f'<g opacity=".9"><rect {SIZE}/><rect {SIZE} fill="#eef"/></g>'),
    "texts": ("", '<text x="{x}" y="{y}" font-size="9">{n}</text>'),
    "font sizes": ("", '<text x="{x}" y="{y}" font-size="9.{n}">{n}</text>'),
    "turned texts": ("", '<text transform="translate({x} {y})rotate({n}.7)" font-size="9">가열</text>'),
    "characters": ("", '<text y="{y}" font-size="9">' + "abcdefghi " * 20 + "</text>"),
    "positions": ("", '<text y="{y}" x="' + "1 2 3 4 5 6 7 8 9 10 " * 10 + '" font-size="9">' + "a" * 100 + "</text>"),
    "round dashes": ("", '<path fill="none" stroke="red" stroke-width="9" stroke-linecap="round" '
                         'stroke-dasharray=".1 4.9" d="M0 {y}H1000"/>'),
    "lines": ("", '<line x1="{x}" y1="0" x2="{y}" y2="557" stroke="red"/>'),
    "crossing lines": ("", f'<path fill="none" stroke="red" d="M{POINTS[:4000]}"/>'),
    "arcs": ("", '<path fill="none" stroke="red" d="M0 0A500 300 {n} 1 1 {x} {y}A300 500 {n} 1 1 {y} {x}"/>'),
    "paths": ("", '<path stroke="red" d="M{x} {y}h8a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-8z"/>'),
    "links": ('<circle id="l" r="4"/>', '<use href="#l" x="{x}" y="{y}"/>'),
    "symbols": ('<symbol id="s" viewBox="0 0 9 9"><rect width="9" height="9"/></symbol>',
                '<use href="#s" x="{x}" y="{y}" width="9" height="9"/>'),
    "long gradients": ('<radialGradient id="b" r=".01" fx=".499" spreadMethod="reflect">'
                       + "".join(f'<stop offset=".{n}" stop-color="#{n}0f" stop-opacity=".5"/>' for n in range(10, 41))
                       + "</radialGradient>", f'<rect {SIZE} fill="url(#b)"/>'),
    "languages": ("", '<text y="{y}" font-size="9" lang="a{n}">가나</text>'),
    "font families": ("", '<text y="{y}" font-size="9" font-family="' + "a{n},b{n},c{n},d{n}," * 5 + 'e">a</text>'),
    "rules": (f"<style>{'.a1{fill:red}' * 9000}</style>", '<g class="a1"/>'),
    "masks in a list": ('<mask id="v"><circle r="9"/></mask>', f'<rect mask="{",".join(["url(#v)"] * 9)}" {SIZE}/>'),
    "links of links": ("".join(f'<g id="l{n}">{"<g>" * 90}<use href="#l{n - 1}"/>{"</g>" * 90}</g>' for n in range(15)),
                       '<use href="#l13"/>'),
    "kept layers": ("", '<g style="transform-style:preserve-3d"><circle r="500"/></g>'),
    "covered layers": ("", f'<g style="transform-style:preserve-3d"><circle r="500"/></g><rect {SIZE} fill="#eef"/>'),
    "markers": ('<marker id="k" viewBox="0 0 9 9"><rect width="9" height="9"/></marker>',
                '<path d="M{x} {y}h9v9h9" fill="none" marker-mid="url(#k)"/>'),
}
SAMPLE = ["large shapes", "long gradients", "tiles", "masks", "positions", "round dashes", "crossing lines", "links",
          "links of links", "covered layers", "blended shapes", "moved shapes"]


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


def document(features, count):
    """Returns a drawing that repeats the elements of features."""
    defs = "".join({defs: None for defs, _ in features})
    element = "".join(element for _, element in features)
    content = "".join(element.replace("{x}", str(7 * n % 997)).replace("{y}", str(13 * n % 551)).replace("{n}", str(n))
                      for n in range(count))
    return f'<svg xmlns="{SVG}" viewBox="0 0 1000 1000">{defs}{content}</svg>'


def create(request, drawing):
    """Registers an event with a drawing, and returns the URL of its seat map, or None if the drawing is rejected."""
    status, response = register(request, str(uuid.uuid4()), drawing, POSTER, area="<g/>")
    if status != 201:
        return None
    return f"{SERVICE}/api/v1/events/{response['data']['id']}/seat-map.svg"


def largest(request, features):
    """Returns the largest accepted drawing of features, to about 5 %, and the URL of its seat map."""
    found, accepted, rejected, count = None, 0, None, 1
    while rejected is None or rejected - accepted > max(1, accepted // 20):
        drawing = document(features, count)
        picture = create(request, drawing)
        if picture:
            found, accepted = (drawing, picture), count
        else:
            rejected = count
        count = 2 * accepted if rejected is None else (accepted + rejected) // 2
    return found


def cost(playwright, context, drawing, picture):
    """Returns the seconds and bytes of a drawing in a context."""
    insert = "text => { document.body.innerHTML = text; }"
    if context == "seat map":
        return measure(playwright, lambda page: page.goto(picture))
    if context == "document":
        with tempfile.NamedTemporaryFile("w", suffix=".svg") as file:
            file.write(drawing)
            file.flush()
            return measure(playwright, lambda page: page.goto(pathlib.Path(file.name).as_uri()))
    return measure(playwright, lambda page: page.evaluate(insert, drawing))


def report(name, context, seconds, memory):
    print(f"viewing_cost: {name} as {context}: {seconds:.1f} s, {memory / MEGABYTE:.0f} MB", flush=True)


def check_sample(playwright, request):
    found = largest(request, [PLAIN])
    measured = [cost(playwright, "innerHTML", *found) for _ in range(MEASUREMENTS)]
    plain_seconds, plain_memory = map(statistics.median, zip(*measured))
    report("plain", "innerHTML", plain_seconds, plain_memory)
    failures = []
    for name in SAMPLE:
        found = largest(request, [FEATURES[name]])
        # Other programs on the machine only add to a cost, so one measurement within the limits is enough.
        for _ in range(MEASUREMENTS):
            seconds, memory = cost(playwright, "innerHTML", *found)
            report(name, "innerHTML", seconds, memory)
            if seconds <= MOST_TIME * plain_seconds and memory <= MOST_MEMORY * plain_memory:
                break
        else:
            failures.append(name)
    assert not failures, f"these cost much more than the plain drawing: {failures}"


def search(playwright, request, count, seed):
    """Measures generated drawings and the corpus, and the worst ten in all contexts."""
    found, costs = {}, {}

    def add(name, drawing, picture):
        found[name] = drawing, picture
        costs[name] = cost(playwright, "innerHTML", drawing, picture)
        report(name, "innerHTML", *costs[name])

    choose = random.Random(seed)
    for number in range(count):
        # First each feature by itself, then mixtures.
        names = list(FEATURES)[number:number + 1] or choose.sample(list(FEATURES), choose.randint(2, 4))
        accepted = largest(request, [FEATURES[name] for name in names])
        if accepted:
            add(" + ".join(names), *accepted)
    for file in [file for folder in ["svg/inert", "svg/hostile", "exports"] for file in corpus(folder)]:
        drawing = file.read_bytes().decode(errors="replace")
        picture = file.suffix == ".svg" and create(request, drawing)
        if picture:
            add(file.name, drawing, picture)
    worst = sorted(costs, key=lambda name: max(costs[name][0] / 3, costs[name][1] / (500 * MEGABYTE)), reverse=True)
    print(f"viewing_cost: {len(found)} accepted drawings measured; the worst ten in all contexts:")
    for name in worst[:10]:
        for context in ["document", "innerHTML", "seat map"]:
            report(name, context, *cost(playwright, context, *found[name]))


def main():
    with sync_playwright() as playwright:
        request = playwright.request.new_context()
        if len(sys.argv) > 2:
            search(playwright, request, int(sys.argv[2]), int((sys.argv[3:] or ["1"])[0]))
        else:
            check_sample(playwright, request)


main()
