"""Skia's SVG canvas. Argument: file."""

import pathlib
import sys

import skia

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, seats


def colour(text):
    return skia.Color(*(int(text[at : at + 2], 16) for at in (1, 3, 5)))


def outline(path):
    result = skia.Path()
    calls = {"M": result.moveTo, "L": result.lineTo, "C": result.cubicTo, "Z": result.close}
    for letter, *numbers in path:
        calls[letter](*numbers)
    return result


def label(text, at):
    canvas.drawString(text, at[0] - font.measureText(text) / 2, at[1], font, skia.Paint(Color=skia.ColorBLACK))


stream = skia.DynamicMemoryWStream()
canvas = skia.SVGCanvas.Make((WIDTH, HEIGHT), stream)
font = skia.Font(skia.Typeface("NanumGothic"), 18)
wood = skia.GradientShader.MakeLinear([(0, 40), (0, 112)], [colour(fill) for fill in STAGE["fill"]])
canvas.drawPath(outline(STAGE["path"]), skia.Paint(Shader=wood))
label(STAGE["label"], STAGE["at"])
for area in AREAS:
    canvas.drawPath(outline(area["path"]), skia.Paint(Color=colour(area["fill"])))
    label(area["label"], area["at"])
for x, y, radius in seats():
    canvas.drawCircle(x, y, radius, skia.Paint(Color=skia.ColorWHITE))
canvas.drawLine(*ARROW["from"], *ARROW["to"], skia.Paint(Color=skia.ColorBLACK, StrokeWidth=2))
del canvas
pathlib.Path(sys.argv[1]).write_bytes(bytes(stream.detachAsData()))
