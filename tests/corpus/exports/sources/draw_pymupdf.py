"""PyMuPDF's conversion of a PDF page. Arguments: PDF, file, `path` (text as outlines, the default) or `text`."""

import pathlib
import sys

import pymupdf

source, file, text = sys.argv[1:]
page = pymupdf.open(source)[0]
pathlib.Path(file).write_text(page.get_svg_image(text_as_path=text == "path"), "utf-8")
