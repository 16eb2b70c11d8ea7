"""Pygal's XY chart. Arguments: file, and `default` or `no-script` (`js=[]`)."""

import sys

import pygal

from hall import AREAS, HEIGHT, STAGE, WIDTH, points

file, setting = sys.argv[1:]
options = {"js": []} if setting == "no-script" else {}
chart = pygal.XY(fill=True, show_dots=False, width=WIDTH, height=HEIGHT, title="Small hall", **options)
for shape in [STAGE, *AREAS]:
    outline = points(shape["path"], 4)
    chart.add(shape["label"], [(x, HEIGHT - y) for x, y in [*outline, outline[0]]])
chart.render_to_file(file)
