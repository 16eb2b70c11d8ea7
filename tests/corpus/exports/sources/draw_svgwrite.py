"""svgwrite. Argument: file."""

import sys

import svgwrite

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, d, seats

drawing = svgwrite.Drawing(sys.argv[1], size=(WIDTH, HEIGHT), viewBox=f"0 0 {WIDTH} {HEIGHT}")
gradient = drawing.defs.add(drawing.linearGradient((0, 0), (0, 1), id="wood"))
gradient.add_stop_color(0, STAGE["fill"][0]).add_stop_color(1, STAGE["fill"][1])
tip = drawing.defs.add(drawing.marker((6, 3), (6, 6), orient="auto", id="tip"))
tip.add(drawing.path("M 0 0 L 6 3 L 0 6 Z"))

stage = drawing.add(drawing.g(id="stage"))
stage.add(drawing.path(d(STAGE["path"]), fill=gradient.get_paint_server(), stroke="black"))
stage.add(drawing.text(STAGE["label"], STAGE["at"], text_anchor="middle", font_size=20))
areas = drawing.add(drawing.g(id="areas", stroke="black"))
for area in AREAS:
    areas.add(drawing.path(d(area["path"]), fill=area["fill"]))
    areas.add(drawing.text(area["label"], area["at"], text_anchor="middle", font_size=18, stroke="none"))
places = drawing.add(drawing.g(id="seats", fill="white"))
for x, y, radius in seats():
    places.add(drawing.circle((x, y), radius))
arrow = drawing.add(drawing.line(ARROW["from"], ARROW["to"], stroke="black", stroke_width=2))
arrow.set_markers((None, None, tip))
drawing.save()
