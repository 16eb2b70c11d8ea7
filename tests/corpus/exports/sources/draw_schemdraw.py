"""schemdraw with its SVG backend. Argument: file."""

import sys

import schemdraw
from schemdraw import elements
from schemdraw.segments import Segment, SegmentCircle, SegmentPoly, SegmentText

from hall import AREAS, ARROW, STAGE, points, seats

schemdraw.use("svg")


def scaled(point):
    return point[0] / 60, -point[1] / 60


class Hall(elements.Element):
    def __init__(self):
        super().__init__()
        for shape in [STAGE | {"fill": STAGE["fill"][0]}, *AREAS]:
            self.segments.append(SegmentPoly([scaled(p) for p in points(shape["path"])], fill=shape["fill"]))
            self.segments.append(SegmentText(scaled(shape["at"]), shape["label"], align=("center", "center")))
        for x, y, radius in seats():
            self.segments.append(SegmentCircle(scaled((x, y)), radius / 60, fill="white"))
        self.segments.append(Segment([scaled(ARROW["from"]), scaled(ARROW["to"])], arrow="->"))


with schemdraw.Drawing(file=sys.argv[1], show=False) as drawing:
    drawing.add(Hall())
