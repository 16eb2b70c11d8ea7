"""drawsvg. Argument: file."""

import sys

import drawsvg

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, d, seats

drawing = drawsvg.Drawing(WIDTH, HEIGHT)
wood = drawsvg.LinearGradient(0, 40, 0, 112)
wood.add_stop(0, STAGE["fill"][0])
wood.add_stop(1, STAGE["fill"][1])
tip = drawsvg.Marker(-0.1, -0.51, 0.9, 0.5, scale=8, orient="auto")
tip.append(drawsvg.Lines(-0.1, 0.5, -0.1, -0.5, 0.9, 0, fill="black", close=True))
stage = drawsvg.Group(id="stage")
stage.append(drawsvg.Path(d(STAGE["path"]), fill=wood, stroke="black"))
stage.append(drawsvg.Text(STAGE["label"], 20, *STAGE["at"], center=True))
drawing.append(stage)
for area in AREAS:
    group = drawsvg.Group()
    group.append(drawsvg.Path(d(area["path"]), fill=area["fill"]))
    group.append_title(area["label"])
    group.append(drawsvg.Text(area["label"], 18, *area["at"], fill="white", text_anchor="middle"))
    drawing.append(group)
for x, y, radius in seats():
    drawing.append(drawsvg.Circle(x, y, radius, fill="white"))
drawing.append(drawsvg.Line(*ARROW["from"], *ARROW["to"], stroke="black", stroke_width=2, marker_end=tip))
drawing.save_svg(sys.argv[1])
