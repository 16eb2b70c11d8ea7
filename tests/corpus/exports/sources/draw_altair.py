"""Vega-Altair, rendered by vl-convert. Argument: file."""

import sys

import altair

from hall import AREAS, HEIGHT, STAGE, WIDTH, points, seats

rows = [
    {"area": shape["label"], "order": order, "x": x, "y": HEIGHT - y}
    for shape in [STAGE, *AREAS]
    for order, (x, y) in enumerate([*points(shape["path"]), shape["path"][0][1:]])
]
labels = [{"area": shape["label"], "x": shape["at"][0], "y": HEIGHT - shape["at"][1]} for shape in [STAGE, *AREAS]]
places = [{"x": x, "y": HEIGHT - y} for x, y, _ in seats()]
x = altair.X("x:Q", axis=None, scale=altair.Scale(domain=[0, WIDTH]))
y = altair.Y("y:Q", axis=None, scale=altair.Scale(domain=[0, HEIGHT]))
colour = altair.Color("area:N", title="Area")
outlines = altair.Chart(altair.Data(values=rows)).mark_line(filled=True, fillOpacity=0.7)
outlines = outlines.encode(x=x, y=y, order="order:Q", color=colour, fill="area:N")
text = altair.Chart(altair.Data(values=labels)).mark_text(fontSize=16).encode(x=x, y=y, text="area:N")
dots = altair.Chart(altair.Data(values=places)).mark_circle(color="white", size=60).encode(x=x, y=y)
chart = (outlines + dots + text).properties(width=WIDTH, height=HEIGHT, title="Small hall")
chart.save(sys.argv[1])
