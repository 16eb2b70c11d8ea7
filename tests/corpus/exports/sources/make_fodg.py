"""Writes a drawing for LibreOffice Draw. Argument: file."""

import pathlib
import sys

from hall import AREAS, ARROW, STAGE, d, points, seats


def centimetres(length):
    return f"{length / 40:.3f}cm"


def outline(name, style, path):
    xs, ys = zip(*points(path))
    left, top = min(xs), min(ys)
    size = max(xs) - left, max(ys) - top
    moved = [[c[0], *(round(n - (left, top)[at % 2], 2) for at, n in enumerate(c[1:]))] for c in path]
    box = f'svg:x="{centimetres(left)}" svg:y="{centimetres(top)}" svg:width="{centimetres(size[0])}" svg:height="{centimetres(size[1])}"'
    view = f'svg:viewBox="0 0 {size[0]:.0f} {size[1]:.0f}" svg:d="{d(moved).replace("Z", "z")}"'
    return f'<draw:path draw:name="{name}" draw:layer="layout" draw:style-name="{style}" {box} {view}/>'


def label(text, at):
    box = f'svg:x="{centimetres(at[0] - 80)}" svg:y="{centimetres(at[1] - 20)}" svg:width="4cm" svg:height="1cm"'
    return f'<draw:frame draw:layer="layout" draw:style-name="text" {box}><draw:text-box><text:p text:style-name="centre">{text}</text:p></draw:text-box></draw:frame>'


def style(name, properties):
    return f'<style:style style:name="{name}" style:family="graphic"><style:graphic-properties svg:stroke-color="#333333" {properties}/></style:style>'


shapes, styles = [outline("Stage", "stage", STAGE["path"]), label(STAGE["label"], STAGE["at"])], []
for number, area in enumerate(AREAS):
    styles.append(style(f"area{number}", f'draw:fill="solid" draw:fill-color="{area["fill"]}"'))
    shapes += [outline(area["label"], f"area{number}", area["path"]), label(area["label"], area["at"])]
for x, y, radius in seats():
    box = f'svg:x="{centimetres(x - radius)}" svg:y="{centimetres(y - radius)}"'
    size = f'svg:width="{centimetres(2 * radius)}" svg:height="{centimetres(2 * radius)}"'
    shapes.append(f'<draw:ellipse draw:layer="layout" draw:style-name="seat" {box} {size}/>')
(x1, y1), (x2, y2) = ARROW["from"], ARROW["to"]
ends = f'svg:x1="{centimetres(x1)}" svg:y1="{centimetres(y1)}" svg:x2="{centimetres(x2)}" svg:y2="{centimetres(y2)}"'
shapes.append(f'<draw:line draw:name="Entrance" draw:layer="layout" draw:style-name="arrow" {ends}/>')
newline = "\n"
pathlib.Path(sys.argv[1]).write_text(
    f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.graphics">
<office:styles>
<draw:gradient draw:name="Wood" draw:style="linear" draw:start-color="{STAGE["fill"][0]}" draw:end-color="{STAGE["fill"][1]}" draw:angle="0deg"/>
<draw:marker draw:name="Arrow" svg:viewBox="0 0 20 30" svg:d="M10 0L0 30H20Z"/>
</office:styles>
<office:automatic-styles>
<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="16cm" fo:page-height="12cm" fo:margin="0cm"/></style:page-layout>
<style:style style:name="centre" style:family="paragraph"><style:paragraph-properties fo:text-align="center"/><style:text-properties fo:font-size="14pt" fo:font-family="NanumGothic" style:font-family-asian="NanumGothic" style:font-size-asian="14pt"/></style:style>
{style("text", 'draw:stroke="none" draw:fill="none"')}
{style("stage", 'draw:fill="gradient" draw:fill-gradient-name="Wood"')}
{style("seat", 'draw:stroke="none" draw:fill="solid" draw:fill-color="#ffffff"')}
{style("arrow", 'draw:marker-end="Arrow" draw:marker-end-width="0.4cm"')}
{newline.join(styles)}
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Default" style:page-layout-name="page"/></office:master-styles>
<office:body><office:drawing><draw:page draw:name="Hall" draw:master-page-name="Default">
{newline.join(shapes)}
</draw:page></office:drawing></office:body>
</office:document>
""",
    "utf-8",
)
