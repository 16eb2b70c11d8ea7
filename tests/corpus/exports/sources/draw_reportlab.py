"""ReportLab's renderSVG. Argument: file."""

import sys

from reportlab.graphics import renderSVG
from reportlab.graphics.shapes import Circle, Drawing, Group, Line, Path, String
from reportlab.lib.colors import HexColor, black, white

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, seats


def outline(path, fill):
    result = Path(fillColor=HexColor(fill), strokeColor=black)
    calls = {"M": result.moveTo, "L": result.lineTo, "C": result.curveTo, "Z": result.closePath}
    for letter, *numbers in path:
        # The origin of ReportLab is at the lower left.
        calls[letter](*(HEIGHT - n if at % 2 else n for at, n in enumerate(numbers)))
    return result


drawing = Drawing(WIDTH, HEIGHT)
for shape in [STAGE | {"fill": STAGE["fill"][0]}, *AREAS]:
    x, y = shape["at"]
    text = String(x, HEIGHT - y, shape["label"], textAnchor="middle", fontSize=18)
    drawing.add(Group(outline(shape["path"], shape["fill"]), text))
for x, y, radius in seats():
    drawing.add(Circle(x, HEIGHT - y, radius, fillColor=white, strokeColor=None))
(x1, y1), (x2, y2) = ARROW["from"], ARROW["to"]
drawing.add(Line(x1, HEIGHT - y1, x2, HEIGHT - y2, strokeWidth=2))
renderSVG.drawToFile(drawing, sys.argv[1])
