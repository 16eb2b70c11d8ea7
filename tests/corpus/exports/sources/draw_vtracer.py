"""VTracer's tracing of a bitmap. Arguments: PNG, file."""

import sys

import vtracer

vtracer.convert_image_to_svg_py(sys.argv[1], sys.argv[2], colormode="color", filter_speckle=2, color_precision=4)
