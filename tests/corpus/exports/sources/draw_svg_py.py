"""svg.py. Argument: file."""

import pathlib
import sys

import svg

from hall import AREAS, HEIGHT, STAGE, WIDTH, d, seats

wood = svg.LinearGradient(
    id="wood",
    x2=0,
    y2=1,
    elements=[svg.Stop(offset=offset, stop_color=colour) for offset, colour in enumerate(STAGE["fill"])],
)
stripes = svg.Pattern(
    id="stripes",
    width=8,
    height=8,
    patternUnits="userSpaceOnUse",
    elements=[svg.Rect(width=8, height=8, fill="#8064a2"), svg.Path(d="M 0 8 L 8 0", stroke="#b7a3cc")],
)
elements = [svg.Defs(elements=[wood, stripes])]
for shape in [STAGE | {"fill": "url(#wood)"}, *AREAS]:
    fill = "url(#stripes)" if shape["label"] == "2층" else shape["fill"]
    x, y = shape["at"]
    label = svg.Text(x=x, y=y, text=shape["label"], text_anchor="middle", font_size=18)
    elements.append(svg.G(id=shape["label"], elements=[svg.Path(d=d(shape["path"]), fill=fill, stroke="black"), label]))
elements.append(svg.G(fill="white", elements=[svg.Circle(cx=x, cy=y, r=radius) for x, y, radius in seats()]))
canvas = svg.SVG(width=WIDTH, height=HEIGHT, elements=elements)
pathlib.Path(sys.argv[1]).write_text(str(canvas), "utf-8")
