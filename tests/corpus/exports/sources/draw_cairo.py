"""Cairo's SVG surface. Arguments: file, and `default` or `group` (one group drawn with an alpha value)."""

import math
import sys

import cairo

from hall import AREAS, ARROW, HEIGHT, STAGE, WIDTH, seats


def colour(text):
    return [int(text[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def draw(path):
    calls = {"M": context.move_to, "L": context.line_to, "C": context.curve_to, "Z": context.close_path}
    for letter, *numbers in path:
        calls[letter](*numbers)


def label(text, at):
    context.set_source_rgb(0, 0, 0)
    extents = context.text_extents(text)
    context.move_to(at[0] - extents.width / 2, at[1])
    context.show_text(text)


file, setting = sys.argv[1:]
with cairo.SVGSurface(file, WIDTH, HEIGHT) as surface:
    context = cairo.Context(surface)
    context.select_font_face("NanumGothic")
    context.set_font_size(18)
    wood = cairo.LinearGradient(0, 40, 0, 112)
    wood.add_color_stop_rgb(0, *colour(STAGE["fill"][0]))
    wood.add_color_stop_rgb(1, *colour(STAGE["fill"][1]))
    draw(STAGE["path"])
    context.set_source(wood)
    context.fill()
    label(STAGE["label"], STAGE["at"])
    for area in AREAS:
        draw(area["path"])
        context.set_source_rgba(*colour(area["fill"]), 0.9)
        context.fill_preserve()
        context.set_source_rgb(0, 0, 0)
        context.stroke()
        label(area["label"], area["at"])
    context.set_source_rgb(1, 1, 1)
    if setting == "group":
        context.push_group()
    for x, y, radius in seats():
        context.arc(x, y, radius, 0, 2 * math.pi)
        context.fill()
    if setting == "group":
        context.pop_group_to_source()
        context.paint_with_alpha(0.6)
    context.set_source_rgb(0, 0, 0)
    draw([["M", *ARROW["from"]], ["L", *ARROW["to"]], ["L", 314, 446], ["M", *ARROW["to"]], ["L", 326, 446]])
    context.stroke()
