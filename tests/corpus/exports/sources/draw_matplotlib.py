"""Matplotlib's `savefig`.

Arguments: file, `path` (text as outlines, the default) or `none` (text as text), backend (`svg` or `cairo`).
"""

import sys

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot
from matplotlib.patches import Circle, PathPatch
from matplotlib.path import Path

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, seats

file, fonttype, backend = sys.argv[1:]
pyplot.rcParams["svg.fonttype"] = fonttype
# The cairo backend uses only the first font.
pyplot.rcParams["font.family"] = ["NanumGothic"] if backend == "cairo" else ["DejaVu Sans", "NanumGothic"]
pyplot.rcParams["svg.hashsalt"] = "hall"


def outline(path):
    codes = {"M": [Path.MOVETO], "L": [Path.LINETO], "C": [Path.CURVE4] * 3, "Z": [Path.CLOSEPOLY]}
    vertices, used = [], []
    for letter, *numbers in path:
        vertices += list(zip(numbers[::2], numbers[1::2])) or [(0, 0)]
        used += codes[letter]
    return Path(vertices, used)


figure, axes = pyplot.subplots(figsize=(6.4, 4.8))
axes.set_xlim(0, WIDTH)
axes.set_ylim(HEIGHT, 0)
axes.set_axis_off()
for shape in [STAGE | {"fill": STAGE["fill"][0]}, *AREAS]:
    # The cairo backend cannot draw hatches with cairocffi.
    hatch = "//" if shape["label"] == "2층" and backend == "svg" else None
    axes.add_patch(PathPatch(outline(shape["path"]), facecolor=shape["fill"], edgecolor="black", hatch=hatch))
    axes.text(*shape["at"], shape["label"], ha="center", va="center", fontsize=12)
for x, y, radius in seats():
    axes.add_patch(Circle((x, y), radius, color="white"))
axes.annotate(ARROW["label"], xy=ARROW["to"], xytext=ARROW["from"], ha="center", arrowprops={"arrowstyle": "->"})
figure.savefig(file, backend=backend)
