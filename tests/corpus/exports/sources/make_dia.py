"""Writes a drawing for Dia. Argument: file."""

import pathlib
import sys

from hall import AREAS, ARROW, STAGE, points, seats

SCALE = 20


def point(at):
    return f"{at[0] / SCALE:.2f},{at[1] / SCALE:.2f}"


def polygon(number, shape):
    vertices = "".join(f'<dia:point val="{point(at)}"/>' for at in points(shape["path"]))
    return f"""<dia:object type="Standard - Polygon" version="0" id="O{number}">
<dia:attribute name="obj_pos"><dia:point val="{point(shape["path"][0][1:])}"/></dia:attribute>
<dia:attribute name="poly_points">{vertices}</dia:attribute>
<dia:attribute name="inner_color"><dia:color val="{shape["fill"]}"/></dia:attribute>
<dia:attribute name="show_background"><dia:boolean val="true"/></dia:attribute>
</dia:object>"""


def text(number, label, at):
    return f"""<dia:object type="Standard - Text" version="1" id="O{number}">
<dia:attribute name="obj_pos"><dia:point val="{point(at)}"/></dia:attribute>
<dia:attribute name="text"><dia:composite type="text">
<dia:attribute name="string"><dia:string>#{label}#</dia:string></dia:attribute>
<dia:attribute name="font"><dia:font family="NanumGothic" style="0" name="Helvetica"/></dia:attribute>
<dia:attribute name="height"><dia:real val="0.9"/></dia:attribute>
<dia:attribute name="pos"><dia:point val="{point(at)}"/></dia:attribute>
<dia:attribute name="color"><dia:color val="#000000"/></dia:attribute>
<dia:attribute name="alignment"><dia:enum val="1"/></dia:attribute>
</dia:composite></dia:attribute>
</dia:object>"""


def seat(number, x, y, radius):
    corner = point((x - radius, y - radius))
    return f"""<dia:object type="Standard - Ellipse" version="0" id="O{number}">
<dia:attribute name="obj_pos"><dia:point val="{corner}"/></dia:attribute>
<dia:attribute name="elem_corner"><dia:point val="{corner}"/></dia:attribute>
<dia:attribute name="elem_width"><dia:real val="{2 * radius / SCALE}"/></dia:attribute>
<dia:attribute name="elem_height"><dia:real val="{2 * radius / SCALE}"/></dia:attribute>
<dia:attribute name="border_width"><dia:real val="0.02"/></dia:attribute>
</dia:object>"""


def arrow(number):
    return f"""<dia:object type="Standard - Line" version="0" id="O{number}">
<dia:attribute name="obj_pos"><dia:point val="{point(ARROW["from"])}"/></dia:attribute>
<dia:attribute name="conn_endpoints"><dia:point val="{point(ARROW["from"])}"/><dia:point val="{point(ARROW["to"])}"/></dia:attribute>
<dia:attribute name="end_arrow"><dia:enum val="22"/></dia:attribute>
<dia:attribute name="end_arrow_length"><dia:real val="0.5"/></dia:attribute>
<dia:attribute name="end_arrow_width"><dia:real val="0.5"/></dia:attribute>
</dia:object>"""


objects = []
for shape in [STAGE | {"fill": STAGE["fill"][0]}, *AREAS]:
    objects.append(polygon(len(objects), shape))
    objects.append(text(len(objects), shape["label"], shape["at"]))
for circle in seats():
    objects.append(seat(len(objects), *circle))
objects.append(arrow(len(objects)))
pathlib.Path(sys.argv[1]).write_text(
    f"""<?xml version="1.0" encoding="UTF-8"?>
<dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/">
<dia:layer name="Hall" visible="true" active="true">
{chr(10).join(objects)}
</dia:layer>
</dia:diagram>
""",
    "utf-8",
)
