"""ezdxf's SVG backend, for a drawing as AutoCAD saves it. Argument: file."""

import pathlib
import sys

import ezdxf
from ezdxf.addons.drawing import Frontend, RenderContext, layout, svg
from ezdxf.enums import TextEntityAlignment

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, points, seats

document = ezdxf.new("R2018", setup=True)
space = document.modelspace()
for name, colour in [("STAGE", 40), ("AREAS", 5), ("SEATS", 7), ("TEXT", 7)]:
    document.layers.add(name, color=colour)
for layer, shape in [("STAGE", STAGE | {"fill": STAGE["fill"][0]}), *(("AREAS", area) for area in AREAS)]:
    outline = [(x, HEIGHT - y) for x, y in points(shape["path"])]
    rgb = tuple(int(shape["fill"][at : at + 2], 16) for at in (1, 3, 5))
    hatch = space.add_hatch(dxfattribs={"layer": layer})
    hatch.rgb = rgb
    hatch.paths.add_polyline_path(outline, is_closed=True)
    space.add_lwpolyline(outline, close=True, dxfattribs={"layer": layer})
    x, y = shape["at"]
    label = space.add_text(shape.get("latin", shape["label"]), height=16, dxfattribs={"layer": "TEXT"})
    label.set_placement((x, HEIGHT - y), align=TextEntityAlignment.MIDDLE_CENTER)
for x, y, radius in seats():
    space.add_circle((x, HEIGHT - y), radius, dxfattribs={"layer": "SEATS"})
(x1, y1), (x2, y2) = ARROW["from"], ARROW["to"]
space.add_line((x1, HEIGHT - y1), (x2, HEIGHT - y2))
backend = svg.SVGBackend()
Frontend(RenderContext(document), backend).draw_layout(space)
page = layout.Page(WIDTH, HEIGHT, layout.Units.mm)
pathlib.Path(sys.argv[1]).write_text(backend.get_string(page), "utf-8")
